// The log's policy: a result is durable before the answer, or the loss is counted or refused (X7).
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createLatch } from '../../../tests/support/latch.ts';
import { createMemoryLog } from '../fixtures/memory-log.ts';
import { testSkill } from '../fixtures/test-skill.ts';
import { StoreUnavailable } from '../record/invocation-log.ts';
import type { RuntimeEvent } from '../record/runtime-log.ts';
import { createRuntime } from './runtime.ts';

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
    const [asked, durable] = [createLatch(), createLatch()];
    const end = log.end;
    log.end = async (...args) => {
      asked.open();
      await durable.opened;
      await end(...args);
    };
    let answered = false;
    const answer = invoke().then(() => {
      answered = true;
    });
    await asked.opened;
    await new Promise((resolve) => setImmediate(resolve));
    expect(answered).toBe(false);
    durable.open();
    await answer;
    expect(log.ended).toHaveLength(1);
  });

  test('does not wait for ever for a log that does not answer (F13)', async () => {
    vi.useFakeTimers();
    const { invoke, log, runtime } = open('best_effort');
    log.end = () => new Promise(() => {});
    const answer = invoke();
    await vi.advanceTimersByTimeAsync(40_000);
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

test('required ends the record of a call whose begin reached the log too late (X2, X7)', async () => {
  const { invoke, log, run, runtime } = open('required');
  const begin = log.begin;
  // As a slow commit does: the writer has given up, the row is written all the same.
  log.begin = async (invocation) => {
    await begin(invocation);
    throw new StoreUnavailable('the store took too long');
  };
  expect(await invoke()).toMatchObject({ failure: { code: 'PERSISTENCE_ERROR' } });
  expect(run).not.toHaveBeenCalled();
  expect(log.begun).toHaveLength(1);
  expect(log.ended).toMatchObject([
    { invocation: { id: log.begun[0]?.id, status: 'failed' }, result: { failure: { code: 'PERSISTENCE_ERROR' } } },
  ]);
  expect(runtime.lost()).toBe(0);
});

test('required does not wait for the end of what it did not begin (H6)', async () => {
  // No time passes: it answers without a wait, or never.
  vi.useFakeTimers();
  const { invoke, log } = open('required');
  log.fail('begin');
  log.end = () => new Promise(() => {});
  expect(await invoke()).toMatchObject({ failure: { code: 'PERSISTENCE_ERROR' } });
});

describe('how many were lost (X7)', () => {
  const burst = (invoke: () => Promise<unknown>) => Promise.all(Array.from({ length: 500 }, invoke));

  test('is said when the log is back, once', async () => {
    const { invoke, log, lines } = open('best_effort');
    log.fail('both');
    await burst(invoke);
    log.fail('none');
    await invoke();
    await invoke();
    expect(lines.map(({ message, lost }) => [message, lost])).toEqual([
      ['Cannot record invocations: the store is away', 1],
      ['Invocations are recorded again', 500],
    ]);
  });

  test('is said at the end when the log did not come back', async () => {
    const { invoke, log, lines, runtime } = open('best_effort');
    log.fail('both');
    await burst(invoke);
    await runtime.close();
    expect(lines.slice(1)).toEqual([{ level: 'warn', message: 'Not all invocations were recorded', lost: 500 }]);
  });

  test('is not said again when it was said already', async () => {
    const { invoke, log, lines, runtime } = open('best_effort');
    log.fail('both');
    await invoke();
    await runtime.close();
    expect(lines).toHaveLength(1);
  });
});
