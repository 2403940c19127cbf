// Long payloads in the log: a page shows their beginnings and ends by bytes, one invocation has them whole (H2, X7).
import { beforeEach, describe, expect, test } from 'vitest';
import type { Invocation, InvocationResult } from '../../../src/skills/define/invocation.ts';
import type { InvocationLog, LoggedInvocation } from '../../../src/skills/record/invocation-log.ts';
import { plain } from '../../../src/store/sql.ts';
import { onDatabase } from './on-database.ts';
import { failureOf, invocationOf, logRun, moment, successOf } from './store-world.ts';
import { useStoreWorld } from './use-store-world.ts';

const world = useStoreWorld();

/** So many bytes as JSON. */
const payloadOf = (bytes: number, letter = 'x') => ({ text: letter.repeat(bytes - '{"text":""}'.length) });

function answering(invocation: Invocation, outputPayload: Readonly<Record<string, unknown>>): InvocationResult {
  return { ...successOf(invocation), success: true, outputPayload };
}

async function listAll(log: InvocationLog, limit: number) {
  const pages: (readonly LoggedInvocation[])[] = [];
  let cursor: string | undefined;
  do {
    const page = await log.list({ limit, ...(cursor !== undefined && { cursor }) });
    pages.push(page.invocations);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return pages;
}

describe.each(['memory', 'sqlite', 'postgres'] as const)('on %s', (kind) => {
  let log: InvocationLog;
  beforeEach(async () => {
    log = (await world.logs(kind)).invocations;
  });

  test('a list shows a long input and output cut, and says how long they are; one invocation has them whole (A5)', async () => {
    const invocation = invocationOf({ inputPayload: payloadOf(500_000, 'é') });
    const result = answering(invocation, payloadOf(3_000_000));
    await logRun(log, invocation, result);
    const { invocations } = await log.list({ limit: 5 });
    expect(invocations).toEqual([
      {
        invocation: {
          ...invocation,
          status: 'completed',
          inputPayload: { cut: true, bytes: 999_989, begins: `{"text":"${'é'.repeat(191)}` },
        },
        result: answering(invocation, { cut: true, bytes: 3_000_000, begins: `{"text":"${'x'.repeat(191)}` }),
      },
    ]);
    expect(await log.find(invocation.id)).toEqual({ invocation: { ...invocation, status: 'completed' }, result });
  });

  test('details of a failure are cut the same way, with its code, message and status as they are (A5)', async () => {
    const invocation = invocationOf({ status: 'timeout' });
    const failed = failureOf(invocation, 'TIMEOUT');
    if (failed.success) throw new Error('it should have failed');
    const result = { ...failed, failure: { ...failed.failure, details: payloadOf(20_000) } };
    await logRun(log, invocation, result);
    const [listed] = (await log.list({ limit: 5, status: 'timeout' })).invocations;
    const details = { cut: true, bytes: 20_000, begins: expect.stringMatching(/^\{"text":"x{191}$/) };
    expect(listed).toEqual({
      invocation,
      result: { ...result, failure: { ...result.failure, details } },
    });
    expect((await log.find(invocation.id))?.result).toEqual(result);
  });

  test('up to 8 KB a payload is whole, whatever it is made of; half a character is not shown (A5)', async () => {
    const numbers = Array.from({ length: 4_095 }, () => 7);
    const most = invocationOf({ inputPayload: payloadOf(8_192), timestamp: moment(3) });
    const many = invocationOf({ inputPayload: numbers, timestamp: moment(2) });
    const odd = invocationOf({ inputPayload: [`${'x'.repeat(197)}${'👋'.repeat(3_000)}`], timestamp: moment(1) });
    for (const each of [most, many, odd]) await logRun(log, each);
    const inputs = (await log.list({ limit: 5 })).invocations.map(({ invocation }) => invocation.inputPayload);
    expect(inputs).toEqual([payloadOf(8_192), numbers, { cut: true, bytes: 12_201, begins: `["${'x'.repeat(197)}` }]);
  });

  test('a page ends by bytes as well as by rows, and the next goes on behind it (A5)', async () => {
    const all = Array.from({ length: 320 }, (_, index) =>
      invocationOf({ inputPayload: payloadOf(8_000), timestamp: moment(Math.floor(index / 7)) }),
    );
    await Promise.all(all.map((each) => logRun(log, each, answering(each, payloadOf(8_000)))));
    const pages = await listAll(log, 1_000);
    expect(pages.length).toBeGreaterThan(1);
    for (const page of pages) expect(JSON.stringify(page).length).toBeLessThan(2.2 * 2 ** 20);
    // The usual page is never shortened.
    expect(pages[0]?.length).toBeGreaterThan(50);
    const ids = pages.flat().map(({ invocation }) => invocation.id);
    expect([...ids].sort()).toEqual(all.map(({ id }) => id).sort());
  });

  test('a run that has not ended shows its input cut, and nothing else; its end is added to it (A5)', async () => {
    const invocation = invocationOf({ inputPayload: payloadOf(9_000) });
    await log.begin(invocation);
    const shown = { ...invocation, inputPayload: { cut: true, bytes: 9_000, begins: expect.any(String) } };
    expect((await log.list({ limit: 5 })).invocations).toEqual([{ invocation: shown, result: undefined }]);
    await log.end(invocation, successOf(invocation));
    expect((await log.list({ limit: 5 })).invocations).toEqual([
      { invocation: { ...shown, status: 'completed' }, result: successOf(invocation) },
    ]);
  });

  test('asked for by their ids, those that there are come, cut; of none, none (A5)', async () => {
    const [first, second] = [invocationOf({ inputPayload: payloadOf(9_000) }), invocationOf()];
    await Promise.all([logRun(log, first), logRun(log, second), logRun(log, invocationOf())]);
    const idsBy = async (ids: readonly string[]) =>
      (await log.list({ limit: 5, ids })).invocations.map(({ invocation }) => invocation.id).sort();
    expect(await idsBy([second.id, first.id.toUpperCase(), 'none'])).toEqual([first.id, second.id].sort());
    expect(await idsBy([])).toEqual([]);
    expect(await idsBy(['none'])).toEqual([]);
  });
});

describe.each(['sqlite', 'postgres'] as const)('on %s', (kind) => {
  test('what goes leaves nothing of its long payloads behind (X7)', async () => {
    const place = await world.place(kind);
    const store = world.open(place);
    const invocation = invocationOf({ inputPayload: payloadOf(9_000) });
    await logRun(store.invocations, invocation, answering(invocation, payloadOf(9_000)));
    const count = () =>
      onDatabase(place, async (database) => {
        const rows = await database.read(
          plain('SELECT (SELECT count(*) FROM skill_long_inputs) + (SELECT count(*) FROM skill_long_results) AS rows'),
        );
        return Number(rows[0]?.rows);
      });
    expect(await count()).toBe(2);
    expect(await store.prune(moment(60_000))).toMatchObject({ invocations: 1 });
    expect(await count()).toBe(0);
  });

  test('long payloads that an earlier version wrote are cut, too (A5, X7)', async () => {
    const place = await world.place(kind);
    const store = world.open(place);
    const invocation = invocationOf({ inputPayload: payloadOf(300_000) });
    const random = Array.from({ length: 20_000 }, () => Math.random());
    await logRun(store.invocations, invocation, answering(invocation, { random }));
    await onDatabase(place, (database) =>
      database.write(function* () {
        yield plain('DELETE FROM skill_long_inputs');
        yield plain('DELETE FROM skill_long_results');
      }),
    );
    const [listed] = (await store.invocations.list({ limit: 5 })).invocations;
    expect(listed?.result).toMatchObject({ durationMs: 12, outputPayload: { cut: true, begins: '' } });
    expect((await store.invocations.find(invocation.id))?.result).toMatchObject({ outputPayload: { random } });
  });
});
