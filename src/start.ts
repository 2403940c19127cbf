// The composition root: puts the parts together from settings. The only file that may know all of them.

import { monotonicMs } from './async/monotonic-clock.ts';
import type { FindSkills, IsSkill } from './builtin/ports/find-skills.ts';
import type { Catalog } from './catalog/catalog.ts';
import { openCatalog, openCatalogEarly } from './catalog/live-catalog.ts';
import { resolveRoots } from './catalog/roots.ts';
import type { Root } from './catalog/scan/root.ts';
import { normaliseName } from './document/names.ts';
import type { Authenticate } from './identity/authentication.ts';
import type { DashboardSessions } from './identity/dashboard-sessions.ts';
import type { UserTokens } from './identity/user-tokens.ts';
import type { Settings } from './settings/config.ts';
import type { StorePlace } from './settings/store-place.ts';
import type { UserConfig } from './settings/user-config.ts';
import type { AnySkill } from './skills/define/define-skill.ts';
import type { RuntimeLog } from './skills/record/runtime-log.ts';
import type { Runtime } from './skills/run/runtime.ts';
import type { OperatorToken } from './store/operator-token-file.ts';
import type { Store } from './store/store.ts';
import { ok, type Result } from './values/result.ts';

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
  readonly store: Store;
  /** Of the users of the built-in skills. */
  readonly userTokens: UserTokens;
  /** Built-in skills that route requests search the skills of this repertoire from now on. */
  bindSearch(search: FindSkills): void;
  /** Lets running calls end, then writes what waits. */
  close(): Promise<void>;
}

export interface TypedOptions {
  readonly log: RuntimeLog;
  /** Names that no skill may have: those of the document tools. */
  readonly reserved: readonly string[];
  /** Whether the built-in skills are there unless `--builtin` says otherwise (B6). */
  readonly hasBuiltin: boolean;
}

/** How long running calls are given at the end (F11). */
const GRACE_MS = 3_000;

/** Loaded only when somebody runs typed skills: none of this is on the start path of a server of documents. */
export async function startTypedSkills(
  given: Settings,
  { log, reserved, hasBuiltin }: TypedOptions,
): Promise<Result<TypedSkills, string>> {
  const config = await loadUserConfig(given, log);
  if (!config.ok) return config;
  const { own, settings } = config.value;
  const [{ createRuntime }, { createUserTokens }, store] = await Promise.all([
    import('./skills/run/runtime.ts'),
    import('./identity/user-tokens.ts'),
    startStore(settings),
  ]);
  const { signingSecret } = settings.http;
  const userTokens = createUserTokens({ signingSecret, secrets: store.secrets, now: () => new Date() });
  if (!userTokens.ok) return userTokens;
  const search = createLateSearch();
  const builtin = await chooseBuiltin(settings, hasBuiltin, {
    store,
    userTokens: userTokens.value,
    findSkills: search.find,
    isSkill: (name) => runtime.find(name) !== undefined,
  });
  const skills = withoutNamed(withOwnFirst(own.skills ?? [], builtin), settings.without);
  const runtime = createRuntime({ ...runtimeOptions(own, settings, store), skills, reserved, log });
  const close = async (): Promise<void> => {
    await runtime.close(GRACE_MS);
    await store.close();
  };
  return ok({ settings, runtime, store, userTokens: userTokens.value, bindSearch: search.bind, close });
}

const runtimeOptions = (own: UserConfig, { isLogged, logPolicy }: Settings, { invocations }: Store) => ({
  agents: own.agents ?? [],
  invocationLog: isLogged ? invocations : undefined,
  policy: logPolicy,
  callerPerMinute: own.limits?.callerPerMinute,
});

/** Nothing is opened before its first use. */
export async function startStore({ storePlace }: Pick<Settings, 'storePlace'>): Promise<Store> {
  const { openStore } = await import('./store/store.ts');
  return openStore(storePlace);
}

/** Who may call the server, and the token of its operator (H5). */
export interface Identities {
  readonly authenticate: Authenticate;
  /** Of the dashboard. */
  readonly sessions: DashboardSessions;
  /** Absent where none can be kept and none is needed (`--no-auth`). */
  readonly operatorToken: string | undefined;
}

export async function startIdentities(
  { http, dataDirectory }: Settings,
  { store, userTokens }: Pick<TypedSkills, 'store' | 'userTokens'>,
  log: RuntimeLog,
): Promise<Result<Identities, string>> {
  const [{ createAuthenticator }, { createDashboardSessions }, { randomText }] = await Promise.all([
    import('./identity/authenticator.ts'),
    import('./identity/dashboard-sessions.ts'),
    import('./identity/token.ts'),
  ]);
  const opened = await openOperatorToken({ dataDirectory, http });
  if (!opened.ok && !http.noAuth) return opened;
  const warning = opened.ok ? opened.value.warning : opened.failure;
  if (warning !== undefined) log({ level: 'warn', message: warning });
  const operatorToken = opened.ok ? opened.value.token : undefined;
  const authenticate = createAuthenticator({
    operatorToken,
    agents: store.agents,
    verifyUser: userTokens.verify,
    users: store.users,
    noAuth: http.noAuth,
    now: () => new Date(),
    monotonicMs,
  });
  // What replicas have in common without asking the store: a session is good while it is away, too (H6).
  const secret = http.signingSecret ?? operatorToken ?? randomText();
  return ok({ authenticate, sessions: createDashboardSessions({ secret, now: () => new Date() }), operatorToken });
}

/** The operator's token, made when there is none; `rotate`: a new one in its place. */
export async function openOperatorToken(
  { dataDirectory, http }: Pick<Settings, 'dataDirectory' | 'http'>,
  { rotate = false } = {},
): Promise<Result<OperatorToken, string>> {
  const file = await import('./store/operator-token-file.ts');
  const place = { dataDirectory, operatorToken: http.operatorToken };
  return rotate ? file.rotateOperatorToken(place) : file.openOperatorToken(place);
}

/** The SQL that brings such a store up to date, as text. */
export async function printLogMigrations(kind: StorePlace['kind']): Promise<string> {
  const { printMigrations } = await import('./store/migrate.ts');
  return printMigrations(kind);
}

/** Sweeps and forgets from time to time; opens the store. Answers how to stop it. */
export async function startHousekeeping(
  store: Store,
  { keepMs }: Pick<Settings, 'keepMs'>,
  onFault: (error: unknown) => void,
): Promise<() => void> {
  const housekeeping = await import('./store/housekeeping.ts');
  return housekeeping.startHousekeeping(store, { keepMs, now: () => new Date(), onFault });
}

interface BuiltinParts {
  readonly store: Store;
  readonly userTokens: UserTokens;
  readonly findSkills: FindSkills;
  readonly isSkill: IsSkill;
}

async function chooseBuiltin(
  { builtin, ai }: Settings,
  hasBuiltin: boolean,
  { store, userTokens, findSkills, isSkill }: BuiltinParts,
): Promise<readonly AnySkill[]> {
  const names = builtin ?? (hasBuiltin ? 'all' : []);
  if (names.length === 0) return [];
  const { createBuiltinSkills } = await import('./builtin/builtin-skills.ts');
  const skills = createBuiltinSkills({
    tasks: store.tasks,
    users: store.users,
    tokens: userTokens,
    now: () => new Date(),
    monotonicMs,
    planning: { ai, findSkills, isSkill },
  });
  return names === 'all' ? skills : skills.filter(({ name }) => names.includes(name));
}

/** The operator's file may hold anything: what is no skill is refused when it is registered. */
type Unchecked = Partial<AnySkill> | null | undefined;

/** A skill of the operator's own takes the place of a built-in one of the same name. */
function withOwnFirst(own: readonly AnySkill[], builtin: readonly AnySkill[]): readonly AnySkill[] {
  const names = new Set(own.map((skill: Unchecked) => skill?.name));
  return [...own, ...builtin.filter(({ name }) => !names.has(name))];
}

/** Skills that search are found by the same search, which is made of all skills: it is bound when they are all there. */
function createLateSearch() {
  let search: FindSkills | undefined;
  const find: FindSkills = async (query, limit) => (await search?.(query, limit)) ?? [];
  const bind = (whole: FindSkills): void => {
    search = whole;
  };
  return { find, bind };
}

/** What the operator left out is in no listing and can be invoked by nobody, of either kind (C). */
function withoutNamed(skills: readonly AnySkill[], without: readonly string[]): readonly AnySkill[] {
  const names = new Set(without.map(normaliseName));
  return skills.filter((skill: Unchecked) => !names.has(normaliseName(String(skill?.name))));
}

/** Executes the file that the operator named; without one there is nothing of theirs. From then on the process is guarded. */
async function loadUserConfig(
  settings: Settings,
  log: RuntimeLog,
): Promise<Result<{ own: UserConfig; settings: Settings }, string>> {
  const { guardProcess } = await import('./skills/run/guard-process.ts');
  const guard = () => void guardProcess(log);
  if (settings.configFile === undefined) {
    guard();
    return ok({ own: {}, settings });
  }
  const { applyUserConfig, loadUserConfigFile } = await import('./settings/user-config.ts');
  const own = await loadUserConfigFile(settings.configFile, { guard });
  return own.ok ? ok({ own: own.value, settings: applyUserConfig(settings, own.value) }) : own;
}
