// The store as a program gets it: the log to hand over and to read. What else is in it only the built-in skills use.
import { keptPromise } from '../async/kept-promise.ts';
import type { NoteFile, NoteLoad } from '../repertoire/load-log.ts';
import { NOTHING_GIVEN, resolveSettings } from '../settings/config.ts';
import { readEnvironment } from '../settings/environment.ts';
import type { InvocationLog } from '../skills/record/invocation-log.ts';
import type { RuntimeLog } from '../skills/record/runtime-log.ts';
import {
  durationValue,
  type FieldRule,
  findOptionProblem,
  functionValue,
  refuse,
  textValue,
} from '../values/field-rules.ts';
import { checkedLog } from './checked-log.ts';
import { harmlessLog } from './harmless-log.ts';
import { keepRecords } from './records.ts';
import { findDatabaseFault } from './serve-faults.ts';
import { type Store as StoreParts, startStore, tellSurprises } from './store.ts';

/**
 * Where a store is kept and for how long. Every field may be left out; one that is not known is refused.
 *
 * @example
 * const options: StoreOptions = { data: './data', keep: '90d' };
 * const kept = await openStore(options);
 */
export interface StoreOptions {
  /** The folder of the SQLite file, made when it is not there; `~/.repertoire` when absent. */
  readonly data?: string;
  /** A PostgreSQL instead: `postgres://USER:PASSWORD@HOST/DATABASE`. The variable DATABASE_URL is not read here. */
  readonly databaseUrl?: string;
  /** Records older than this are deleted: `90m`, `12h`, `30d`. 30 days when absent. */
  readonly keep?: string;
  /** Receives what the store reports, one event at a time. Silent when absent. */
  readonly log?: RuntimeLog;
}

/**
 * What ran, what was read, and what the built-in skills keep, in SQLite or PostgreSQL; until `close()`. The database is
 * reached at the first use, and again after it was away.
 *
 * @example
 * const kept: Store = await openStore({ data: './data' });
 * const own = createRuntime({ skills: [greet], invocationLog: kept.invocations });
 * await own.invoke({ name: 'greet', input: { name: 'Ada' } });
 * console.log((await kept.invocations.list({ limit: 10 })).invocations.length);
 * await own.close();
 * await kept.close();
 */
export interface Store {
  /** What ran: for `invocationLog` of `createRuntime`, and to be read. */
  readonly invocations: InvocationLog;
  /** Records which documents are read, behind the answer: for `noteLoad` of `createRepertoire`. */
  readonly noteLoad: NoteLoad;
  /** Records which other files of documents are read, behind the answer: for `noteFile` of `createRepertoire`. */
  readonly noteFile: NoteFile;
  /** Whether it can be written to now, within two seconds. */
  health(): Promise<{ readonly isReady: true } | { readonly isReady: false; readonly reason: string }>;
  /** Brings the tables up to date, as the first use does anyway. Answers what was applied. */
  migrate(): Promise<readonly string[]>;
  /** Writes what waits, then releases everything. Close the runtime first. */
  close(): Promise<void>;
}

const FIELDS = {
  data: textValue,
  databaseUrl: textValue,
  keep: durationValue,
  log: functionValue,
} as const satisfies Record<keyof StoreOptions, FieldRule>;

/** By the store that a program has: all of it. */
const partsByStore = new WeakMap<object, StoreParts>();

/** `undefined`: it is none that `openStore` gave. */
export const findStoreParts = (store: Store): StoreParts | undefined => partsByStore.get(store);

const CANNOT = 'open the store';

/**
 * Opens the store of a program: the log for `createRuntime` and `createRepertoire`, and a place for what the built-in skills
 * keep. As in `repertoire serve`, runs whose process is gone are closed every minute, and old records are deleted.
 * `repertoire log --data DIR` shows what is in it. It rejects with one sentence when the options cannot be used; a database
 * that is away is no such case.
 *
 * @example
 * const kept = await openStore({ data: './data' });
 * const watched = createRepertoire(catalog, { noteLoad: kept.noteLoad, noteFile: kept.noteFile });
 * console.log(watched.named().length, await kept.health());
 * await kept.close();
 */
export async function openStore(options: StoreOptions = {}): Promise<Store> {
  refuse(CANNOT, findOptionProblem('openStore', options, FIELDS));
  const { data, databaseUrl, keep } = options;
  // A program's own DATABASE_URL need not be ours: its tables are made only where it was named.
  const environment = { ...readEnvironment(), variables: {} };
  const settings = resolveSettings({ ...NOTHING_GIVEN, data, databaseUrl, keep }, environment);
  const fault = findDatabaseFault({ settings, hasDatabaseUrl: true });
  refuse(CANNOT, fault && `the field "databaseUrl" ${fault.problem}`);
  const log = harmlessLog(options.log);
  const parts = await startStore(settings, tellSurprises(log));
  const records = keepRecords(settings, parts, log);
  const close = async () => {
    await records.close();
    await parts.close();
  };
  const { health, migrate } = parts;
  const invocations = checkedLog(parts.invocations);
  const { noteLoad, noteFile } = records;
  const store: Store = { invocations, noteLoad, noteFile, health, migrate, close: keptPromise(close).get };
  partsByStore.set(store, parts);
  return store;
}
