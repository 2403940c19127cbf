// How often a slow store is asked: all windows together, SQLite and PostgreSQL, answers and failures (F10, H6).
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { agentCaller, type Caller, LOCAL_OPERATOR } from '../../../identity/caller.ts';
import type { OverviewLog } from '../../../skills/record/overview-log.ts';
import type { Handlers } from './handler.ts';
import { type OverviewParts, overviewHandlers } from './overview.ts';

const NOTHING = { successCount: 0, failureCount: 0, failures: {}, loads: 0, durationMs: undefined };
const LISTS = { series: [], busiest: [], mostFailing: [], mostLoaded: [], replicas: [] };

beforeEach(() => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
});

/** A store each of whose answers takes so long; `ask` answers the status, `looks` how often it was asked. */
function openSlow(tookMs: number, kind: OverviewLog['kind'] = 'sqlite') {
  const store = { isAway: false, looks: 0 };
  const read = async () => {
    store.looks += 1;
    await new Promise((resolve) => setTimeout(resolve, tookMs));
    if (store.isAway) throw new Error('away');
    return { stepSeconds: 60, totals: NOTHING, ...LISTS };
  };
  const repertoire: object = { snapshot: { problems: [], skills: [] }, for: () => repertoire };
  const parts = {
    overview: { kind, read },
    repertoire,
    runtime: { skills: [skillFor('Clerk'), skillFor('Courier')], problems: [] },
    readiness: async () => ({ status: 'ready', reasons: [] }),
    now: () => new Date(),
    monotonicMs: () => Date.now(),
  } as unknown as OverviewParts;
  const { getOverview } = overviewHandlers(parts);
  const replyTo = (caller: Caller, window: string) => {
    const call = { admitted: { caller }, query: { window } };
    return getOverview(call as Parameters<Handlers['getOverview']>[0]);
  };
  const ask = async (window: string): Promise<number | string> => {
    const reply = await replyTo(LOCAL_OPERATOR, window);
    return 'code' in reply ? reply.code : 'status' in reply ? reply.status : 'stream';
  };
  return { store, ask, replyTo };
}

const skillFor = (role: string) => ({ access: { assignedTo: [role] } });

const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);

test('all windows share one rest: twenty times as long as the look before took (F10)', async () => {
  const { ask, store } = openSlow(100);
  const answers = ['1h', '2h', '3h'].map(ask);
  await pass(2_050);
  expect(store.looks).toBe(1);
  await pass(100);
  expect(store.looks).toBe(2);
  await pass(2_100);
  expect(store.looks).toBe(3);
  await pass(100);
  expect(await Promise.all(answers)).toEqual([200, 200, 200]);
});

test('while nobody may look, a window that was seen is answered at once (F10)', async () => {
  const { ask, store } = openSlow(100);
  const first = ask('1h');
  await pass(100);
  await first;
  await pass(1_900);
  expect(await ask('1h')).toBe(200);
  expect(store.looks).toBe(1);
});

test('whoever asks for ever other windows is told to come again (F10)', async () => {
  const { ask, store } = openSlow(100);
  const answers = Array.from({ length: 10 }, (_, index) => ask(`${index + 1}h`));
  await pass(60_000);
  const statuses = await Promise.all(answers);
  expect(statuses.filter((status) => status === 'RATE_EXCEEDED')).toHaveLength(10 - store.looks);
  expect(store.looks).toBeLessThanOrEqual(6);
});

test('of more windows than are kept, the one that was asked for longest ago goes (F10)', async () => {
  const { ask, store } = openSlow(0);
  for (let hour = 1; hour <= 20; hour++) await Promise.all([ask(`${hour}h`), pass(0)]);
  await ask('1h');
  await Promise.all([ask('21h'), pass(0)]);
  await ask('1h');
  expect(store.looks).toBe(21);
  await Promise.all([ask('2h'), pass(0)]);
  expect(store.looks).toBe(22);
});

test('a failure is kept a second, however long it took (H6)', async () => {
  const { ask, store } = openSlow(2_000);
  store.isAway = true;
  const failed = expect(ask('1h')).rejects.toThrow('away');
  await pass(2_000);
  await failed;
  store.isAway = false;
  await pass(1_000);
  const answer = ask('1h');
  await pass(2_000);
  expect([await answer, store.looks]).toEqual([200, 2]);
});

test('PostgreSQL works elsewhere and needs no rest', async () => {
  const { ask, store } = openSlow(100, 'postgres');
  const answers = [ask('1h'), ask('2h')];
  await pass(100);
  await Promise.all(answers);
  await pass(1_000);
  const again = ask('1h');
  await pass(100);
  expect([await again, store.looks]).toEqual([200, 3]);
});

test('of typed skills those are counted that the caller may invoke, as the list of them shows (X10)', async () => {
  const { replyTo } = openSlow(0);
  const countedFor = async (caller: Caller) => {
    const [reply] = await Promise.all([replyTo(caller, '1h'), pass(0)]);
    return 'body' in reply ? JSON.parse(String(reply.body)).skills.typed : reply;
  };
  expect(await countedFor(LOCAL_OPERATOR)).toBe(2);
  expect(await countedFor(agentCaller('Clerk'))).toBe(1);
});
