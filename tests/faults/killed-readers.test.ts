// A host that kills its server right after an answer: what was read is in the log all the same, once (U7).
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../src/store/store.ts';
import { PATIENT } from '../support/patience.ts';
import { program } from '../support/world.ts';
import { type McpProcess, startMcp } from './mcp-process.ts';

let home = '';
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'repertoire-killed-'));
  for (const name of ['first', 'second']) {
    mkdirSync(join(home, 'skills', name), { recursive: true });
    writeFileSync(
      join(home, 'skills', name, 'SKILL.md'),
      `---\nname: ${name}\ndescription: Is read.\n---\n# ${name}\n`,
    );
  }
});
// A killed process may be writing yet.
afterEach(() => rmSync(home, { recursive: true, force: true, maxRetries: 30, retryDelay: 100 }));

const data = () => join(home, 'data');
const journals = () => readdirSync(data()).filter((name) => name.startsWith('reads.'));
const journalText = () =>
  journals()
    .map((name) => readFileSync(join(data(), name), 'utf8'))
    .join('');

async function startReader({
  options = [],
  before = 'true',
}: {
  options?: string[];
  before?: string;
} = {}): Promise<McpProcess> {
  const args = ['--root', join(home, 'skills'), '--data', data(), ...options];
  const server = await startMcp({ home, args, before });
  onTestFinished(server.kill);
  return server;
}

function openLog() {
  const store = openStore({ kind: 'sqlite', dataDirectory: data() }, PATIENT);
  onTestFinished(() => store.close());
  return store;
}

const namesIn = async ({ loads }: ReturnType<typeof openLog>) =>
  (await loads.list({ limit: 10 })).loads.map(({ skillName }) => skillName);

/** A server that was killed with the answer given and nothing in the log. The log is locked meanwhile: the race is decided. */
async function killReader(store: ReturnType<typeof openLog>): Promise<void> {
  await expect.poll(() => store.health()).toEqual({ isReady: true });
  const other = new Database(join(data(), 'repertoire.db'));
  onTestFinished(() => void other.close());
  other.exec('BEGIN IMMEDIATE');
  const killed = await startReader();
  expect((await killed.call('skill', { name: 'first' })).text).toContain('# first');
  await expect.poll(journalText).toContain('"first"');
  killed.kill();
  other.exec('ROLLBACK');
  expect(await namesIn(store)).toEqual([]);
}

test('kill -9 before the log has a read: the next process writes it, once (U7)', async () => {
  const store = openLog();
  await killReader(store);
  const next = await startReader();
  await next.call('skill', { name: 'second' });
  await expect.poll(async () => (await namesIn(store)).toSorted()).toEqual(['first', 'second']);
  await expect.poll(journals).toEqual([]);
});

test('log --loads shows a read whose process was killed, and leaves no journal behind (U7)', async () => {
  const store = openLog();
  await killReader(store);
  const read = () =>
    spawnSync(process.execPath, [program, 'log', '--loads', '--data', data()], {
      encoding: 'utf8',
      env: { HOME: home },
    });
  await expect.poll(() => read().stdout).toContain('first');
  expect(journals()).toEqual([]);
  expect(await namesIn(store)).toEqual(['first']);
});

test('with --no-log there is no journal either (D9, U7)', async () => {
  mkdirSync(data());
  const server = await startReader({ options: ['--no-log'] });
  await server.call('skill', { name: 'first' });
  await server.call('list_skills', {});
  expect(journals()).toEqual([]);
});

test('files that may not grow cost the journal, not the read (D9, F5, U7)', async () => {
  const server = await startReader({ before: 'ulimit -f 0; trap "" XFSZ' });
  for (const name of ['first', 'second']) expect((await server.call('skill', { name })).text).toContain(`# ${name}`);
});
