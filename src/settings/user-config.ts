// The operator's own code: `repertoire.config.ts` with typed skills and settings, executed only when it was named (DESIGN 5).
import { readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Jiti } from 'jiti';
import { nextTurn } from '../async/next-turn.ts';
import { within } from '../async/within.ts';
import type { AnySkill } from '../skills/define/define-skill.ts';
import { withoutCredentials } from '../text/credentials.ts';
import { toOneLine } from '../text/one-line.ts';
import { isDuration } from '../values/duration-ms.ts';
import { codeOf } from '../values/error-code.ts';
import { fail, ok, type Result } from '../values/result.ts';
import { type Settings, toAbsolute } from './config.ts';
import { divertStandardOutput } from './standard-output.ts';
import { parseTrustedProxies } from './trusted-proxies.ts';

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
}

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
    return refuse(await explain(error, path));
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
    return fail(await explain(error, path));
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

/** Without its cache: that may lie in the temporary folder, where any user could leave code for us to run. */
async function openJiti(): Promise<Jiti> {
  const { createJiti } = await import('jiti');
  return createJiti(import.meta.url, { fsCache: false, interopDefault: false });
}

const MAX_TEXT = 300;

async function explain(error: unknown, path: string): Promise<string> {
  const { name, message, stack } = readError(error);
  const parse = /^ParseError: (.*)\n\s*(.+):(\d+):\d+$/.exec(message);
  if (parse !== null) return syntaxFault(parse[1], parse[3], parse[2] === path ? '' : ` of ${parse[2]}`);
  if (error instanceof SyntaxError) {
    const line = await findSyntaxLine(path);
    if (line !== undefined) return syntaxFault(message, line);
  }
  const missing = /^Cannot find (?:module|package) '([^']+)'/.exec(message)?.[1];
  if (missing !== undefined) {
    return `it imports "${toOneLine(missing, MAX_TEXT)}", which is not there. Install the package or correct the path.`;
  }
  const line = findThrowingLine(stack, path);
  const said = toOneLine(withoutCredentials(`${name}${message.split('\n')[0]}`), MAX_TEXT);
  return `it threw "${said}"${line === undefined ? '' : ` in line ${line}`}. Correct what it does when it is loaded.`;
}

const syntaxFault = (what = '', line = '', where = ''): string =>
  `line ${line}${where} has a syntax error: ${toOneLine(what, MAX_TEXT).replace(/\.$/, '')}. Correct that line.`;

/** Whatever was thrown, also null or an error whose message throws. */
function readError(error: unknown): { readonly name: string; readonly message: string; readonly stack: string } {
  try {
    if (!(error instanceof Error)) return { name: '', message: String(error), stack: '' };
    return { name: `${error.name}: `, message: String(error.message), stack: String(error.stack) };
  } catch {
    return { name: '', message: 'something that cannot be described', stack: '' };
  }
}

/** Node does not tell where in a module a syntax error is; the parser that reads TypeScript does. */
async function findSyntaxLine(path: string): Promise<string | undefined> {
  const jiti = await openJiti();
  const parsed = jiti.transform({ source: await readFile(path, 'utf8'), filename: path, async: true });
  return /^exports\.__JITI_ERROR__ = .*?"line":(\d+)/.exec(parsed)?.[1];
}

/** The first frame that lies in the file itself. */
function findThrowingLine(stack: string, path: string): string | undefined {
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line));
  const places = [`${path}:`, `${pathToFileURL(path).href}:`];
  for (const frame of frames) {
    const place = places.find((each) => frame.includes(each));
    if (place !== undefined) return /^\d+/.exec(frame.slice(frame.indexOf(place) + place.length))?.[0];
  }
  return undefined;
}

/** What is the case and what to do, as the end of a sentence. */
function findConfigProblem(config: unknown): string | undefined {
  const fix = 'Write "export default defineConfig({ … })".';
  if (config === undefined) return `it has no default export. ${fix}`;
  if (!isPlainObject(config)) return `its default export is ${kindOf(config)}, not an object. ${fix}`;
  return findFieldProblem(config, CONFIG_FIELDS);
}

/** What is wrong with a value, as what follows the name of its field; `undefined`: nothing. */
export type FieldRule = (value: unknown) => string | undefined;

/** Of fields that are unknown or break their rule, the first. */
export function findFieldProblem(
  fields: Readonly<Record<string, unknown>>,
  rules: Readonly<Record<string, FieldRule>>,
): string | undefined {
  for (const [field, value] of Object.entries(fields)) {
    const rule = Object.hasOwn(rules, field) ? rules[field] : undefined;
    if (rule === undefined) {
      return `the field "${toOneLine(field, MAX_TEXT)}" is unknown. Use ${Object.keys(rules).join(', ')}.`;
    }
    const problem = value === undefined ? undefined : rule(value);
    if (problem !== undefined) return `the field "${field}" ${problem}`;
  }
  return undefined;
}

export const listOfTexts: FieldRule = (value) =>
  Array.isArray(value) && value.every((text) => typeof text === 'string' && text.trim() !== '')
    ? undefined
    : 'is not a list of texts. Write ["one", "two"].';

export const textValue: FieldRule = (value) =>
  typeof value === 'string' && value.trim() !== '' ? undefined : 'is not a text. Write "…".';

export const durationValue: FieldRule = (value) =>
  typeof value === 'string' && isDuration(value) ? undefined : 'is not a duration. Write "90m", "12h" or "30d".';

export const functionValue: FieldRule = (value) =>
  typeof value === 'function' ? undefined : 'is not a function. Write (event) => { … }.';

export const truthValue: FieldRule = (value) =>
  typeof value === 'boolean' ? undefined : 'is not a truth value. Write true or false.';

export const CONFIG_FIELDS = {
  skills: (value) => (Array.isArray(value) ? readNames(value) : 'is not a list. Write [skill, skill].'),
  agents: listOfTexts,
  roots: listOfTexts,
  defaultRoots: truthValue,
  without: listOfTexts,
  pin: listOfTexts,
  allowLinks: listOfTexts,
  trustProxy: (value) => listOfTexts(value) ?? findProxyProblem(value as readonly string[]),
  limits: findLimitProblem,
  ownership: findOwnershipProblem,
} as const satisfies Record<keyof UserConfig, FieldRule>;

/** Faults of a definition cost that skill alone. A name that throws does it here, where the file can still be named. */
function readNames(skills: readonly unknown[]): undefined {
  for (const skill of skills) void (skill as Partial<AnySkill> | null | undefined)?.name;
}

function findProxyProblem(entries: readonly string[]): string | undefined {
  const parsed = parseTrustedProxies(entries);
  return parsed.ok ? undefined : `has an entry that ${parsed.failure}.`;
}

function findLimitProblem(limits: unknown): string | undefined {
  const fix = 'Write { callerPerMinute: 60 }.';
  if (!isPlainObject(limits)) return `is ${kindOf(limits)}. ${fix}`;
  const { callerPerMinute = 1, ...others } = limits;
  const [stranger] = Object.keys(others);
  if (stranger !== undefined) return `has the unknown entry "${toOneLine(stranger, 80)}". ${fix}`;
  return Number.isInteger(callerPerMinute) && Number(callerPerMinute) >= 1
    ? undefined
    : `has a callerPerMinute that is not a whole number from 1. ${fix}`;
}

/** As long as the name of a typed skill, which it stands beside. */
const LONGEST_TYPE = 64;

function findOwnershipProblem(ownership: unknown): string | undefined {
  const fix = 'Write { invoice: (userId, resourceId) => true }.';
  if (!isPlainObject(ownership)) return `is ${kindOf(ownership)}. ${fix}`;
  for (const [type, isOwner] of Object.entries(ownership)) {
    const entry = `has an entry "${toOneLine(type, 80)}"`;
    if (type === 'task') return `${entry}, which is built in. Rename it.`;
    if (type !== toOneLine(type, LONGEST_TYPE).trim() || type === '') return `${entry}, which is no name. Rename it.`;
    if (typeof isOwner !== 'function') return `${entry} that is no function. ${fix}`;
  }
  return undefined;
}

/** A promise or an instance of a class would pass for a configuration without fields. */
export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (value instanceof Promise) return 'a promise';
  return typeof value === 'object' ? 'an instance of a class' : `a ${typeof value}`;
}
