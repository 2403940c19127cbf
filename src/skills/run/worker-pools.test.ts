// Worker skills: what a process of theirs does wrong costs its call, never the server (DESIGN 6, F14).
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { secret } from '../define/secret.ts';
import { testSkill } from '../fixtures/test-skill.ts';
import { startProcess } from '../process/started-process.ts';
import type { RuntimeEvent } from '../record/runtime-log.ts';
import { createRuntime } from './runtime.ts';
import { createWorkerPools } from './worker-pools.ts';

const module = new URL('../fixtures/worker-skills.mjs', import.meta.url);
const lines: RuntimeEvent[] = [];

const workerSkill = (name: string, changes: object = {}) =>
  testSkill({
    name: name.toLowerCase(),
    input: z.object({ n: z.number(), token: secret(z.string()).optional() }),
    output: z.object({ n: z.number() }),
    isolation: 'worker',
    module,
    exportName: name,
    // Long enough for a process to start on any machine.
    timeoutSeconds: 170,
    ...changes,
  });

const runtime = createRuntime({
  skills: [
    workerSkill('default'),
    workerSkill('spin', { timeoutSeconds: 1 }),
    workerSkill('never', { timeoutSeconds: 1 }),
    workerSkill('spin', { name: 'spin_on' }),
    workerSkill('missing', { failureModes: ['NOT_FOUND'] }),
    ...['exhaustMemory', 'explode', 'leave', 'unclonable', 'nobody', 'forget'].map((name) => workerSkill(name)),
    workerSkill('absent', { module: new URL('./fixtures/there-is-no-such.mjs', import.meta.url) }),
  ],
  log: (line) => lines.push(line),
});

const invoke = (name: string, input: object = { n: 21 }) => runtime.invoke({ name, input });

afterEach(() => void vi.restoreAllMocks());
afterAll(() => runtime.close());

describe('a worker skill', () => {
  test('runs in a process of its own', async () => {
    expect(runtime.problems).toEqual([]);
    expect(await invoke('default')).toMatchObject({ success: true, outputPayload: { n: 42 } });
  });

  test('returns a failure as a value', async () => {
    expect(await invoke('missing')).toMatchObject({
      failure: { code: 'NOT_FOUND', message: 'Resource not found: task 5' },
    });
  });

  test.each(['spin', 'never'])('%s: is ended at its limit, and others run meanwhile (F14)', async (name) => {
    const stuck = invoke(name);
    expect(await invoke('default')).toMatchObject({ success: true });
    expect(await stuck).toMatchObject({ failure: { code: 'TIMEOUT' } });
  });

  test('four endless loops at once make room for the next calls', async () => {
    const stuck = await Promise.all(Array.from({ length: 4 }, () => invoke('spin')));
    expect(stuck.map((answer) => !answer.success && answer.failure.code)).toEqual(Array(4).fill('TIMEOUT'));
    expect(await Promise.all(Array.from({ length: 4 }, () => invoke('default')))).toMatchObject(
      Array(4).fill({ success: true }),
    );
  });

  test('calls of another skill do not wait behind endless loops of the same module', async () => {
    const stop = new AbortController();
    const spin = () => runtime.invoke({ name: 'spin_on', input: { n: 1 }, signal: stop.signal });
    let ended = 0;
    const stuck = Array.from({ length: 4 }, () => spin().finally(() => (ended += 1)));
    expect(await invoke('default')).toMatchObject({ success: true });
    expect(ended).toBe(0);
    stop.abort();
    await Promise.all(stuck);
  });

  test('a fifth call at once is refused, not queued', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => invoke('default')));
    expect(answers.map((answer) => answer.success || answer.failure.code)).toEqual([
      true,
      true,
      true,
      true,
      'RATE_EXCEEDED',
    ]);
  });

  test.each(['exhaustmemory', 'explode', 'leave', 'unclonable', 'nobody', 'absent'])(
    '%s: INTERNAL_ERROR, and the next call works (F14)',
    async (name) => {
      expect(await invoke(name, { n: 1, token: 'tok-in-a-process' })).toMatchObject({
        failure: { code: 'INTERNAL_ERROR', details: undefined },
      });
      expect(await invoke('default')).toMatchObject({ success: true });
      expect(JSON.stringify(lines)).not.toContain('tok-in-a-process');
    },
  );

  test('that leaves failing work behind hurts nobody', async () => {
    expect(await invoke('forget')).toMatchObject({ success: true });
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await invoke('default')).toMatchObject({ success: true });
  });
});

describe('what a worker skill prints', () => {
  const printing = (exportName: string, token: string) => {
    const told: RuntimeEvent[] = [];
    const own = createRuntime({ skills: [workerSkill(exportName)], log: (line) => told.push(line) });
    const name = exportName.toLowerCase();
    const call = (n: number) => own.invoke({ name, input: { n, token } });
    return { call, told, close: () => own.close() };
  };

  test('is told by the log, under its name and without its secrets; nothing is written (T9)', async () => {
    const written = [vi.spyOn(process.stdout, 'write'), vi.spyOn(process.stderr, 'write')];
    const { call, told, close } = printing('chatter', 'marked as a secret');
    expect(await call(1)).toMatchObject({ outputPayload: { n: 1 } });
    await close();
    expect(told.every(({ level, skill }) => level === 'info' && skill === 'chatter')).toBe(true);
    expect(told.map(({ message, text }) => `${message}: ${text}`).toSorted()).toEqual([
      'The skill "chatter" printed: key [redacted] and [redacted]',
      'The skill "chatter" printed: nor this',
      'The skill "chatter" printed: this must not reach standard output',
    ]);
    for (const write of written) expect(write).not.toHaveBeenCalled();
  });

  test('is bounded over its calls: 200 lines, then one event with the number of bytes', async () => {
    const written = vi.spyOn(process.stderr, 'write');
    const { call, told, close } = printing('babble', '');
    const answers = await Promise.all([call(1), call(2), call(3), call(4)]);
    expect(answers.map(({ success }) => success)).toEqual([true, true, true, true]);
    await close();
    expect(told.filter(({ text }) => text !== undefined)).toHaveLength(200);
    expect(told.slice(200)).toEqual([
      {
        level: 'info',
        message: 'The skill "babble" printed more than is passed on',
        skill: 'babble',
        left_out_bytes: 4 * 1_000 * 60 - 200 * 60,
      },
    ]);
    expect(written).not.toHaveBeenCalled();
  });

  test('reaches neither standard output nor standard error of a program without a log', () => {
    const program = fileURLToPath(new URL('../fixtures/printing-worker.ts', import.meta.url));
    const { stdout, stderr, status } = spawnSync(process.execPath, ['--import', 'tsx', program], { encoding: 'utf8' });
    expect({ stdout, stderr, status }).toEqual({ stdout: '{"n":1}', stderr: '', status: 0 });
  });
});

test('a process that did not start is started anew by the next call, and does not hinder the end', async () => {
  let started = 0;
  const pools = createWorkerPools(
    () => {},
    async (...how) => {
      started += 1;
      if (started !== 2) throw new Error('no processes left');
      return await startProcess(...how);
    },
  );
  const { signal } = new AbortController();
  const run = (skill: string) =>
    pools.run({ skill, module, exportName: 'default', environment: [], input: { n: 1 }, signal, scrub: String });
  await expect(run('one')).rejects.toThrow('no processes left');
  expect(await run('one')).toEqual({ n: 2 });
  const third = run('two');
  await Promise.all([expect(third).rejects.toThrow('no processes left'), pools.close()]);
});
