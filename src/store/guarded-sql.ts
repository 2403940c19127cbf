// A database that is opened at its first use and brought up to date; after a failure it is left alone for a moment.
import { monotonicMs } from '../async/monotonic-clock.ts';
import { StoreUnavailable } from '../skills/record/invocation-log.ts';
import { tooSlow, withTimeLimit } from './limits.ts';
import { isUpToDate, migrate } from './migrate.ts';
import { type Dialect, OPERATION_LIMIT_MS, type Sql } from './sql.ts';

export interface GuardedSql extends Sql {
  /** The names of the migrations that the first use in this process applied. */
  migrate(): Promise<readonly string[]>;
}

export interface GuardedOptions {
  readonly dialect: Dialect;
  readonly gate: RetryGate;
  /** Imports the driver: no driver is loaded before it is needed. */
  readonly open: () => Promise<Sql>;
  /** Of each operation, opening included. */
  readonly limitMs?: number;
}

export function createGuardedSql(options: GuardedOptions): GuardedSql {
  const { dialect, gate, limitMs: operationLimitMs = OPERATION_LIMIT_MS } = options;
  const opening = createOpening(options);
  const readyInTime = () =>
    withTimeLimit(opening.ready(), operationLimitMs, opening.lateness).catch((error: unknown) => failWith(error, gate));
  return {
    dialect,
    // A slow question is the asker's misfortune: it does not close the gate for writers.
    read: (statement) =>
      withTimeLimit(
        readyInTime().then((database) => database.read(statement)),
        operationLimitMs,
        opening.lateness,
      ),
    async write(steps, { limitMs } = { limitMs: operationLimitMs }) {
      const started = monotonicMs();
      const database = await readyInTime();
      // The limit is for both; PostgreSQL takes nothing for no limit.
      const left = Math.ceil(Math.max(1, limitMs - (monotonicMs() - started)));
      const value = await database.write(steps, { limitMs: left }).catch((error: unknown) => {
        // The file or the server may be another one afterwards: look again whether its tables are there.
        if (error instanceof StoreUnavailable) opening.forgetTables();
        return failWith(error, gate);
      });
      gate.succeeded();
      return value;
    },
    migrate: opening.migrate,
    connections: () => opening.database()?.connections?.(),
    close: opening.close,
  };
}

function failWith(error: unknown, gate: RetryGate): never {
  // A caller that the gate refused does not keep it closed. Neither does the wait for the tables: the database is busy
  // with them, and the next caller can use it as soon as they are there.
  const isNews = error instanceof StoreUnavailable && error !== gate.closedBy() && !(error instanceof TablesUnready);
  if (isNews) gate.failed(error);
  throw error;
}

/** This process or another one migrates, and takes longer than a caller waits. */
class TablesUnready extends StoreUnavailable {
  constructor() {
    super('Cannot use the database yet: its tables are being brought up to date; try again in a moment');
  }
}

/** From nothing to a database that is open and up to date, until it is closed for good. */
function createOpening({ gate, open }: GuardedOptions) {
  let database: Sql | undefined;
  let closed: Promise<void> | undefined;
  const opened = keepUnlessFailed(open);
  let migrations = 0;
  // One caller has waited in vain: until the tables are there, no other has to.
  let isLate = false;
  const migrated = keepUnlessFailed(async () => {
    const found = await opened.get();
    if (await isUpToDate(found)) return [];
    migrations += 1;
    return migrate(found).finally(() => {
      migrations -= 1;
      isLate = false;
    });
  });
  const reach = async (): Promise<Sql> => {
    if (closed !== undefined) throw new StoreUnavailable('Cannot use the store: it is closed');
    const refusal = gate.closedBy();
    if (refusal !== undefined) throw refusal;
    database = await opened.get();
    await migrated.get();
    return database;
  };
  return {
    async ready(): Promise<Sql> {
      if (isLate) throw new TablesUnready();
      return reach();
    },
    /** Why it is not ready yet. */
    lateness: () => {
      isLate = migrations > 0;
      return isLate ? new TablesUnready() : tooSlow();
    },
    database: () => database,
    forgetTables: migrated.forget,
    async migrate() {
      await reach();
      return (await migrated.found()) ?? [];
    },
    close() {
      closed ??= closeOpened(opened.found());
      return closed;
    },
  };
}

/** Made at the first use, and made again at the next one after it failed or was forgotten. */
function keepUnlessFailed<T>(make: () => Promise<T>) {
  let kept: Promise<T> | undefined;
  const forget = () => {
    kept = undefined;
  };
  return {
    get(): Promise<T> {
      kept ??= make().catch((error: unknown) => {
        forget();
        throw error;
      });
      return kept;
    },
    found: () => kept,
    forget,
  };
}

/** What could not be opened has told its reason to those who asked. */
async function closeOpened(opened: Promise<Sql> | undefined): Promise<void> {
  const database = await opened?.catch(() => undefined);
  await database?.close();
}

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_000;

export interface RetryGate {
  /** The failure that everybody hears for now. */
  closedBy(): StoreUnavailable | undefined;
  failed(failure: StoreUnavailable): void;
  succeeded(): void;
}

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
