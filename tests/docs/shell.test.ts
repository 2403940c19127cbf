// Runs every line of every shell block of the documentation, in a world of its own, beside one server started by npm.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type DocBlock, readAllBlocks } from '../support/doc-blocks.ts';
import { findRunner } from '../support/doc-plan.ts';
import { ranElsewhere } from '../support/ran-elsewhere.ts';
import { createShellWorld, linesOf } from '../support/shell-world.ts';
import { type StartedByNpm, startByNpm } from '../support/started-by-npm.ts';

const blocks = readAllBlocks().filter((block) => findRunner(block) === 'shell');

let home = '';
let server: StartedByNpm;
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'repertoire-npm-start-'));
  server = await startByNpm(home);
});
afterAll(async () => {
  await server?.stop();
  rmSync(home, { recursive: true, force: true });
});

test('npm start builds, then serves the example skills on 7337', async () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
  expect(scripts.prestart).toBe('npm run --silent build');
  expect(scripts.start).not.toContain('--port'); // 7337 is the program's own default.
  expect(server).toMatchObject({ document_skills: 6, authentication: 'on', store: { state: 'ready' } });
});

describe('the shell blocks', () => {
  const numbered = blocks.map((block, index) => [block.place, block, index] as const);

  test.concurrent.each(numbered)('of %s end as they say (C)', async (_, block, index) => {
    const world = createShellWorld(isOfServer(block) ? { ...server, home } : undefined);
    try {
      for (const { line, code, wanted, stdout, stderr } of await inLane(index, () => world.run(block.text))) {
        expect(code, `${block.place}: ${line}\n${stdout}${stderr}`).toBe(wanted);
        if (!isSilent(line)) expect(`${stdout}${stderr}`.trim(), line).not.toBe('');
      }
    } finally {
      world.remove();
    }
  });

  test('are made of many lines', () => {
    expect(blocks.flatMap(({ text }) => linesOf(text)).length).toBeGreaterThan(50);
  });
});

test('the stand-in for curl answers and fails as curl does', () => {
  const ask = (...words: readonly string[]) =>
    spawnSync(process.execPath, ['tests/support/curl-stand-in.mjs', ...words], { encoding: 'utf8' });
  const path = `${server.url}/api/typed-skills/goal_decomposition/invoke`;
  const allowed = ['-H', `Authorization: Bearer ${server.token}`, '-H', 'Content-Type: application/json'];
  const answered = ask(...allowed, '-d', '{"goal":"Move to Graz"}', path);
  expect({ status: answered.status, ...JSON.parse(answered.stdout) }).toMatchObject({ status: 0, success: true });
  expect(ask(`${server.url}/api/documents`).status).toBe(22);
});

test('what other tests run is named once, and those tests do run it', () => {
  const missing = ranElsewhere.filter(
    ({ file, holds }) => !existsSync(file) || !readFileSync(file, 'utf8').includes(holds),
  );
  expect(missing).toEqual([]);
  const shown = blocks.map(({ text }) => text).join('');
  expect(ranElsewhere.filter(({ command }) => !shown.includes(command))).toEqual([]);
});

test('a package command that no test runs is refused', async () => {
  const world = createShellWorld();
  const [ran] = await world.run('npm run no-such-thing\n');
  world.remove();
  expect(ran).toMatchObject({ code: 97, stderr: 'No test runs: npm run no-such-thing\n' });
});

/** Two at a time: other tests need the machine, too. */
const lanes: Promise<unknown>[] = [Promise.resolve(), Promise.resolve()];

function inLane<T>(index: number, work: () => Promise<T>): Promise<T> {
  const lane = index % lanes.length;
  const done = Promise.resolve(lanes[lane]).then(work);
  lanes[lane] = done.catch(() => undefined); // its own test tells
  return done;
}

/** Sets a variable, goes elsewhere, or has annotations for faults that good skills do not have. */
const isSilent = (line: string): boolean => /^\w+=\$\(|^cd \S+$|--format github$/.test(line);

const isOfServer = ({ text }: DocBlock): boolean => text.includes('127.0.0.1:7337');
