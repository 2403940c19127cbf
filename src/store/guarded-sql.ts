// A database that is opened at its first use and brought up to date. After a failure it is left alone for a moment, and
// every caller whom it concerns is refused at once with the same reason.
import { keptPromise } from '../async/kept-promise.ts';
import { monotonicMs } from '../async/monotonic-clock.ts';
import { StoreUnavailable } from '../skills/record/invocation-log.ts';
import { type StoreLimits, withTimeLimit } from './limits.ts';
import { isUpToDate, type MigrationPlan, migrate } from './migrate.ts';
import {
  type ConnectionCounts,
  type Dialect,
  type Driver,
  type ForeignRows,
  type Listening,
  type Sql,
  withWriteLimit,
} from './sql.ts';
import { hindersOnlyWriting, isTooSlow, tooSlow, Withheld } from './store-errors.ts';

export interface GuardedSql extends Sql {
  /** The names of the migrations that the first use in this process applied. */
  migrate(): Promise<readonly string[]>;
  /** Undefined without a pool, or before its first use. */
  connections(): ConnectionCounts | undefined;
  /** See `Driver`; undefined before its first use, too. */
  version(): number | undefined;
  /** See `Driver`. */
  listen(hear: (payload: string) => void, onLost: () => void): Promise<Listening>;
  /** See `Driver`. */
  execute(text: string, values: readonly unknown[]): Promise<ForeignRows>;
  close(): Promise<void>;
}

export interface GuardedOptions {
  readonly dialect: Dialect;
  readonly gate: RetryGate;
  /** Imports the driver: no driver is loaded before it is needed. */
  readonly open: () => Promise<Driver>;
  readonly limits: StoreLimits;
  /** Which tables it has to have. */
  readonly plan: MigrationPlan;
}

/** A full disk keeps writers out, not readers. */
type Use = 'read' | 'write';

export function createGuardedSql(options: GuardedOptions): GuardedSql {
  const { dialect, gate, limits } = options;
  const opening = createOpening(options);
  const readyInTime = (use: Use) =>
    withTimeLimit(opening.ready(use), limits.operation, opening.lateness).catch((error: unknown) =>
      failWith(error, gate),
    );
  /**
   * The file or the server may be another one afterwards: the next caller looks whether its tables are there. Not when it
   * only took too long: it would have more to do.
   */
  const lookAgain = (error: unknown): never => {
    if (error instanceof StoreUnavailable && !(isTooSlow(error) || error instanceof Withheld)) opening.forgetTables();
    throw error;
  };
  return {
    dialect,
    // A slow read does not close the gate: writers may still get through.
    read(statement) {
      const driver = opening.find('read');
      // The driver's own limit is enough when nothing comes before it: each limit costs a timer.
      if (driver !== undefined) return driver.read(statement).catch(lookAgain);
      return withTimeLimit(
        readyInTime('read').then((opened) => opened.read(statement).catch(lookAgain)),
        limits.operation,
        opening.lateness,
      );
    },
    async write(steps) {
      const started = monotonicMs();
      const driver = opening.find('write') ?? (await readyInTime('write'));
      // The limit is for opening and writing together. At least 1: PostgreSQL takes 0 for no limit.
      const leftMs = Math.ceil(Math.max(1, limits.operation - (monotonicMs() - started)));
      const value = await driver
        .write(steps, leftMs)
        .catch(lookAgain)
        .catch((error: unknown) => failWith(error, gate));
      gate.succeeded();
      return value;
    },
    migrate: opening.migrate,
    connections: () => opening.driver()?.connections(),
    version: () => opening.driver()?.version?.(),
    async listen(hear, onLost) {
      const driver = await readyInTime('read');
      if (driver.listen === undefined) throw new Error('A database without notifications is not listened to');
      return driver.listen(hear, onLost);
    },
    async execute(text, values) {
      const driver = opening.find('write') ?? (await readyInTime('write'));
      if (driver.execute === undefined) throw new Error('Only PostgreSQL takes statements of a library');
      return driver.execute(text, values);
    },
    close: opening.close,
  };
}

function failWith(error: unknown, gate: RetryGate): never {
  // A caller that the gate refused does not keep it closed.
  const isNews = error instanceof StoreUnavailable && !(error instanceof Withheld) && error !== gate.closedBy();
  if (isNews) gate.failed(error);
  throw error;
}

/**
 * This process or another one migrates, and takes longer than a caller waits. The next caller can use the database as soon as its
 * tables are there.
 */
class TablesUnready extends Withheld {
  constructor() {
    super('Cannot use the database yet: its tables are being brought up to date; try again in a moment');
  }
}

/** From nothing to a database that is open and up to date, until it is closed for good. */
function createOpening({ gate, open, limits, plan }: GuardedOptions) {
  let driver: Driver | undefined;
  let closed: Promise<void> | undefined;
  const opened = keptPromise(open);
  let migrations = 0;
  let isReady = false;
  // One caller has waited for the tables in vain: until they are there, the others are refused at once.
  let isLate = false;
  const migrated = keptPromise(async () => {
    const database = withWriteLimit(await opened.get(), limits.migration);
    if (await isUpToDate(database, plan)) return [];
    migrations += 1;
    return migrate(database, plan).finally(() => {
      migrations -= 1;
      isLate = false;
    });
  });
  const findRefusal = (use: Use): StoreUnavailable | undefined => {
    if (closed !== undefined) return new StoreUnavailable('Cannot use the store: it is closed');
    const refusal = gate.closedBy();
    return refusal !== undefined && (use === 'write' || !hindersOnlyWriting(refusal)) ? refusal : undefined;
  };
  const reach = async (use: Use): Promise<Driver> => {
    const refusal = findRefusal(use);
    if (refusal !== undefined) throw refusal;
    driver = await opened.get();
    const tables = migrated.get();
    await tables;
    // Unless they were forgotten meanwhile.
    isReady = migrated.find() === tables;
    return driver;
  };
  return {
    async ready(use: Use): Promise<Driver> {
      if (isLate) throw new TablesUnready();
      return reach(use);
    },
    /** Why it is not ready yet. */
    lateness: () => {
      isLate = migrations > 0;
      return isLate ? new TablesUnready() : tooSlow();
    },
    /** When there is nothing to wait for. */
    find: (use: Use): Driver | undefined => (isReady && findRefusal(use) === undefined ? driver : undefined),
    driver: () => driver,
    forgetTables: () => {
      isReady = false;
      migrated.forget();
    },
    async migrate() {
      await reach('write');
      return (await migrated.find()) ?? [];
    },
    close() {
      closed ??= closeOpened(opened.find());
      return closed;
    },
  };
}

/** What could not be opened has told its reason to those who asked. */
async function closeOpened(opened: Promise<Driver> | undefined): Promise<void> {
  const driver = await opened?.catch(() => undefined);
  await driver?.close();
}

/** How long a database is left alone after a failure: longer after each, and not at all after a success. Keeps no timer. */
export interface RetryGate {
  /** The failure that every caller is refused with for now. */
  closedBy(): StoreUnavailable | undefined;
  failed(failure: StoreUnavailable): void;
  succeeded(): void;
}

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_000;

export function createRetryGate(monotonicMs: () => number, random: () => number): RetryGate {
  let pauseMs = 0;
  let closedUntil = 0;
  let failure: StoreUnavailable | undefined;
  return {
    closedBy: () => (monotonicMs() < closedUntil ? failure : undefined),
    failed(latest) {
      pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs === 0 ? FIRST_PAUSE_MS : pauseMs * 2);
      // Jitter: processes that lost the same database do not all come back in the same instant.
      closedUntil = monotonicMs() + pauseMs * (0.5 + random() / 2);
      failure = latest;
    },
    succeeded() {
      pauseMs = 0;
      closedUntil = 0;
      failure = undefined;
    },
  };
}
