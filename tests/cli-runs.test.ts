// `repertoire runs`, `schedules` and `invoke --async` as a user meets them, on a real store (J2, J3, J7, J8).
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type CliWorld, createCliWorld } from './cli-world.ts';
import { startServeProcess } from './support/serve-process.ts';
import { write } from './support/write-skill.ts';

const library = fileURLToPath(new URL('../dist/lib/skills.js', import.meta.url));

const CONFIG = `
import { defineSkill } from ${JSON.stringify(library)};
const text = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };
const skill = (name, more) => defineSkill({
  name, description: 'For a test.', category: 'execution', input: text, output: text,
  run: async ({ text }) => ({ text: text.toUpperCase() }), ...more,
});
export default {
  skills: [skill('work', { durable: {} }), skill('careful', { approval: 'required' })],
  schedules: [
    { name: 'nightly', skill: 'work', input: { text: 'hi' }, cron: '0 3 * * *', timezone: 'UTC' },
    { name: 'odd', skill: 'work', cron: 'never' },
  ],
};
`;

let world: CliWorld;
let place: readonly string[];
let config: readonly string[];
beforeEach(() => {
  world = createCliWorld();
  const file = join(world.project, 'runs.config.mjs');
  write(file, CONFIG);
  place = ['--data', join(world.home, 'data')];
  config = ['--config', file, '--builtin', 'none', ...place];
});
afterEach(() => world.remove());

const invoke = (name: string, ...more: readonly string[]) =>
  world.run(['invoke', name, '--input', '{"text": "hi"}', ...config, ...more]);
const runs = (...words: readonly string[]) => world.run(['runs', ...words, ...place]);

test('invoke carries its own durable run out and waits; a key gives the same run again (J2, J3)', () => {
  const first = invoke('work', '--json', '--idempotency-key', 'k1');
  expect(first).toMatchObject({ code: 0, stderr: '' });
  const answer = JSON.parse(first.stdout);
  expect(answer).toMatchObject({ success: true, output_payload: { text: 'HI' } });
  const again = JSON.parse(invoke('work', '--json', '--idempotency-key', 'k1').stdout);
  expect(again.invocation_id).toBe(answer.invocation_id);
  const listed = JSON.parse(runs('--json').stdout);
  expect(listed.runs).toMatchObject([{ id: answer.invocation_id, status: 'completed', attempts: [{ attempt: 1 }] }]);
  expect(runs('show', answer.invocation_id).stdout).toContain('"text": "HI"');
  expect(runs('cancel', answer.invocation_id)).toMatchObject({ code: 1, stderr: expect.stringContaining('has ended') });
  expect(invoke('work', '--no-log', '--idempotency-key', 'k1').code).toBe(1);
});

test('invoke --async stores the run, says so, and leaves it to a server, which carries it out (J2)', async () => {
  const stored = invoke('work', '--async');
  expect(stored).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('a server that uses this store carries it out'),
  });
  const id = stored.stdout.trim();
  expect(runs('--state', 'unfinished').stdout).toMatch(new RegExp(`^${id}\\tpending\\twork\\t0\\t`));
  const server = await startServeProcess([...config], world.environment);
  try {
    await expect
      .poll(async () => JSON.parse((await server.ask(`/api/invocations/${id}`)).text).invocation.status)
      .toBe('completed');
  } finally {
    expect(await server.stop()).toBe(0);
  }
});

test('runs cancels, approves and rejects, once each (J2, J8)', () => {
  const [first, second, third] = [0, 1, 2].map((n) =>
    invoke('careful', '--async', '--idempotency-key', `k${n}`).stdout.trim(),
  );
  expect(JSON.parse(runs('--state', 'waiting', '--json').stdout).runs).toHaveLength(3);
  expect(runs('approve', String(first), '--message', 'fine')).toMatchObject({ code: 0, stdout: '' });
  expect(runs('approve', String(first))).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('decided on before'),
  });
  expect(runs('reject', String(second), '--message', 'not today').code).toBe(0);
  expect(runs('show', String(second)).stdout).toContain('UNAUTHORIZED: Access denied: the run was rejected: not today');
  expect(runs('cancel', String(third)).code).toBe(0);
  expect(JSON.parse(runs('show', String(third), '--json').stdout)).toMatchObject({
    status: 'failed',
    cancelled: true,
    result: { failure_details: { cancelled: true } },
  });
  expect(runs('show', String(second)).stdout).toMatch(/^attempts +none$/m);
  const { entries } = JSON.parse(world.run(['trail', '--json', ...place]).stdout);
  expect(entries.map(({ action }: { action: string }) => action)).toEqual(['run.reject', 'run.approve']);
});

test('a run that waits is shown with what it was called with, and is named by its first digits (J8)', () => {
  const id = invoke('careful', '--async').stdout.trim();
  const shown = runs('show', id.slice(0, 8));
  expect(shown).toMatchObject({ code: 0, stdout: expect.stringMatching(/^attempts +none yet$/m) });
  expect(shown.stdout).toContain('input\n  {\n    "text": "hi"\n  }\n');
  expect(runs('approve', id.slice(0, 8))).toMatchObject({
    code: 0,
    stderr: expect.stringContaining(`${id} is approved`),
  });
  expect(runs('cancel', id.slice(0, 4))).toMatchObject({ code: 0, stderr: expect.stringContaining(id) });
  const none = id.startsWith('0000') ? '1111' : '0000';
  expect(runs('reject', none)).toMatchObject({ code: 1, stderr: expect.stringContaining('there is none') });
});

test('schedules shows next times, and tells of a bad one by name (J7)', () => {
  const shown = world.run(['schedules', ...config]);
  expect(shown.stdout).toMatch(/^nightly\twork\t0 3 \* \* \*\tUTC\t\d{4}-\d\d-\d\dT03:00:00\.000Z\t$/m);
  expect(shown).toMatchObject({ code: 1, stderr: expect.stringContaining('Cannot use the schedule "odd"') });
});

test('wrong usage is said in a sentence (C)', () => {
  expect(runs('explode')).toMatchObject({ code: 2, stderr: expect.stringContaining('Unknown action "explode"') });
  expect(runs('show')).toMatchObject({ code: 2, stderr: expect.stringContaining('needs an ID') });
  expect(runs('show', 'xyzw')).toMatchObject({ code: 2, stderr: expect.stringContaining('not the id of a run') });
  expect(runs('show', 'abc')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('at least the first 4 digits'),
  });
  expect(runs('list', '--message', 'x')).toMatchObject({ code: 2, stderr: expect.stringContaining('does not apply') });
  expect(invoke('work', '--wait', '3')).toMatchObject({ code: 2, stderr: expect.stringContaining('--async') });
  expect(runs('show', '5f0c3a52-9d1e-4b7a-8c66-2e1f0d9b7a34').code).toBe(1);
});
