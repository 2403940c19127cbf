// Runs: one suite for both stores. Rows decide who runs what, how often, and how it ends (J).
import { join } from 'node:path';
import Database from 'libsql';
import { afterEach, describe, expect, test } from 'vitest';
import { agentCaller } from '../../../src/identity/caller.ts';
import type { TrailNote } from '../../../src/identity/trail.ts';
import type { StorePlace } from '../../../src/settings/store-place.ts';
import type { InvocationResult } from '../../../src/skills/define/invocation.ts';
import type { NewRun } from '../../../src/skills/durable/run-store.ts';
import { openStore, type Store, type StoreOptions } from '../../../src/store/store.ts';
import { PATIENT } from '../../support/patience.ts';
import { invocationOf, moment } from './store-world.ts';
import { useStoreWorld } from './use-store-world.ts';

const world = useStoreWorld();
/** What decisions are entered into the trail with. */
const TRAIL = { trailKey: { dataDirectory: '', secret: 'a secret of at least thirty-two bytes' } };

const caller = agentCaller('billing', ['TaskAgent'], ['log:read']);

const newRun = (given: Partial<NewRun> = {}): NewRun => ({
  invocation: invocationOf({ status: 'pending' }),
  caller,
  sealed: 'sealed-input',
  durability: { idempotent: false, attempts: 1, backoffSeconds: 5, resumes: false },
  approvalMs: undefined,
  key: undefined,
  ...given,
});

const completed = (invocationId: string): InvocationResult => ({
  invocationId,
  success: true,
  outputPayload: { done: true },
  durationMs: 12,
  timestamp: moment(1_000),
});

const NOTE: TrailNote = { actor: 'local', action: 'agent.add', subject: 'x' };
const DAY_MS = 86_400_000;

/** Leases that are over at once: whoever looks sees a process that died. */
const DEAD: Partial<StoreOptions> = { runLeaseSeconds: -1, isGone: () => true };

describe.each(['sqlite', 'postgres'] as const)('on %s', (kind) => {
  let opened: Store[] = [];
  afterEach(async () => {
    await Promise.all(opened.map((store) => store.close()));
    opened = [];
  });
  const open = async (options: Partial<StoreOptions> = {}, count = 1) => {
    const place = await world.place(kind);
    const stores = Array.from({ length: count }, () => openStore(place, { ...PATIENT, ...TRAIL, ...options }));
    opened.push(...stores);
    await stores[0]?.migrate();
    return stores.map(({ runs }) => runs);
  };
  const openOne = async (options: Partial<StoreOptions> = {}) => {
    const [runs] = await open(options);
    if (runs === undefined) throw new Error('No store');
    return runs;
  };

  test('a run is stored as pending, and taken by one of many processes (J1, J9)', async () => {
    const all = await open({}, 4);
    const run = newRun();
    const { id } = run.invocation;
    expect(await all[0]?.add(run)).toEqual({ kind: 'added' });
    expect((await all[1]?.find(id))?.invocation.status).toBe('pending');
    expect(await all[2]?.due(['greet'], 10)).toMatchObject([{ id, skillName: 'greet' }]);
    expect(await all[2]?.due(['other'], 10)).toEqual([]);
    const taken = (await Promise.all(all.map((runs) => runs.take(id)))).filter((each) => each !== undefined);
    expect(taken).toMatchObject([{ id, sealed: 'sealed-input', caller, attempt: 1, mostAttempts: 1 }]);
    expect((await all[3]?.find(id))?.invocation.status).toBe('running');
    expect(await all[2]?.due(['greet'], 10)).toEqual([]);
  });

  test('it ends once, and what was sealed goes with it (J5, J6)', async () => {
    const runs = await openOne();
    const { id } = await started(runs);
    await runs.keepStep(id, 'a', 'sealed-a');
    expect(await runs.steps(id)).toEqual(new Map([['a', 'sealed-a']]));
    expect(await runs.finish(id, 'completed', completed(id))).toBe(true);
    expect(await runs.finish(id, 'completed', completed(id))).toBe(false);
    expect(await runs.steps(id)).toEqual(new Map());
    const run = await runs.find(id);
    expect(run).toMatchObject({ invocation: { status: 'completed' }, result: { outputPayload: { done: true } } });
    expect(run?.attempts).toMatchObject([{ attempt: 1, failureCode: undefined }]);
  });

  test('one that is not idempotent ends as interrupted when its process dies, and never runs again (J5)', async () => {
    const [one, other] = await open(DEAD, 2);
    const run = newRun();
    const { id } = run.invocation;
    await one?.add(run);
    await one?.take(id);
    expect(await other?.due(['greet'], 10)).toMatchObject([{ id, skillName: 'greet' }]);
    expect(await other?.take(id)).toBeUndefined();
    const found = await other?.find(id);
    expect(found?.invocation.status).toBe('failed');
    expect(found?.result).toMatchObject({ failure: { code: 'INTERNAL_ERROR', details: { interrupted: true } } });
    expect(found?.attempts).toHaveLength(1);
    expect(await one?.finish(id, 'completed', completed(id))).toBe(false);
  });

  test('an idempotent one is taken up by another process, up to its attempts (J5)', async () => {
    const [one, other] = await open(DEAD, 2);
    const run = newRun({ durability: { idempotent: true, attempts: 2, backoffSeconds: 1, resumes: false } });
    const { id } = run.invocation;
    await one?.add(run);
    await one?.take(id);
    expect(await other?.take(id)).toMatchObject({ attempt: 2 });
    // The one that was thought dead has lost it.
    expect(await one?.finish(id, 'completed', completed(id))).toBe(false);
    expect(await one?.renew([id])).toEqual({ lost: [id], cancelled: [] });
    expect(await one?.take(id)).toBeUndefined();
    expect((await one?.find(id))?.attempts).toMatchObject([
      { attempt: 1, failureCode: 'INTERNAL_ERROR' },
      { attempt: 2, failureCode: 'INTERNAL_ERROR' },
    ]);
    expect((await one?.find(id))?.invocation.status).toBe('failed');
  });

  test('a process that kept a step of a run which it has lost goes on with its others (J5, F1)', async () => {
    const [one, other] = await open(DEAD, 2);
    const durability = { idempotent: true, attempts: 3, backoffSeconds: 1, resumes: false };
    const [lost, own] = [newRun({ durability }), newRun({ durability })];
    for (const run of [lost, own]) {
      await one?.add(run);
      await one?.take(run.invocation.id);
    }
    await other?.take(lost.invocation.id);
    for (let tries = 0; tries < 5; tries += 1) {
      const kept = one?.keepStep(lost.invocation.id, 'a', 'sealed-a');
      await expect(kept).rejects.toThrow('another process runs it now');
      await one?.keepStep(own.invocation.id, `step ${tries}`, 'sealed');
      expect((await one?.find(lost.invocation.id))?.invocation.status).toBe('running');
    }
    expect(await one?.steps(lost.invocation.id)).toEqual(new Map());
  });

  test('a process of this machine that lives keeps its run, though its lease is over (J5)', async () => {
    const [one, other] = await open({ runLeaseSeconds: -1, isGone: () => false }, 2);
    const run = newRun();
    await one?.add(run);
    await one?.take(run.invocation.id);
    expect(await other?.take(run.invocation.id)).toBeUndefined();
    expect((await other?.find(run.invocation.id))?.invocation.status).toBe('running');
  });

  test('what a halted process of this machine holds does not stand before what others may take (J5)', async () => {
    const [one, other] = await open({ runLeaseSeconds: -1, isGone: () => false }, 2);
    const [held, free] = [newRun(), newRun()];
    await one?.add(held);
    await one?.take(held.invocation.id);
    await one?.add(free);
    expect(await other?.due(['greet'], 1)).toMatchObject([{ id: free.invocation.id }]);
  });

  test('nobody waits for the lease of a process of this machine that is gone (J5)', async () => {
    const [one, other] = await open({ runLeaseSeconds: 3_600, isGone: () => true }, 2);
    const run = newRun({ durability: { idempotent: true, attempts: 2, backoffSeconds: 5, resumes: false } });
    await one?.add(run);
    await one?.take(run.invocation.id);
    expect(await other?.due(['greet'], 10)).toMatchObject([{ id: run.invocation.id }]);
    expect(await other?.take(run.invocation.id)).toMatchObject({ attempt: 2 });
  });

  test('one that was cancelled ends as cancelled when its process dies or gives it back, and does not run again (J2, J5)', async () => {
    const [one, other] = await open(DEAD, 2);
    const again = { durability: { idempotent: true, attempts: 5, backoffSeconds: 5, resumes: false } };
    const [died, given] = [newRun(again), newRun(again)];
    for (const run of [died, given]) {
      await one?.add(run);
      await one?.take(run.invocation.id);
      expect(await other?.cancel(run.invocation.id, moment(5))).toBe('running');
    }
    await one?.retry(given.invocation.id, 'TIMEOUT', 3_600_000);
    for (const { invocation } of [died, given]) {
      expect(await other?.take(invocation.id)).toBeUndefined();
      expect(await other?.find(invocation.id)).toMatchObject({
        invocation: { status: 'failed' },
        result: { failure: { code: 'INTERNAL_ERROR', details: { cancelled: true } } },
      });
    }
  });

  test('one that is to be tried again waits, holds `running`, and counts its attempts (J5)', async () => {
    const runs = await openOne();
    const { id } = await started(runs, {
      durability: { idempotent: true, attempts: 3, backoffSeconds: 1, resumes: false },
    });
    expect(await runs.retry(id, 'EXTERNAL_SERVICE_ERROR', 60_000)).toBe(true);
    expect(await runs.due(['greet'], 10)).toEqual([]);
    expect((await runs.find(id))?.invocation.status).toBe('running');
    const { id: soon } = await started(runs, {
      durability: { idempotent: true, attempts: 3, backoffSeconds: 1, resumes: false },
    });
    // As written by a clock that was a day ahead, which no wait is (F12).
    await runs.retry(soon, 'TIMEOUT', 86_400_000);
    expect(await runs.take(soon)).toMatchObject({ attempt: 2 });
    await runs.retry(soon, 'TIMEOUT', -1);
    expect(await runs.take(soon)).toMatchObject({ attempt: 3 });
    expect((await runs.find(soon))?.attempts).toMatchObject([
      { attempt: 1, failureCode: 'TIMEOUT' },
      { attempt: 2, failureCode: 'TIMEOUT' },
      { attempt: 3, failureCode: undefined },
    ]);
  });

  test('a key gives the same invocation, however many come at once; another input is told (J3)', async () => {
    const all = await open({}, 3);
    const key = { keyHash: 'k', inputHash: 'i' };
    const added = await Promise.all(Array.from({ length: 12 }, (_, n) => all[n % 3]?.add(newRun({ key }))));
    expect(added.filter((each) => each?.kind === 'added')).toHaveLength(1);
    const known = added.flatMap((each) => (each?.kind === 'known' ? [each] : []));
    expect(new Set(known.map(({ invocationId }) => invocationId)).size).toBe(1);
    expect(known.every(({ isSameInput }) => isSameInput)).toBe(true);
    expect(await all[0]?.add(newRun({ key: { keyHash: 'k', inputHash: 'other' } }))).toMatchObject({
      kind: 'known',
      isSameInput: false,
    });
    expect(await all[1]?.findKey(key)).toEqual({ invocationId: known[0]?.invocationId, isSameInput: true });
    expect(await all[1]?.findKey({ keyHash: 'k', inputHash: 'other' })).toMatchObject({ isSameInput: false });
    expect(await all[1]?.findKey({ keyHash: 'never', inputHash: 'i' })).toBeUndefined();
  });

  test('a pending run is cancelled at once, a running one by its process (J2)', async () => {
    const runs = await openOne();
    const waiting = newRun();
    await runs.add(waiting);
    expect(await runs.cancel(waiting.invocation.id, moment(1))).toBe('ended');
    expect(await runs.find(waiting.invocation.id)).toMatchObject({
      invocation: { status: 'failed' },
      result: { failure: { details: { cancelled: true } } },
      isCancelled: true,
    });
    const { id } = await started(runs);
    expect(await runs.cancel(id, moment(1))).toBe('running');
    expect(await runs.renew([id])).toEqual({ lost: [], cancelled: [id] });
    await runs.finish(id, 'completed', completed(id));
    expect(await runs.cancel(id, moment(1))).toBeUndefined();
    expect(await runs.cancel('../etc', moment(1))).toBeUndefined();
  });

  test('one that needs approval is not taken before, and is decided once (J8)', async () => {
    const runs = await openOne();
    const run = newRun({ approvalMs: DAY_MS });
    const { id } = run.invocation;
    await runs.add(run);
    expect(await runs.due(['greet'], 10)).toEqual([]);
    expect(await runs.take(id)).toBeUndefined();
    const decision = { verdict: 'approve', by: 'user:a@example.org', message: 'fine', at: moment(5) } as const;
    expect(await runs.decide(id, decision, NOTE)).toBe(true);
    expect(await runs.decide(id, decision, NOTE)).toBe(false);
    expect(await runs.take(id)).toMatchObject({ attempt: 1 });
    expect((await runs.find(id))?.approval).toMatchObject({ state: 'approved', decidedBy: 'user:a@example.org' });
  });

  test('a rejected one, and one that nobody decided on in time, end as UNAUTHORIZED with the reason (J8)', async () => {
    const runs = await openOne();
    const rejected = newRun({ approvalMs: DAY_MS });
    await runs.add(rejected);
    const decision = { verdict: 'reject', by: 'local', message: 'too dear', at: moment(5) } as const;
    expect(await runs.decide(rejected.invocation.id, decision, NOTE)).toBe(true);
    const expired = newRun({ approvalMs: -1_000 });
    await runs.add(expired);
    expect(await runs.decide(expired.invocation.id, decision, NOTE)).toBe(false);
    expect(await runs.expire(moment(9))).toEqual([expired.invocation.id]);
    const messageOf = async ({ invocation }: NewRun) => (await runs.find(invocation.id))?.result;
    expect(await messageOf(rejected)).toMatchObject({
      failure: { code: 'UNAUTHORIZED', message: 'Access denied: the run was rejected: too dear' },
    });
    expect(await messageOf(expired)).toMatchObject({
      failure: { code: 'UNAUTHORIZED', message: 'Access denied: the run was not approved in time' },
    });
  });

  test('pages are newest first, of one owner or of all, by state (J2)', async () => {
    const runs = await openOne();
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) {
      const invocation = invocationOf({ status: 'pending', timestamp: moment(n) });
      ids.unshift(invocation.id);
      await runs.add(newRun({ invocation, caller: agentCaller(n === 0 ? 'other' : 'billing') }));
    }
    const pageOf = async (ownerKey: string | undefined, cursor?: string) =>
      runs.list({ limit: 3, ownerKey, ...(cursor !== undefined && { cursor }) });
    const first = await pageOf(undefined);
    expect(first.runs.map(({ invocation }) => invocation.id)).toEqual(ids.slice(0, 3));
    const second = await pageOf(undefined, first.nextCursor);
    expect(second.runs.map(({ invocation }) => invocation.id)).toEqual(ids.slice(3));
    expect((await runs.list({ limit: 9, ownerKey: 'agent:other' })).runs).toHaveLength(1);
    await runs.cancel(ids[0] ?? '', moment(9));
    expect((await runs.list({ limit: 9, ownerKey: undefined, state: 'unfinished' })).runs).toHaveLength(4);
    expect((await runs.list({ limit: 9, ownerKey: undefined, state: 'finished' })).runs).toHaveLength(1);
  });

  test('sweeping and retention leave runs alone until they have ended (J5)', async () => {
    const place = await world.place(kind);
    const one = openStore(place, { ...PATIENT, ...TRAIL, ...DEAD });
    const other = openStore(place, { ...PATIENT, ...TRAIL, ...DEAD });
    opened.push(one, other);
    const { id } = await started(one.runs, {
      durability: { idempotent: true, attempts: 9, backoffSeconds: 1, resumes: false },
    });
    const waiting = newRun();
    await one.runs.add(waiting);
    await other.sweep();
    await other.prune(new Date(Date.now() + 1_000));
    expect((await other.runs.find(id))?.invocation.status).toBe('running');
    expect((await other.runs.find(waiting.invocation.id))?.invocation.status).toBe('pending');
    await one.runs.finish(id, 'completed', completed(id));
    await other.prune(new Date(Date.now() + 1_000));
    expect(await other.runs.find(id)).toBeUndefined();
  });

  test('retention leaves what a key stands for as long as the key is kept, by the clock of the store (J3, F12)', async () => {
    const place = await world.place(kind);
    const store = openStore(place, { ...PATIENT, ...TRAIL });
    opened.push(store);
    const key = { keyHash: 'k', inputHash: 'i' };
    const { id } = await started(store.runs, {
      key,
      invocation: invocationOf({ status: 'pending', timestamp: new Date() }),
    });
    await store.runs.finish(id, 'completed', completed(id));
    await store.prune(new Date(Date.now() + 1_000));
    expect(await store.runs.findKey(key)).toEqual({ invocationId: id, isSameInput: true });
    expect((await store.runs.find(id))?.result).toMatchObject({ success: true });
    await store.runs.forgetKeys();
    expect(await store.runs.findKey(key)).toEqual({ invocationId: id, isSameInput: true });
    await ageKeys(place);
    await store.runs.forgetKeys();
    await store.prune(new Date(Date.now() + 1_000));
    expect(await store.runs.find(id)).toBeUndefined();
  });
});

async function started(runs: Store['runs'], given: Partial<NewRun> = {}): Promise<{ readonly id: string }> {
  const run = newRun(given);
  await runs.add(run);
  if ((await runs.take(run.invocation.id)) === undefined) throw new Error('It was not taken');
  return { id: run.invocation.id };
}

/** As if more than a day had passed. */
async function ageKeys(place: StorePlace): Promise<void> {
  if (place.kind === 'postgres') {
    await world.query(place, "UPDATE repertoire_keys SET created_at = created_at - INTERVAL '86401 seconds'");
    return;
  }
  const file = new Database(join(place.dataDirectory, 'repertoire.db'));
  file.exec('UPDATE repertoire_keys SET created_at = created_at - 86401000');
  file.close();
}
