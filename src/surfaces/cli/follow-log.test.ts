// What a follower answers: everything new and every change, each once (C).
import { describe, expect, test } from 'vitest';
import type { InvocationLog, InvocationQuery, LoggedInvocation } from '../../skills/record/invocation-log.ts';
import { createMemoryInvocationLog, createMemoryLoadLog } from '../../store/fixtures/memory.ts';
import { exampleInvocation, exampleLoad } from './fixtures/example-log.ts';
import { createFollower, invocationSource, loadSource } from './follow-log.ts';

const START = new Date('2026-01-31T12:00:00Z');
const at = (seconds: number) => new Date(START.getTime() + seconds * 1_000);

/** Writes down an entry in the state that it has. */
async function record(log: InvocationLog, { invocation, result }: LoggedInvocation): Promise<void> {
  if (result === undefined) await log.begin(invocation);
  else await log.end(invocation, result);
}

function follow(log: InvocationLog, filter: Omit<InvocationQuery, 'limit'> = {}) {
  const follower = createFollower(invocationSource(log, filter), START);
  const poll = async () =>
    (await follower.poll()).map(({ invocation }) => `${Number(invocation.id.slice(-12))} ${invocation.status}`);
  return { follower, poll };
}

describe('a follower of invocations', () => {
  test('answers what is new, oldest first, once', async () => {
    const log = createMemoryInvocationLog();
    const { poll } = follow(log);
    expect(await poll()).toEqual([]);
    await record(log, exampleInvocation({ number: 2, timestamp: at(2) }));
    await record(log, exampleInvocation({ number: 1, timestamp: at(1) }));
    expect(await poll()).toEqual(['1 completed', '2 completed']);
    expect(await poll()).toEqual([]);
  });

  test('answers an entry again when its state has changed, also a long time later', async () => {
    const log = createMemoryInvocationLog();
    const { poll } = follow(log);
    await poll();
    await record(log, exampleInvocation({ number: 1, timestamp: at(1), ending: 'running' }));
    expect(await poll()).toEqual(['1 running']);
    await record(log, exampleInvocation({ number: 2, timestamp: at(200) }));
    expect(await poll()).toEqual(['2 completed']);
    expect(await poll()).toEqual([]);
    await record(log, exampleInvocation({ number: 1, timestamp: at(1), ending: 'TIMEOUT' }));
    expect(await poll()).toEqual(['1 timeout']);
    expect(await poll()).toEqual([]);
  });

  test('sees the end of what ran before it began', async () => {
    const log = createMemoryInvocationLog();
    await record(log, exampleInvocation({ number: 1, timestamp: at(-250), ending: 'running' }));
    const { poll } = follow(log);
    expect(await poll()).toEqual([]);
    await record(log, exampleInvocation({ number: 1, timestamp: at(-250), ending: 'NOT_FOUND' }));
    expect(await poll()).toEqual(['1 failed']);
  });

  test('with a status sees what comes to it later', async () => {
    const log = createMemoryInvocationLog();
    const { poll } = follow(log, { status: 'failed' });
    await poll();
    await record(log, exampleInvocation({ number: 1, timestamp: at(1), ending: 'running' }));
    expect(await poll()).toEqual([]);
    await record(log, exampleInvocation({ number: 2, timestamp: at(100), ending: 'NOT_FOUND' }));
    expect(await poll()).toEqual(['2 failed']);
    await record(log, exampleInvocation({ number: 1, timestamp: at(1), ending: 'NOT_FOUND' }));
    expect(await poll()).toEqual(['1 failed']);
  });

  test('with a failure code sees what fails with it later, and nothing else (X8)', async () => {
    const log = createMemoryInvocationLog();
    const { poll } = follow(log, { failureCode: 'NOT_FOUND' });
    await poll();
    await record(log, exampleInvocation({ number: 1, timestamp: at(1), ending: 'running' }));
    await record(log, exampleInvocation({ number: 2, timestamp: at(2), ending: 'TIMEOUT' }));
    expect(await poll()).toEqual([]);
    await record(log, exampleInvocation({ number: 1, timestamp: at(1), ending: 'NOT_FOUND' }));
    expect(await poll()).toEqual(['1 failed']);
  });

  test('with a status reads no further back than without one', async () => {
    const log = createMemoryInvocationLog();
    const moments: (Date | undefined)[] = [];
    const list = (query: InvocationQuery) => {
      moments.push(query.since);
      return log.list(query);
    };
    const { poll } = follow({ ...log, list }, { status: 'failed' });
    await record(log, exampleInvocation({ number: 1, timestamp: at(100) }));
    await poll();
    await poll();
    expect(moments.at(-1)).toEqual(at(95));
  });

  test('keeps to its other filters', async () => {
    const log = createMemoryInvocationLog();
    const { poll } = follow(log, { skill: 'sum' });
    await record(log, exampleInvocation({ number: 1, timestamp: at(1) }));
    await record(log, exampleInvocation({ number: 2, timestamp: at(1), skillName: 'sum' }));
    expect(await poll()).toEqual(['2 completed']);
  });

  test('sees what another process committed a little late', async () => {
    const log = createMemoryInvocationLog();
    const { poll } = follow(log);
    await record(log, exampleInvocation({ number: 1, timestamp: at(4) }));
    await poll();
    await record(log, exampleInvocation({ number: 2, timestamp: at(1) }));
    expect(await poll()).toEqual(['2 completed']);
  });

  test('reads more than one page', async () => {
    const log = createMemoryInvocationLog();
    const { poll } = follow(log);
    for (let number = 1; number <= 1_500; number++) {
      await record(log, exampleInvocation({ number, timestamp: at(number / 1_000) }));
    }
    expect(await poll()).toHaveLength(1_500);
  });

  test('leaves out what was shown otherwise', async () => {
    const log = createMemoryInvocationLog();
    const { follower, poll } = follow(log);
    const shown = exampleInvocation({ number: 1, timestamp: at(1) });
    await record(log, shown);
    await record(log, exampleInvocation({ number: 2, timestamp: at(1) }));
    follower.skip([shown]);
    expect(await poll()).toEqual(['2 completed']);
  });
});

test('a follower of loads answers each once, all pages of them (D9)', async () => {
  const log = createMemoryLoadLog();
  const follower = createFollower(loadSource(log, { client: 'codex' }), START);
  await log.record([exampleLoad({ loadedAt: at(1) })]);
  const many = Array.from({ length: 1_200 }, (_, index) => new Date(START.getTime() + index));
  await log.record(many.map((loadedAt) => exampleLoad({ client: 'codex', loadedAt })));
  expect(await follower.poll()).toHaveLength(1_200);
  await log.record([exampleLoad({ client: 'codex', skillName: 'new', loadedAt: at(2) })]);
  expect((await follower.poll()).map(({ skillName }) => skillName)).toEqual(['new']);
});
