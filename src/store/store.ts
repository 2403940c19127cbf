// The store: what ran, what was read, users and their tasks, in SQLite or PostgreSQL. Nothing is opened, and no driver
// loaded, before its first use.
import { randomUUID } from 'node:crypto';
import { monotonicMs } from '../async/monotonic-clock.ts';
import type { TaskStore } from '../builtin/ports/task-store.ts';
import type { UserStore } from '../builtin/ports/user-store.ts';
import type { AgentStore } from '../identity/agents.ts';
import type { KeptSessions } from '../identity/kept-sessions.ts';
import type { OAuthStore } from '../identity/oauth.ts';
import type { PeopleStore } from '../identity/people.ts';
import type { Trail } from '../identity/trail.ts';
import type { SecretStore } from '../identity/user-tokens.ts';
import type { Library } from '../library/library.ts';
import type { LoadLog } from '../repertoire/load-log.ts';
import type { StoreKind, StorePlace } from '../settings/store-place.ts';
import type { RunQueue } from '../skills/durable/run-queue.ts';
import type { RunStore } from '../skills/durable/run-store.ts';
import type { ActivityLog } from '../skills/record/activity-log.ts';
import { type InvocationLog, StoreUnavailable } from '../skills/record/invocation-log.ts';
import type { OverviewLog } from '../skills/record/overview-log.ts';
import { counted } from '../text/counted.ts';
import { messageOf } from '../values/error-text.ts';
import { createActivityStore } from './activity-store.ts';
import { createAgentStore } from './agent-store.ts';
import { believeClock } from './believed-clock.ts';
import type { WakeupParts } from './boss-queue.ts';
import type { BusRhythm } from './bus-inlet.ts';
import { createGuardedSql, createRetryGate, type GuardedOptions, type GuardedSql } from './guarded-sql.ts';
import { createInvocationStore } from './invocation-store.ts';
import { createLease, removeProcess, renewLease } from './lease.ts';
import { createLibraryStore } from './library-store.ts';
import { limitsOf, OPERATION_LIMIT_MS, type StoreLimits, withTimeLimit } from './limits.ts';
import { createLoadStore } from './load-store.ts';
import { findMissingTable, type MigrationPlan, planOf } from './migrate.ts';
import { fillMissingCodes } from './missing-codes.ts';
import { createOAuthStore } from './oauth-store.ts';
import { createOverviewStore } from './overview-store.ts';
import { tellOwnAnnouncements } from './own-announcements.ts';
import { createPeopleStore } from './people-store.ts';
import { isGone, type ProcessOwner, readProcessOwner } from './process-owner.ts';
import { type Pruned, prune } from './prune.ts';
import { createRunStore, RUN_LEASE_SECONDS } from './run-store.ts';
import { createSecretStore } from './secret-store.ts';
import { createSessionStore } from './session-store.ts';
import { createSharedLimits, type SharedLimits } from './shared-limits.ts';
import {
  type ConnectionCounts,
  type Driver,
  plain,
  postgresDialect,
  type Sql,
  type Steps,
  sqliteDialect,
} from './sql.ts';
import type { Surprise } from './sqlite-files.ts';
import { createStoreBus, type StoreBus } from './store-bus.ts';
import { missingTable, tooSlow } from './store-errors.ts';
import { sweep } from './sweep.ts';
import { createTaskStore } from './task-store.ts';
import { createTrailKeys, type TrailKeySource } from './trail-keys.ts';
import { createTrailStore } from './trail-store.ts';
import { createTrailTurn } from './trail-turn.ts';
import { createTrailWriter } from './trail-writer.ts';
import { createUserStore } from './user-store.ts';

export interface Store {
  readonly kind: StoreKind;
  readonly invocations: InvocationLog;
  readonly loads: LoadLog;
  readonly activity: ActivityLog;
  readonly overview: OverviewLog;
  readonly users: UserStore;
  /** The same users, with what they were granted. */
  readonly people: PeopleStore;
  readonly tasks: TaskStore;
  readonly agents: AgentStore;
  /** Clients that people let in by OAuth (O4). */
  readonly oauth: OAuthStore;
  readonly secrets: SecretStore;
  readonly sessions: KeptSessions;
  readonly trail: Trail;
  readonly library: Library;
  /** Between all processes on this store (N3). Nothing of it runs before its first message or listener. */
  readonly bus: Pick<StoreBus, 'publish' | 'subscribe' | 'onGap' | 'counts'>;
  /** What all processes on one database count together. Undefined for one that a single process serves from. */
  readonly limits: SharedLimits | undefined;
  /** Nothing may be asked of it without a log (X7). */
  readonly runs: RunStore;
  /** How processes on this store wake each other for runs; absent where they only look (J9). */
  readonly wakeups: ((parts: WakeupParts) => Promise<RunQueue>) | undefined;
  /** Brings the tables up to date, as the first use does anyway. Answers what was applied. */
  migrate(): Promise<readonly string[]>;
  /** Undefined without a pool, or before its first use. */
  connections(): ConnectionCounts | undefined;
  /** Whether it can be written to now, within two seconds. */
  health(): Promise<StoreHealth>;
  /** Closes what the log calls running although no process runs it any more, and answers how many. Fills in missing codes. */
  sweep(): Promise<number>;
  /** Deletes what is older. */
  prune(before: Date): Promise<Pruned>;
  /** Deletes what is older than that, by a clock that is believed (F12). */
  pruneKept(keepMs: number): Promise<Pruned>;
  /** Writes what waits, then releases everything. Does not reject when the store is away. */
  close(): Promise<void>;
}

type StoreHealth = { readonly isReady: true } | { readonly isReady: false; readonly reason: string };

export interface StoreOptions {
  readonly now: () => Date;
  /** False: it has no tables for what ran and what was read, and nothing may be asked of them (X7). */
  readonly isLogged: boolean;
  /** What the trail is keyed with, which is not in the database (L5). Absent: a file beside that of SQLite. */
  readonly trailKey: TrailKeySource | undefined;
  /** How long one operation may take before it is refused. */
  readonly operationLimitMs: number;
  /** Called with a sentence when the files of the embedded store were deleted or replaced in use, or the clock leaps. */
  readonly onSurprise: (notice: string) => void;
  /** How long `health` tells of it afterwards. */
  readonly surpriseMs: number;
  /** Called when this process enters into a trail whose newest entry has a key that is not here (L5). */
  readonly onOtherKey: () => void;
  /** How often messages of other processes are looked for; the usual rhythm when absent. */
  readonly busRhythm: Partial<BusRhythm> | undefined;
  /** How long a process that says nothing counts as alive, for the runs that it holds. */
  readonly runLeaseSeconds: number;
  /** Whether a process of this machine has ended. */
  readonly isGone: (owner: ProcessOwner) => boolean;
}

/** Longer than the ten seconds between two looks of a usual probe, and shorter than the three after which it acts. */
const SURPRISE_MS = 15_000;

const defaults: StoreOptions = {
  now: () => new Date(),
  isLogged: true,
  trailKey: undefined,
  operationLimitMs: OPERATION_LIMIT_MS,
  onSurprise: () => undefined,
  surpriseMs: SURPRISE_MS,
  onOtherKey: () => undefined,
  busRhythm: undefined,
  runLeaseSeconds: RUN_LEASE_SECONDS,
  isGone,
};

export function openStore(place: StorePlace, options: Partial<StoreOptions> = {}): Store {
  const all = { ...defaults, ...options };
  const { now, isLogged, trailKey, operationLimitMs, onSurprise, surpriseMs, busRhythm } = all;
  const limits = limitsOf(operationLimitMs);
  const plan = planOf(isLogged);
  // Someone else's call may have met it, and several look: each of them hears of it.
  let surprise: { readonly reason: string; readonly untilMs: number } | undefined;
  const tell = ({ notice, refusal }: Surprise) => {
    surprise = { reason: refusal, untilMs: monotonicMs() + surpriseMs };
    onSurprise(notice);
  };
  const guarded = guard(place, { limits, plan, open: () => openDriver(place, limits.operation, tell) });
  const database = tellOwnAnnouncements(guarded, (announced) => bus.tellOwn(announced));
  const self = readProcessOwner(randomUUID());
  const renew = async () => {
    await database.write(() => renewLease(database.dialect, self));
    lease.renewed();
  };
  const lease = createLease(self, monotonicMs, () => whenAvailable(renew()));
  const invocations = createInvocationStore(database, lease, limits);
  const tasks = createTaskStore(database, limits);
  const keys = createTrailKeys(trailKey ?? keySourceOf(place));
  const writer = createTrailWriter({ dialect: database.dialect, keys, now, onOtherKey: all.onOtherKey });
  const trailed = createTrailTurn(database, limits.operation);
  const agents = createAgentStore(trailed, writer, self.id);
  const onFault = (error: unknown) => onSurprise(`Cannot take up what another process said: ${messageOf(error)}`);
  const bus = createStoreBus({ database, origin: self.id, onFault, rhythm: busRhythm });
  return {
    kind: place.kind,
    invocations,
    loads: createLoadStore(database),
    activity: createActivityStore(database, invocations),
    overview: createOverviewStore(database, self.id),
    users: createUserStore(database, { origin: self.id, trailed, trail: writer }),
    people: createPeopleStore(trailed, { origin: self.id, trail: writer }),
    tasks,
    agents,
    oauth: createOAuthStore(database, { origin: self.id, trail: writer }),
    secrets: createSecretStore(database),
    sessions: createSessionStore(database),
    trail: createTrailStore({ database: trailed, writer, keys }),
    library: createLibraryStore(database, { dialect: database.dialect, trail: writer, origin: self.id, now }),
    bus,
    limits: place.kind === 'postgres' ? createSharedLimits(database, self.id) : undefined,
    runs: createRunStore(database, {
      self,
      isGone: all.isGone,
      leaseSeconds: all.runLeaseSeconds,
      monotonicMs,
      trailed,
      enter: writer.append,
    }),
    wakeups:
      place.kind === 'postgres'
        ? async (parts) => (await import('./boss-queue.ts')).createBossQueue(database, parts)
        : undefined,
    migrate: database.migrate,
    connections: database.connections,
    async health() {
      // To look is also to be seen, where there is something to be seen for.
      const touch = isLogged ? renew : () => database.write(touchNothing);
      const health = await healthOf(() => looked(database, plan, touch), limits);
      if (!health.isReady || surprise === undefined || monotonicMs() > surprise.untilMs) return health;
      return { isReady: false, reason: surprise.reason };
    },
    async sweep() {
      await invocations.writeLate();
      const closed = await sweep(database, { self, isOurs: invocations.isOurs, now });
      await fillMissingCodes(database);
      return closed;
    },
    prune: (before) => prune(database, before),
    async pruneKept(keepMs) {
      const { time, newDoubtMs } = await believeClock(database, now(), keepMs);
      if (newDoubtMs !== undefined) onSurprise(doubtOf(newDoubtMs));
      return prune(database, new Date(time.getTime() - keepMs));
    },
    async close() {
      await Promise.all([invocations.idle(), tasks.idle(), agents.close(), bus.close()]);
      await invocations.writeLate();
      lease.stop();
      if (lease.isOver()) await whenAvailable(signOff(database, self.id));
      await whenAvailable(withTimeLimit(database.close(), limits.operation, tooSlow));
    },
  };
}

/** Beside the database, where it is a file; one on a server has no folder here. */
const keySourceOf = (place: StorePlace): TrailKeySource | undefined =>
  place.kind === 'sqlite' ? { dataDirectory: place.dataDirectory, secret: undefined } : undefined;

const doubtOf = (aheadMs: number): string =>
  `The clock is ${spanOf(Math.floor(aheadMs / 3_600_000))} ahead of the log, or nothing was recorded for that long: nothing more is deleted until it has stayed so for a day; set it right if it is wrong`;

const spanOf = (hours: number): string =>
  hours < 48 ? counted(hours, 'hour') : counted(Math.floor(hours / 24), 'day');

function guard(place: StorePlace, options: Pick<GuardedOptions, 'limits' | 'plan' | 'open'>): GuardedSql {
  const gate = createRetryGate(monotonicMs, Math.random);
  const dialect = place.kind === 'postgres' ? postgresDialect : sqliteDialect;
  return createGuardedSql({ dialect, gate, ...options });
}

async function openDriver(
  place: StorePlace,
  limitMs: number,
  onSurprise: (surprise: Surprise) => void,
): Promise<Driver> {
  try {
    if (place.kind === 'postgres') return (await import('./postgres.ts')).createPostgres(place.url, limitMs);
    return (await import('./sqlite.ts')).createSqlite(place.dataDirectory, limitMs, onSurprise);
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error;
    const sentence =
      'Cannot open the store: its driver does not run on this machine; reinstall Repertoire or use --no-log';
    throw new StoreUnavailable(sentence, { cause: error });
  }
}

/** All tables are there, and it can be written to. */
async function looked(database: Sql, plan: MigrationPlan, touch: () => Promise<void>): Promise<void> {
  const missing = await findMissingTable(database, plan);
  if (missing !== undefined) throw missingTable(database.dialect.kind, missing);
  await touch();
}

/** Refused by a database that cannot be written to. */
function* touchNothing(): Steps<void> {
  yield plain('UPDATE repertoire_secrets SET name = name WHERE 1 = 0');
}

async function healthOf(look: () => Promise<void>, { operation }: StoreLimits): Promise<StoreHealth> {
  try {
    await withTimeLimit(look(), operation, tooSlow);
    return { isReady: true };
  } catch (error) {
    if (error instanceof StoreUnavailable) return { isReady: false, reason: error.message };
    throw error;
  }
}

/** This process runs nothing any more, so no sweep has to look at it. */
async function signOff(database: Sql, id: string): Promise<void> {
  await database.write(() => removeProcess(database.dialect, id, false));
}

/** For work that can be left undone while the store is away. */
async function whenAvailable(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
  }
}
