// The log's policy: a result is durable before the answer, or the loss is counted or refused (X7).
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createMemoryLog } from './fixtures/memory-log.ts';
import { testSkill } from './fixtures/test-skill.ts';
import { createRuntime } from './runtime.ts';
import type { RuntimeEvent } from './runtime-log.ts';

afterEach(() => void vi.useRealTimers());

function open(policy: 'best_effort' | 'required') {
  const lines: RuntimeEvent[] = [];
  const run = vi.fn(() => ({ text: 'ran' }));
  const invocationLog = createMemoryLog();
  let now = 0;
  const runtime = createRuntime({
    skills: [testSkill({ run })],
    invocationLog,
    policy,
    log: (line) => lines.push(line),
    monotonicMs: () => now,
  });
  const pass = (ms: number) => {
    now += ms;
  };
  return {
    runtime,
    run,
    log: invocationLog,
    lines,
    pass,
    invoke: () => runtime.invoke({ name: 'echo', input: { text: '' } }),
  };
}

describe('best_effort (X7)', () => {
  test('runs the skill although the log is down, counts the loss, and says so once a minute', async () => {
    const { invoke, log, lines, runtime, pass } = open('best_effort');
    log.fail('both');
    for (let call = 0; call < 3; call++) expect(await invoke()).toMatchObject({ success: true });
    expect(runtime.lost()).toBe(3);
    expect(lines).toEqual([{ level: 'warn', message: 'Cannot record invocations: the store is away', lost: 1 }]);
    pass(60_000);
    await invoke();
    expect(lines).toHaveLength(2);
    expect(lines[1]?.lost).toBe(4);
  });

  test('answers only when the end is durable', async () => {
    const { invoke, log } = open('best_effort');
    let durable = () => {};
    const end = log.end;
    log.end = async (...args) => {
      await new Promise<void>((resolve) => {
        durable = resolve;
      });
      await end(...args);
    };
    let answered = false;
    const answer = invoke().then(() => {
      answered = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(answered).toBe(false);
    durable();
    await answer;
    expect(log.ended).toHaveLength(1);
  });

  test('does not wait for ever for a log that does not answer (F13)', async () => {
    vi.useFakeTimers();
    const { invoke, log, runtime } = open('best_effort');
    log.end = () => new Promise(() => {});
    const answer = invoke();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await answer).toMatchObject({ success: true });
    expect(runtime.lost()).toBe(1);
  });
});

describe('required (X7)', () => {
  test('does not run a skill whose begin cannot be recorded', async () => {
    const { invoke, log, run } = open('required');
    log.fail('both');
    expect(await invoke()).toMatchObject({
      failure: { code: 'PERSISTENCE_ERROR', message: 'Database operation failed' },
    });
    expect(run).not.toHaveBeenCalled();
    log.fail('none');
    expect(await invoke()).toMatchObject({ success: true });
  });

  test('says so when a skill ran and its result cannot be recorded', async () => {
    const { invoke, log } = open('required');
    log.fail('end');
    expect(await invoke()).toMatchObject({ failure: { code: 'PERSISTENCE_ERROR', details: { executed: true } } });
  });
});

test('required says why nothing runs, once a minute (X7)', async () => {
  const { invoke, log, lines, run } = open('required');
  log.fail('both');
  for (let call = 0; call < 3; call++) expect(await invoke()).toMatchObject({ failure: { code: 'PERSISTENCE_ERROR' } });
  expect(run).not.toHaveBeenCalled();
  expect(lines).toEqual([{ level: 'warn', message: 'Cannot record invocations: the store is away', lost: 0 }]);
});
