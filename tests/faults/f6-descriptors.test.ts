// F6: no descriptor exhaustion. 2,000 skills are served by a process that may open 64 files.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { createSkillWorld } from '../../src/catalog/fixtures/skill-world.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { startServeProcess } from '../support/serve-process.ts';
import { startMcp } from './mcp-process.ts';

const SKILLS = 2_000;

test('with `ulimit -n 64` every one of 2,000 skills is served, read and kept fresh (F6)', async () => {
  const world = createSkillWorld();
  for (let index = 0; index < SKILLS; index += 1) world.skill(`root/g${index % 40}/s${index}`);
  world.write('root/g7/s7/notes.md', 'the notes');
  // The regular look at everything comes once a day: the change is seen because it is watched.
  const args = ['--root', world.at('root'), '--rescan', '86400'];
  const server = await startMcp({ home: world.folder('home'), args, before: 'ulimit -n 64' });
  onTestFinished(server.kill);
  const names = new Set<string>();
  let cursor: unknown;
  do {
    const { structured } = await server.call('list_skills', { limit: 1_000, ...(cursor ? { cursor } : {}) });
    for (const { name } of structured.skills as { name: string }[]) names.add(name);
    expect(structured.problems).toEqual([]);
    cursor = structured.next_cursor;
  } while (cursor !== null);
  expect(names.size).toBe(SKILLS);
  const files = Array.from({ length: 50 }, () => server.call('read_skill_file', { skill: 's7', path: 'notes.md' }));
  expect(new Set((await Promise.all(files)).map(({ text }) => text))).toEqual(new Set(['the notes']));
  world.skill('root/g39/s1999', { body: 'edited\n' });
  await expect.poll(async () => (await server.call('skill', { name: 's1999' })).text).toContain('edited');
  expect(server.stderr()).not.toMatch(/EMFILE|Cannot/);
});

const PROGRAM = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

test('`serve` with `ulimit -n 64` starts, and answers many clients from 2,000 skills (F6)', async () => {
  const world = createSkillWorld();
  for (let index = 0; index < SKILLS; index += 1) world.skill(`root/g${index % 40}/s${index}`);
  const options = ['--root', world.at('root'), '--data', world.at('data')];
  const environment = { PATH: process.env.PATH, HOME: world.folder('home') };
  const server = await startServeProcess(options, environment, 'ulimit -n 64');
  onTestFinished(server.kill);
  // More connections at a time than there are descriptors are none that a server could hold.
  for (let first = 0; first < SKILLS; first += 500) {
    const names = Array.from({ length: 25 }, (_, client) => `s${first + client * 20}`);
    const answers = await Promise.all(names.map((name) => server.ask(`/api/documents/${name}`)));
    expect(answers.map(({ status, text }) => [status, JSON.parse(text).name])).toEqual(
      names.map((name) => [200, name]),
    );
  }
  const invoked = await server.ask('/api/typed-skills/goal_decomposition/invoke', { body: '{"goal":"Move to Graz"}' });
  expect(invoked.status).toBe(200);
  expect((await server.ask('/ready')).status).toBe(200);
  expect(server.stderr()).not.toMatch(/EMFILE|Cannot/);
});

test('`serve` that may open too few files says how many, and how to let it open more (F6)', () => {
  const world = createSkillWorld();
  world.skill('root/a');
  const command = `ulimit -n 32; exec "$0" "$@" serve --root "$ROOT" --data "$ROOT/../data" --port 0`;
  const environment = { PATH: process.env.PATH, HOME: world.folder('home'), ROOT: world.at('root') };
  const { status, stdout, stderr } = spawnSync('sh', ['-c', command, process.execPath, PROGRAM], {
    env: environment,
    encoding: 'utf8',
    timeout: PATIENCE_MS,
  });
  const said =
    'Cannot run: this process may open only 32 files at a time; raise the limit with "ulimit -n 1024" in the shell';
  expect([status, stdout, stderr]).toEqual([1, '', `${said} that starts it\n`]);
});
