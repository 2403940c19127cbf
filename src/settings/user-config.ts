// The operator's own code: `repertoire.config.ts` with typed skills and settings, executed only when it was named (DESIGN 5).
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { nextTurn } from '../async/next-turn.ts';
import { within } from '../async/within.ts';
import type { AnySkill } from '../skills/define/define-skill.ts';
import type { Schedule } from '../skills/durable/schedule.ts';
import { codeOf } from '../values/error-code.ts';
import { findFieldProblem, isPlainObject, kindOf } from '../values/field-rules.ts';
import { fail, ok, type Result } from '../values/result.ts';
import { placeVisible, type Settings, toAbsolute } from './config.ts';
import { CONFIG_FIELDS } from './config-fields.ts';
import { explainConfigError } from './explain-config-error.ts';
import { openJiti } from './open-jiti.ts';
import { divertStandardOutput } from './standard-output.ts';

/**
 * What the file that `--config` names may say. Paths are relative to the file itself, because the working directory is
 * the host's choice; `~/` is the home directory.
 *
 * @example
 * const config: UserConfig = { skills: [greet], roots: ['./skills'], limits: { callerPerMinute: 60 } };
 */
export interface UserConfig {
  readonly skills?: readonly AnySkill[];
  /** Agents beside the known ones, for `assignedTo`. */
  readonly agents?: readonly string[];
  /** Folders that hold skill folders; they replace the default ones. */
  readonly roots?: readonly string[];
  /** The default folders after `roots`. Without `roots` they are looked at anyway. */
  readonly defaultRoots?: boolean;
  /** Names of skills that are in no listing, search or lookup. */
  readonly without?: readonly string[];
  /**
   * Document skills that only the operator and callers with one of the roles see: those of a root, of a source, of the library, or
   * those of these names (docs/visibility.md). A skill that several entries are about needs a role of each.
   */
  readonly visible?: readonly VisibleSkills[];
  /** Names of skills that hosts see first. */
  readonly pin?: readonly string[];
  /** Directories outside the roots that links may lead into. */
  readonly allowLinks?: readonly string[];
  /** Proxies whose `X-Forwarded-For` `serve` believes, for limits and the log: `10.0.0.0/8`, `fd00::/8`, `192.0.2.7`, `loopback`. */
  readonly trustProxy?: readonly string[];
  readonly limits?: {
    /** Calls per minute of one agent over all typed skills; the operator has no limit. */
    readonly callerPerMinute?: number;
  };
  /**
   * Things that `ownership_validation` knows the owners of beside tasks, by their type: whether this user owns the one with
   * this id. `false` for an id that is not known.
   */
  readonly ownership?: Readonly<Record<string, (userId: string, resourceId: string) => boolean | Promise<boolean>>>;
  /** Runs of typed skills that say `annotations: { destructive: true }` wait until a person has approved them. */
  readonly approvalFor?: readonly 'destructive'[];
  /** Typed skills that run at their times, once over all servers on one store. */
  readonly schedules?: readonly Schedule[];
}

/**
 * Document skills, and the roles that they are for: of a root as it is configured or by its path, of a source (`SOURCE` or
 * `SOURCE@COMMIT7`), of the library, or by their names. Without a role they are for the operator alone.
 *
 * @example
 * const forBilling: VisibleSkills = { root: './billing', roles: ['BillingAgent'] };
 * const forOperator: VisibleSkills = { names: ['incident-response'], roles: [] };
 * const limited: UserConfig = { roots: ['./skills', './billing'], visible: [forBilling, forOperator] };
 */
export type VisibleSkills =
  | { readonly root: string; readonly roles: readonly string[] }
  | { readonly source: string; readonly roles: readonly string[] }
  | { readonly library: true; readonly roles: readonly string[] }
  | { readonly names: readonly string[]; readonly roles: readonly string[] };

/**
 * The configuration as it is, with its types: for the default export of the file that `--config` names.
 *
 * @example
 * export default defineConfig({ skills: [greet], agents: ['BillingAgent'] });
 */
export const defineConfig = (config: UserConfig): UserConfig => config;

/** The settings with what the file adds. The command line wins: a list given there replaces the one in the file. */
export function applyUserConfig(settings: Settings, config: UserConfig): Settings {
  const { rootRequest, configFile } = settings;
  if (configFile === undefined) return settings;
  const place = { home: rootRequest.home, workingDirectory: dirname(configFile) };
  const absolute = (paths: readonly string[] = []) => paths.map((path) => toAbsolute(path, place));
  const firstOf = (given: readonly string[], own: readonly string[] = []) => (given.length > 0 ? given : own);
  const withDefaults = rootRequest.withDefaults || config.defaultRoots === true;
  return {
    ...settings,
    rootRequest:
      rootRequest.given.length > 0 ? rootRequest : { ...rootRequest, given: absolute(config.roots), withDefaults },
    allowLinks: firstOf(settings.allowLinks, absolute(config.allowLinks)),
    without: firstOf(settings.without, config.without),
    pinned: firstOf(settings.pinned, config.pin),
    visible: (config.visible ?? []).map((entry) => placeVisible(entry, place)),
    http: { ...settings.http, trustProxy: firstOf(settings.http.trustProxy, config.trustProxy) },
  };
}

/** Top-level code may wait for a database that never answers, and a signal waits for it (F11). */
const LOAD_LIMIT_MS = 10_000;

export interface ConfigLoading {
  /** Called once the file was executed. It installs what catches the faults of code that the file left running. */
  readonly guard?: () => void;
  readonly patienceMs?: number;
}

/** Executes the file. The failure is one sentence and what to do; never a stack. */
export async function loadUserConfigFile(
  path: string,
  loading: ConfigLoading = {},
): Promise<Result<UserConfig, string>> {
  const refuse = (what: string) => fail(`Cannot load ${path}: ${what}`);
  const misplaced = await findPathProblem(path);
  if (misplaced !== undefined) return refuse(misplaced);
  divertStandardOutput();
  const executed = await execute(path, loading);
  if (!executed.ok) return refuse(executed.failure);
  try {
    const config = readFields(executed.value.default);
    const problem = findConfigProblem(config);
    // The check has just looked at every field.
    return problem === undefined ? ok(config as UserConfig) : refuse(problem);
  } catch (error) {
    return refuse(await explainConfigError(error, path));
  }
}

/** Each field is read once, here: one that throws does it while the file can still be named. */
const readFields = (config: unknown): unknown => (isPlainObject(config) ? { ...config } : config);

/** Like all below: what is the case and what to do, as the end of "Cannot load FILE: …". */
async function findPathProblem(path: string): Promise<string | undefined> {
  try {
    const found = await stat(path);
    if (found.isDirectory()) return 'it is a directory. Name the file in it, such as repertoire.config.ts.';
    if (!found.isFile()) return 'it is not a regular file. Name a file.';
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT') return 'there is no such file. Correct the path after --config.';
    return `it cannot be reached (${code}). Correct its path or its permissions.`;
  }
  return /\.m?[jt]s$/.test(path) ? undefined : 'its name does not end in .ts, .mts, .js or .mjs. Rename it.';
}

interface ConfigModule {
  readonly default?: unknown;
}

/** Without a listener Node ends the process with a stack. */
const FAULTS = ['unhandledRejection', 'uncaughtException'] as const;

async function execute(
  path: string,
  { guard = () => {}, patienceMs = LOAD_LIMIT_MS }: ConfigLoading,
): Promise<Result<ConfigModule, string>> {
  const { promise: fault, reject: onFault } = withReject();
  const onExit = () => reportExit(path);
  process.once('exit', onExit);
  for (const event of FAULTS) process.on(event, onFault);
  const tooLong = `it was not loaded after ${patienceMs / 1_000} s. Look for an await in it that does not end.`;
  try {
    return await within(Promise.race([importQuietly(path), fault]), patienceMs, () => fail(tooLong));
  } catch (error) {
    return fail(await explainConfigError(error, path));
  } finally {
    process.off('exit', onExit);
    // Before the others go, so that faults are caught at every moment.
    guard();
    for (const event of FAULTS) process.off(event, onFault);
  }
}

/** Without a word the program would seem to have done its work. */
function reportExit(path: string): void {
  process.stderr.write(`Cannot load ${path}: it ended the process. Remove its call of exit().\n`);
  process.exitCode = 1;
}

/** A promise for a fault in the background. */
function withReject(): { readonly promise: Promise<never>; readonly reject: (error: unknown) => void } {
  let reject: (error: unknown) => void = () => {};
  const promise = new Promise<never>((_, refuse) => {
    reject = refuse;
  });
  return { promise, reject };
}

/** A promise that the code let go is known as rejected only when this turn has ended. */
async function importQuietly(path: string): Promise<Result<ConfigModule, never>> {
  const module = await importFile(path);
  await nextTurn();
  return ok(module);
}

async function importFile(path: string): Promise<ConfigModule> {
  if (/\.m?ts$/.test(path)) return (await openJiti()).import(path);
  return import(/* @vite-ignore */ pathToFileURL(path).href);
}

/** What is the case and what to do, as the end of a sentence. */
function findConfigProblem(config: unknown): string | undefined {
  const fix = 'Write "export default defineConfig({ … })".';
  if (config === undefined) return `it has no default export. ${fix}`;
  if (!isPlainObject(config)) return `its default export is ${kindOf(config)}, not an object. ${fix}`;
  return findFieldProblem(config, CONFIG_FIELDS);
}
