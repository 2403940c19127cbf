// The store and what is kept beside it, each loaded at its first use: a server of documents loads no database.
import type { LoadJournal } from '../repertoire/load-log.ts';
import { createLoadRecorder } from '../repertoire/load-recorder.ts';
import type { Settings } from '../settings/config.ts';
import type { StoreKind } from '../settings/store-place.ts';
import type { RuntimeLog } from '../skills/record/runtime-log.ts';
import type { OperatorToken } from '../store/operator-token-file.ts';
import type { TokenWatch } from '../store/operator-token-watch.ts';
import type { Store, StoreOptions } from '../store/store.ts';
import { fail, type Result } from '../values/result.ts';

export type { Store } from '../store/store.ts';

/** For commands: a person waits longer for a busy database than a request to a server may (H6). */
export const COMMAND_LIMITS: Partial<StoreOptions> = { operationLimitMs: 10_000 };

/** Connects at its first use. */
export async function startStore(
  { storePlace, isLogged, dataDirectory, http }: Pick<Settings, 'storePlace' | 'isLogged' | 'dataDirectory' | 'http'>,
  options: Partial<StoreOptions> = {},
): Promise<Store> {
  const { openStore } = await import('../store/store.ts');
  const trailKey = { dataDirectory, secret: http.signingSecret };
  return openStore(storePlace, { isLogged, trailKey, ...options });
}

/** For a process that runs on: its database may be deleted or replaced under it, its clock may leap. */
export const tellSurprises = (log: RuntimeLog): Pick<StoreOptions, 'onSurprise' | 'onOtherKey'> => ({
  onSurprise: (message) => log({ level: 'warn', message }),
  onOtherKey: () => log({ level: 'warn', message: OTHER_KEY }),
});

/** What was entered stays. With both keys in one place it can be verified (L5). */
export const OTHER_KEY =
  'The trail has another key now than before: set REPERTOIRE_SECRET to the same value for every server and every command on this database, or `repertoire trail --verify` calls the trail broken';

/** Writes what processes that were killed had read and not recorded (U7). Where the store is away it stays for another time. */
export async function writeLeftLoads(
  { loads }: Pick<Store, 'loads'>,
  settings: Pick<Settings, 'dataDirectory' | 'storePlace'>,
): Promise<void> {
  const recorder = createLoadRecorder({
    openLog: async () => loads,
    openJournal: () => startLoadJournal(settings),
    now: () => new Date(),
    // What is asked of the store next says why.
    onFailure: () => undefined,
  });
  await recorder.takeUp();
  await recorder.close();
}

/** Loads on their way to the log. */
export async function startLoadJournal(settings: Pick<Settings, 'dataDirectory' | 'storePlace'>): Promise<LoadJournal> {
  const { openLoadJournal } = await import('../store/load-journal.ts');
  return openLoadJournal({ ...settings, now: () => new Date() });
}

/** Sweeps and forgets from time to time; opens the store. Answers how to stop it. */
export async function startHousekeeping(
  store: Store,
  { keepMs }: Pick<Settings, 'keepMs'>,
  onFault: (error: unknown) => void,
): Promise<() => void> {
  const housekeeping = await import('../store/housekeeping.ts');
  return housekeeping.startHousekeeping(store, { keepMs, onFault });
}

/** The operator's token, made when there is none. */
export async function openOperatorToken(settings: TokenSettings): Promise<Result<OperatorToken, string>> {
  const file = await import('../store/operator-token-file.ts');
  return file.openOperatorToken(tokenSource(settings));
}

/** The operator's token, if there is one that can be read. */
export async function findOperatorToken(settings: TokenSettings): Promise<string | undefined> {
  const file = await import('../store/operator-token-file.ts');
  return file.findOperatorToken(tokenSource(settings));
}

/**
 * A new one in its place, once its entry is in the trail: there may be an entry without a new token, if the disk refuses it or
 * the process is killed in between, but no new token without an entry (L5). Rejects when the store cannot be reached.
 */
export async function rotateOperatorToken(
  settings: TokenSettings,
  { trail }: Pick<Store, 'trail'>,
  actor: string,
): Promise<Result<OperatorToken, string>> {
  const file = await import('../store/operator-token-file.ts');
  const fault = file.findRotationFault(settings.http);
  if (fault !== undefined) return fail(fault);
  await trail.note({ actor, action: 'token.rotate', subject: 'operator' });
  return file.rotateOperatorToken(tokenSource(settings));
}

/** Calls back when the token in the data directory is another one. Answers how to stop; nothing is watched where a variable sets it. */
export async function watchOperatorToken(
  { dataDirectory, http }: TokenSettings,
  watch: Omit<TokenWatch, 'dataDirectory'>,
): Promise<() => void> {
  if (http.operatorToken !== undefined) return () => undefined;
  const file = await import('../store/operator-token-watch.ts');
  return file.watchOperatorToken({ dataDirectory, ...watch });
}

type TokenSettings = Pick<Settings, 'dataDirectory' | 'http'>;

const tokenSource = ({ dataDirectory, http }: TokenSettings) => ({ dataDirectory, operatorToken: http.operatorToken });

/** The SQL that brings such a store up to date, as text. */
export async function printLogMigrations(kind: StoreKind): Promise<string> {
  const { printMigrations } = await import('../store/migrate.ts');
  return printMigrations(kind);
}
