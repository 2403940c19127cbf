// Invocations spread over replicas as a load balancer does it, and whether the log holds each exactly once (F2).

import { randomUUID } from 'node:crypto';
import type { Random } from '../../bench/random.ts';
import { type PostgresPlace, queryPostgres } from '../support/postgres-database.ts';
import type { ServeProcess } from '../support/serve-process.ts';
import { invoke, type ServeWorld, untilHolds } from './serve-world.ts';

/** All at once: on an empty database they make its tables together. */
export const startReplicas = (
  world: ServeWorld,
  place: PostgresPlace,
  count: number,
  options: readonly string[] = [],
): Promise<ServeProcess[]> => Promise.all(Array.from({ length: count }, () => world.start(place, options)));

export const stopAll = (replicas: readonly ServeProcess[]) => Promise.all(replicas.map(({ stop }) => stop()));

/** Sooner or later, and without an error of its own. */
export async function untilReady(replicas: readonly ServeProcess[]): Promise<void> {
  for (const { ask, stderr } of replicas) {
    await untilHolds('a replica is ready', async () => (await ask('/ready')).status === 200);
    if (/"level":"error"/.test(stderr())) throw new Error(`a replica failed: ${stderr()}`);
  }
}

/** From its first word on, and without a line of complaint. */
export async function expectReady(replicas: readonly ServeProcess[]): Promise<void> {
  for (const { ask, store, stderr } of replicas) {
    const { status, text } = await ask('/ready');
    if (store.state !== 'ready' || status !== 200) throw new Error(`store ${store.state}, /ready ${status}: ${text}`);
    if (/"level":"(?:warn|error)"/.test(stderr())) throw new Error(`a replica complained: ${stderr()}`);
  }
}

export interface Spread {
  /** Correlation id → invocation id, of what succeeded. */
  readonly acknowledged: Map<string, string>;
  /** Correlation ids of calls whose connection broke: each may be there or not. */
  readonly unanswered: Set<string>;
  /** How often a call was told that the log cannot be written, and made anew. */
  readonly refused: number;
  readonly ms: number;
}

export interface SpreadOrders {
  readonly count: number;
  readonly inFlight: number;
  readonly random: Random;
  /** Of the calls, which share takes up to 500 ms: they run while something happens. */
  readonly naps?: number;
  /** After so many acknowledgements, once. */
  readonly halfWay?: () => Promise<unknown>;
}

/** A replica that refuses the connection is left out from then on, and the call goes to another. */
export async function spreadCalls(replicas: readonly ServeProcess[], orders: SpreadOrders): Promise<Spread> {
  const { count, inFlight, halfWay } = orders;
  const alive = new Set(replicas);
  const acknowledged = new Map<string, string>();
  const unanswered = new Set<string>();
  let left = count;
  let refused = 0;
  let interruption: Promise<unknown> | undefined;
  const started = performance.now();
  const call = async (): Promise<void> => {
    const correlationId = randomUUID();
    const id = await callOne(alive, orders, correlationId);
    if (id === REFUSED) {
      refused += 1;
      await new Promise((resolve) => setTimeout(resolve, 20));
      return call();
    }
    if (id === undefined) unanswered.add(correlationId);
    else acknowledged.set(correlationId, id);
    if (acknowledged.size >= count / 2) interruption ??= halfWay?.();
  };
  const callers = Array.from({ length: inFlight }, async () => {
    while (left-- > 0) await call();
  });
  await Promise.all(callers);
  const ms = performance.now() - started;
  await interruption;
  return { acknowledged, unanswered, refused, ms };
}

const REFUSED = Symbol('refused');

/** The invocation's id; undefined when the connection broke before the answer. */
async function callOne(
  alive: Set<ServeProcess>,
  { random, naps = 0 }: SpreadOrders,
  correlationId: string,
): Promise<string | typeof REFUSED | undefined> {
  for (;;) {
    const replica = [...alive][Math.floor(random() * alive.size)];
    if (replica === undefined) throw new Error('no replica is left');
    try {
      const isNap = random() < naps;
      const input = isNap ? { ms: Math.floor(random() * 500) } : { text: 'x'.repeat(200) };
      const { status, text } = await invoke(replica, isNap ? 'nap' : 'echo', input, correlationId);
      if (status === 503 && text.includes('"PERSISTENCE_ERROR"')) return REFUSED;
      if (status !== 200) throw new Error(`answered ${status}: ${text.slice(0, 300)}`);
      return JSON.parse(text).invocation_id;
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      if (code === undefined) throw error;
      alive.delete(replica);
      // Refused: it was never there. Broken: it may have run.
      if (code !== 'ECONNREFUSED') return undefined;
    }
  }
}

export interface Found {
  readonly total: number;
  /** Of unanswered calls, how many are there all the same. */
  readonly unansweredThere: number;
}

/** Throws when something acknowledged is missing, anything is there twice, or a row and its result do not agree. */
export async function expectEachOnce({ url }: PostgresPlace, spreads: readonly Spread[]): Promise<Found> {
  const rows = await queryPostgres(
    url,
    `SELECT i.id, i.correlation_id AS correlation, i.status, r.success FROM skill_invocations i
      LEFT JOIN skill_results r ON r.invocation_id = i.id`,
  );
  const times = new Map<string, number>();
  for (const { correlation } of rows) times.set(String(correlation), (times.get(String(correlation)) ?? 0) + 1);
  const doubled = [...times.values()].filter((count) => count > 1).length;
  const sound = new Set(rows.filter((row) => row.status === 'completed' && row.success === true).map(({ id }) => id));
  const ids = spreads.flatMap(({ acknowledged }) => [...acknowledged.values()]);
  const lost = ids.filter((id) => !sound.has(id)).length;
  const torn = rows.filter(({ status, success }) => isOpen(status) || typeof success !== 'boolean').length;
  const [orphans] = await queryPostgres(
    url,
    'SELECT count(*) FROM skill_results r WHERE NOT EXISTS (SELECT 1 FROM skill_invocations i WHERE i.id = r.invocation_id)',
  );
  const counted = await countedRuns(url);
  const faults = { doubled, lost, torn, orphans: Number(orphans?.count), miscounted: counted - rows.length };
  if (Object.values(faults).some((count) => count !== 0)) throw new Error(JSON.stringify(faults));
  const unanswered = spreads.flatMap((spread) => [...spread.unanswered]);
  return { total: rows.length, unansweredThere: unanswered.filter((id) => times.has(id)).length };
}

const isOpen = (status: unknown): boolean => status === 'running' || status === 'pending';

/** By the roll-ups of one step, which every ended run is in once. */
async function countedRuns(url: string): Promise<number> {
  const [row] = await queryPostgres(
    url,
    'SELECT sum(invocations) AS runs FROM skill_invocation_counts WHERE step = 60',
  );
  return Number(row?.runs ?? 0);
}

export async function countRunning({ url }: PostgresPlace): Promise<number> {
  const [row] = await queryPostgres(url, `SELECT count(*) FROM skill_invocations WHERE status = 'running'`);
  return Number(row?.count);
}

/** Milliseconds until nothing is said to run any more. */
export const untilSwept = (place: PostgresPlace): Promise<number> =>
  untilHolds('rows of a killed replica are closed', async () => (await countRunning(place)) === 0);
