// The log of invocations: one suite for every store (X2, X3, X7).
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { failure } from '../../../src/skills/define/failure.ts';
import type { Invocation } from '../../../src/skills/define/invocation.ts';
import { openRuntime } from '../../../src/skills/fixtures/open-runtime.ts';
import { agentNameOf } from '../../../src/skills/record/invocation-ids.ts';
import { BadCursor, type InvocationLog, type InvocationQuery } from '../../../src/skills/record/invocation-log.ts';
import { failureOf, invocationOf, logRun, moment, successOf } from './store-world.ts';
import { useStoreWorld } from './use-store-world.ts';

const world = useStoreWorld();

const timedOut = (invocation: Invocation) => failureOf(invocation, 'TIMEOUT');

describe.each(['memory', 'sqlite', 'postgres'] as const)('on %s', (kind) => {
  let log: InvocationLog;
  beforeEach(async () => {
    log = (await world.logs(kind)).invocations;
  });

  test('a run that began is running and has no result (X2)', async () => {
    const invocation = invocationOf({ status: 'pending' });
    await log.begin(invocation);
    expect(await log.find(invocation.id)).toEqual({
      invocation: { ...invocation, status: 'running' },
      result: undefined,
    });
  });

  test.each([
    ['completed', successOf],
    ['failed', failureOf],
    ['timeout', timedOut],
  ] as const)('a run that ended is %s, with the result as it was (X2, X3)', async (status, resultFor) => {
    const invocation = invocationOf();
    await log.begin(invocation);
    await log.end({ ...invocation, status }, resultFor(invocation));
    expect(await log.find(invocation.id)).toEqual({
      invocation: { ...invocation, status },
      result: resultFor(invocation),
    });
  });

  test('a run that answers TIMEOUT by itself has failed; only one that its own limit ended is timeout (X2)', async () => {
    const run = () => failure('TIMEOUT', { timeout: 9 });
    const { invoke, runtime } = openRuntime({ run }, { invocationLog: log });
    const { invocationId } = await invoke();
    const overdue = invocationOf({ status: 'timeout', skillName: 'echo' });
    await logRun(log, overdue, timedOut(overdue));
    const idsOf = async (query: Partial<InvocationQuery>) =>
      (await log.list({ limit: 5, ...query })).invocations.map(({ invocation }) => invocation.id);
    expect(await idsOf({ status: 'failed' })).toEqual([invocationId]);
    expect(await idsOf({ status: 'timeout' })).toEqual([overdue.id]);
    // The statistics count codes (X8).
    expect(await idsOf({ failureCode: 'TIMEOUT' })).toHaveLength(2);
    const { skills } = await log.stats({ since: moment(), until: new Date(Date.now() + 1) });
    expect(skills).toMatchObject([{ skillName: 'echo', failureCount: 2, failures: { TIMEOUT: 2 } }]);
    await runtime.close();
  });

  test('a status that does not fit the result is not believed (X2, X3)', async () => {
    const [well, badly] = [invocationOf({ status: 'timeout' }), invocationOf({ status: 'timeout' })];
    await Promise.all([logRun(log, well, successOf(well)), logRun(log, badly, failureOf(badly))]);
    expect((await log.find(well.id))?.invocation.status).toBe('completed');
    expect((await log.find(badly.id))?.invocation.status).toBe('failed');
  });

  test('a failure without details has none afterwards (X3)', async () => {
    const invocation = invocationOf();
    const failure = { code: 'INTERNAL_ERROR', message: 'An unexpected error occurred', details: undefined } as const;
    const result = {
      invocationId: invocation.id,
      success: false,
      failure,
      durationMs: 1,
      timestamp: moment(1),
    } as const;
    await logRun(log, invocation, result);
    expect((await log.find(invocation.id))?.result).toEqual(result);
  });

  test('begin and end may be in the same commit, and end needs no begin (X7)', async () => {
    const [together, alone] = [invocationOf(), invocationOf()];
    await Promise.all([logRun(log, together), log.end(alone, failureOf(alone))]);
    expect((await log.find(together.id))?.invocation.status).toBe('completed');
    expect((await log.find(alone.id))?.invocation.status).toBe('failed');
  });

  test('a second result is refused and changes nothing (X3)', async () => {
    const invocation = invocationOf();
    await logRun(log, invocation);
    await expect(log.end(invocation, failureOf(invocation))).rejects.toMatchObject({ name: 'RecordRefused' });
    expect(await log.find(invocation.id)).toMatchObject({
      invocation: { status: 'completed' },
      result: { success: true },
    });
  });

  test('of two results at once the first one stays (X3)', async () => {
    const invocation = invocationOf();
    const ends = await Promise.allSettled([
      log.end(invocation, successOf(invocation)),
      log.end(invocation, failureOf(invocation)),
    ]);
    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect((await log.find(invocation.id))?.result?.success).toBe(true);
  });

  test('a second begin is refused, also after the end (X2)', async () => {
    const invocation = invocationOf();
    const [first, second] = await Promise.allSettled([log.begin(invocation), log.begin(invocation)]);
    expect([first.status, second.status]).toEqual(['fulfilled', 'rejected']);
    await log.end(invocation, successOf(invocation));
    await expect(log.begin(invocation)).rejects.toMatchObject({ name: 'RecordRefused' });
    expect((await log.find(invocation.id))?.invocation.status).toBe('completed');
  });

  test.each([
    ['a name that is too long', { skillName: 'x'.repeat(65) }],
    ['a name of too many characters of two units', { invokingAgent: '🤖'.repeat(65) }],
    ['NUL in a name', { invokingAgent: 'a\0b' }],
    ['NUL in whose it is', { ownerKey: 'agent:a\0b' }],
    ['NUL in the input', { inputPayload: { text: 'a\0b' } }],
    ['a lone surrogate in the input', { inputPayload: ['\ud800'] }],
    ['an id that is none', { id: 'x' }],
  ])('%s is refused, and those beside it are kept (X7)', async (_case, bad) => {
    const neighbours = [invocationOf(), invocationOf()];
    const [first, refused, last] = await Promise.allSettled([
      logRun(log, neighbours[0] as never),
      log.begin(invocationOf(bad)),
      logRun(log, neighbours[1] as never),
    ]);
    expect(refused).toMatchObject({ status: 'rejected', reason: { name: 'RecordRefused' } });
    expect([first.status, last.status]).toEqual(['fulfilled', 'fulfilled']);
    for (const { id } of neighbours) expect(await log.find(id)).toBeDefined();
  });

  test('a name as long as the runtime leaves it is kept whole: characters count, not units (X2)', async () => {
    const invokingAgent = agentNameOf('🤖'.repeat(80));
    const invocation = invocationOf({ invokingAgent });
    await logRun(log, invocation);
    expect((await log.find(invocation.id))?.invocation.invokingAgent).toBe('🤖'.repeat(64));
    expect((await log.list({ agent: invokingAgent, limit: 5 })).invocations).toHaveLength(1);
  });

  test('the owner of a call is kept from its beginning to its end, alone and in a page (J2)', async () => {
    const owned = invocationOf({ ownerKey: 'user:u-1\nhttps://client.example/' });
    await log.begin(owned);
    expect((await log.find(owned.id))?.invocation).toEqual({ ...owned, status: 'running' });
    await log.end({ ...owned, status: 'completed' }, successOf(owned));
    // Its beginning was lost.
    const late = invocationOf({ ownerKey: 'agent:billing', timestamp: moment(1) });
    await log.end({ ...late, status: 'completed' }, successOf(late));
    const unowned = invocationOf({ timestamp: moment(2) });
    await logRun(log, unowned);
    const { invocations } = await log.list({ limit: 5 });
    expect(invocations.map(({ invocation }) => invocation.ownerKey)).toEqual([
      undefined,
      late.ownerKey,
      owned.ownerKey,
    ]);
    expect((await log.find(unowned.id))?.invocation).not.toHaveProperty('ownerKey');
  });

  test('text that only looks like NUL is kept as it is', async () => {
    const invocation = invocationOf({ inputPayload: { text: '\\u0000', path: 'c:\\ud83d' } });
    await logRun(log, invocation);
    expect((await log.find(invocation.id))?.invocation.inputPayload).toEqual(invocation.inputPayload);
  });

  test.each([null, 'text', 5, [1, { a: null }], { emoji: '👋', deep: { er: [true] } }])(
    'the payload %j comes back as it was',
    async (inputPayload) => {
      const invocation = invocationOf({ inputPayload });
      await logRun(log, invocation);
      expect((await log.find(invocation.id))?.invocation.inputPayload).toEqual(inputPayload);
    },
  );

  test.each([
    [-5, 0],
    [1.6, 2],
    [1e12, 2 ** 31 - 1],
  ])('a duration of %d is kept as %d (F12)', async (given, kept) => {
    const invocation = invocationOf();
    await logRun(log, invocation, successOf(invocation, given));
    expect((await log.find(invocation.id))?.result?.durationMs).toBe(kept);
  });

  test('ids in upper case are the same ids; what is no id is not found', async () => {
    const invocation = invocationOf();
    await logRun(log, invocation);
    expect(await log.find(invocation.id.toUpperCase())).toBeDefined();
    expect(await log.find(randomUUID())).toBeUndefined();
    expect(await log.find("' OR 1 = 1")).toBeUndefined();
  });

  test('lists the newest first, by each filter (M9)', async () => {
    const first = invocationOf({ timestamp: moment(1_000), skillName: 'greet' });
    const second = invocationOf({ timestamp: moment(2_000), skillName: 'part', invokingAgent: 'AuthAgent' });
    const third = invocationOf({ timestamp: moment(3_000), skillName: 'part', correlationId: first.correlationId });
    await logRun(log, second, failureOf(second));
    await logRun(log, first);
    await log.begin(third);
    const idsBy = async (query: object) =>
      (await log.list({ limit: 10, ...query })).invocations.map((each) => each.invocation.id);
    expect(await idsBy({})).toEqual([third.id, second.id, first.id]);
    expect(await idsBy({ skill: 'part' })).toEqual([third.id, second.id]);
    expect(await idsBy({ status: 'failed' })).toEqual([second.id]);
    expect(await idsBy({ status: 'completed' })).toEqual([first.id]);
    expect(await idsBy({ failureCode: 'NOT_FOUND' })).toEqual([second.id]);
    expect(await idsBy({ failureCode: 'TIMEOUT' })).toEqual([]);
    expect(await idsBy({ failureCode: 'NOT_FOUND', skill: 'greet' })).toEqual([]);
    expect(await idsBy({ agent: 'AuthAgent' })).toEqual([second.id]);
    expect(await idsBy({ correlationId: first.correlationId.toUpperCase() })).toEqual([third.id, first.id]);
    expect(await idsBy({ since: moment(2_000) })).toEqual([third.id, second.id]);
    expect(await idsBy({ until: moment(2_000) })).toEqual([first.id]);
    expect(await idsBy({ skill: 'part', status: 'running', agent: 'TaskAgent' })).toEqual([third.id]);
    expect(await idsBy({ correlationId: 'none' })).toEqual([]);
    for (const length of [4, 8, 9, 20, 36])
      expect(await idsBy({ idBegins: second.id.slice(0, length).toUpperCase() })).toContain(second.id);
    expect(await idsBy({ idBegins: first.id.slice(0, 35) })).toEqual([first.id]);
    expect(await idsBy({ correlationIdBegins: first.correlationId.slice(0, 30) })).toEqual([third.id, first.id]);
    expect(await idsBy({ idBegins: 'none' })).toEqual([]);
    expect(await idsBy({ correlationIdBegins: `${first.correlationId}0` })).toEqual([]);
    expect(await idsBy({ skill: 'a\0b' })).toEqual([]);
  });

  test('pages follow each other without gap or double, also at the same moment and while rows are added', async () => {
    const all = Array.from({ length: 9 }, (_, index) => invocationOf({ timestamp: moment(Math.floor(index / 4)) }));
    await Promise.all(all.map((invocation) => logRun(log, invocation)));
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await log.list({ limit: 4, ...(cursor !== undefined && { cursor }) });
      seen.push(...page.invocations.map(({ invocation }) => invocation.id));
      cursor = page.nextCursor;
      await logRun(log, invocationOf({ timestamp: moment(60_000) }));
    } while (cursor !== undefined);
    expect([...seen].sort()).toEqual(all.map(({ id }) => id).sort());
  });

  test.each(['', 'nonsense', Buffer.from('12 34').toString('base64url')])(
    'the cursor %j is refused',
    async (cursor) => {
      await expect(log.list({ limit: 4, cursor })).rejects.toBeInstanceOf(BadCursor);
    },
  );
});
