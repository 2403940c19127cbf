// What the operator asked for, resolved once into one object. After this nothing is optional. Reads no environment itself.
import { isAbsolute, join, resolve } from 'node:path';
import type { RootRequest } from './catalog/roots.ts';

/** What this process was started with. Only cli/main.ts reads it from the world. */
export interface Environment {
  /** Absolute. */
  readonly home: string;
  /** Absolute. */
  readonly workingDirectory: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
}

/** Options as given, before defaults and before relative paths have a meaning. */
export interface GivenOptions {
  readonly roots: readonly string[];
  readonly defaultRoots: boolean;
  readonly project: string | undefined;
  readonly without: readonly string[];
  readonly allowLinks: readonly string[];
  /** Ids of agents whose folders are looked at, too; `all` stands for every one. */
  readonly agents: readonly string[];
  /** Names of skills that hosts see first. */
  readonly pinned: readonly string[];
  /** Hosts see skills of their own folders, too (D10). */
  readonly showNative: boolean;
  readonly rescanSeconds: number | undefined;
  readonly config: string | undefined;
  readonly data: string | undefined;
  readonly databaseUrl: string | undefined;
  readonly agent: string | undefined;
  readonly isLogRequired: boolean;
  readonly noLog: boolean;
  /** `90m`, `12h`, `30d`. */
  readonly keep: string | undefined;
}

/** As if the command line were empty. */
export const NOTHING_GIVEN: GivenOptions = {
  roots: [],
  defaultRoots: false,
  project: undefined,
  without: [],
  allowLinks: [],
  agents: [],
  pinned: [],
  showNative: false,
  rescanSeconds: undefined,
  config: undefined,
  data: undefined,
  databaseUrl: undefined,
  agent: undefined,
  isLogRequired: false,
  noLog: false,
  keep: undefined,
};

/** Where the log is kept. */
export type LogPlace =
  | { readonly kind: 'sqlite'; readonly dataDirectory: string }
  | { readonly kind: 'postgres'; readonly url: string };

export interface Settings {
  readonly rootRequest: RootRequest;
  /** Absolute directories outside the roots that links may lead into. */
  readonly allowLinks: readonly string[];
  /** Names of skills that are in no listing, search or lookup. */
  readonly without: readonly string[];
  /** Names of skills that hosts see first. */
  readonly pinned: readonly string[];
  /** Hosts see skills of their own folders, too (D10). */
  readonly showNative: boolean;
  /** Absolute: the file of the operator's own code, which is executed. Only ever one that was named (DESIGN 5). */
  readonly configFile: string | undefined;
  /** Absolute. */
  readonly dataDirectory: string;
  /** `undefined`: nothing is recorded. */
  readonly logPlace: LogPlace | undefined;
  readonly logPolicy: 'required' | 'best_effort';
  /** What is older is forgotten. */
  readonly keepMs: number;
  /** Who invokes typed skills over stdio; absent: the operator. */
  readonly agent: string | undefined;
  /** A change that no watcher saw is seen after this long (D6). */
  readonly rescanMs: number;
}

const RESCAN_SECONDS = 30;
const KEEP = '30d';

export function resolveSettings(given: GivenOptions, environment: Environment): Settings {
  const absolute = (path: string) => toAbsolute(path, environment);
  const dataDirectory = absolute(given.data ?? '~/.repertoire');
  return {
    rootRequest: {
      project: absolute(given.project ?? '.'),
      home: environment.home,
      given: given.roots,
      withDefaults: given.defaultRoots || given.roots.length === 0,
      workingDirectory: environment.workingDirectory,
      agents: given.agents,
      variables: environment.variables,
    },
    allowLinks: given.allowLinks.map(absolute),
    without: given.without,
    configFile: given.config === undefined ? undefined : absolute(given.config),
    dataDirectory,
    logPlace: given.noLog ? undefined : logPlaceOf(given, environment, dataDirectory),
    logPolicy: given.isLogRequired ? 'required' : 'best_effort',
    keepMs: durationMs(given.keep ?? KEEP),
    agent: given.agent,
    pinned: given.pinned,
    showNative: given.showNative,
    rescanMs: (given.rescanSeconds ?? RESCAN_SECONDS) * 1_000,
  };
}

/** `--data` names the embedded store, so that it counts more than a variable of the environment. */
function logPlaceOf(given: GivenOptions, { variables }: Environment, dataDirectory: string): LogPlace {
  const url = given.databaseUrl ?? (given.data === undefined ? variables.DATABASE_URL : undefined);
  return url ? { kind: 'postgres', url } : { kind: 'sqlite', dataDirectory };
}

const UNIT_MS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Of a text that the parser let through: a number and one of the three units. */
export const durationMs = (text: string): number =>
  Number.parseInt(text, 10) * UNIT_MS[text.slice(-1) as keyof typeof UNIT_MS];

/** Hosts start us without a shell, so `~/` may arrive unexpanded. */
export function toAbsolute(path: string, environment: Pick<Environment, 'home' | 'workingDirectory'>): string {
  if (path === '~') return environment.home;
  if (path.startsWith('~/')) return join(environment.home, path.slice(2));
  return isAbsolute(path) ? resolve(path) : resolve(environment.workingDirectory, path);
}
