// The composition root: puts the parts together from settings. The only file that may know all of them.
import type { Catalog } from './catalog/catalog.ts';
import { openCatalog, openCatalogEarly } from './catalog/live-catalog.ts';
import { type Root, resolveRoots } from './catalog/roots.ts';
import type { LogPlace, Settings } from './config.ts';
import type { Runtime } from './execution/runtime.ts';
import type { RuntimeLog } from './execution/runtime-log.ts';
import { ok, type Result } from './result.ts';
import type { Store } from './store/store.ts';
import type { UserConfig } from './user-config.ts';

export interface StartOptions {
  /** One line per event. Never standard output: that belongs to the protocol. */
  readonly log: (line: string) => void;
  /** False for commands that look once. */
  readonly watch: boolean;
  /** True: ready as soon as it is known what there is; see `openCatalogEarly`. */
  readonly early?: boolean;
  /** Instead of those of the settings. */
  readonly roots?: readonly Root[];
}

export function startCatalog(settings: Settings, { log, watch, early = false, roots }: StartOptions): Promise<Catalog> {
  const open = early ? openCatalogEarly : openCatalog;
  return open({
    roots: roots ?? resolveRoots(settings.rootRequest),
    allowLinks: settings.allowLinks,
    without: settings.without,
    rescanMs: settings.rescanMs,
    watch,
    now: () => new Date(),
    log,
  });
}

/** Typed skills, ready to run, and the store that records them. */
export interface TypedSkills {
  /** With what the operator's file adds. */
  readonly settings: Settings;
  readonly runtime: Runtime;
  /** Absent with `--no-log`. */
  readonly store: Store | undefined;
  /** Lets running calls end, then writes what waits. */
  close(): Promise<void>;
}

export interface TypedOptions {
  readonly log: RuntimeLog;
  /** Names that no skill may have: those of the document tools. */
  readonly reserved: readonly string[];
}

/** How long running calls are given at the end (F11). */
const GRACE_MS = 3_000;

/** Loaded only when somebody runs typed skills: none of this is on the start path of a server of documents. */
export async function startTypedSkills(
  settings: Settings,
  { log, reserved }: TypedOptions,
): Promise<Result<TypedSkills, string>> {
  const config = await loadUserConfig(settings);
  if (!config.ok) return config;
  const [{ createRuntime }, store] = await Promise.all([import('./execution/runtime.ts'), startStore(settings)]);
  const { skills = [], agents = [], limits } = config.value.own;
  const runtime = createRuntime({
    skills,
    agents,
    reserved,
    log,
    invocationLog: store?.invocations,
    policy: settings.logPolicy,
    callerPerMinute: limits?.callerPerMinute,
  });
  return ok({
    settings: config.value.settings,
    runtime,
    store,
    async close() {
      await runtime.close(GRACE_MS);
      await store?.close();
    },
  });
}

/** `undefined` with `--no-log`. Nothing is opened before its first use. */
export async function startStore({ logPlace }: Pick<Settings, 'logPlace'>): Promise<Store | undefined> {
  if (logPlace === undefined) return undefined;
  const { openStore } = await import('./store/store.ts');
  return openStore(logPlace);
}

/** The SQL that brings such a store up to date, as text. */
export async function printLogMigrations(kind: LogPlace['kind']): Promise<string> {
  const { printMigrations } = await import('./store/migrate.ts');
  return printMigrations(kind);
}

/** Sweeps and forgets from time to time; opens the store. Answers how to stop it. */
export async function startHousekeeping(store: Store, { keepMs }: Pick<Settings, 'keepMs'>): Promise<() => void> {
  const housekeeping = await import('./store/housekeeping.ts');
  return housekeeping.startHousekeeping(store, { keepMs, now: () => new Date() });
}

/** Executes the file that the operator named; without one there is nothing of theirs. */
async function loadUserConfig(settings: Settings): Promise<Result<{ own: UserConfig; settings: Settings }, string>> {
  if (settings.configFile === undefined) return ok({ own: {}, settings });
  const { applyUserConfig, loadUserConfigFile } = await import('./user-config.ts');
  const own = await loadUserConfigFile(settings.configFile);
  return own.ok ? ok({ own: own.value, settings: applyUserConfig(settings, own.value) }) : own;
}
