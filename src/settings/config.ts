// What the operator asked for, resolved once into one object. After this nothing is optional. Reads no environment itself.
import { isAbsolute, join, resolve } from 'node:path';
import type { RootRequest } from '../catalog/roots.ts';
import { durationMs } from '../values/duration-ms.ts';
import {
  type GivenOAuth,
  NO_OAUTH,
  type OAuthSettings,
  oauthSettingsOf,
  originIn,
  publicUrlFault,
} from './oauth-settings.ts';
import type { StorePlace } from './store-place.ts';
import { telemetryVariablesIn } from './telemetry-variables.ts';

/** What this process was started with. Only environment.ts reads it from the world. */
export interface Environment {
  /** Absolute. */
  readonly home: string;
  /** Absolute. */
  readonly workingDirectory: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
}

/** Options as given, before defaults and before relative paths have a meaning. */
export interface GivenOptions extends GivenOAuth {
  readonly roots: readonly string[];
  readonly defaultRoots: boolean;
  readonly project: string | undefined;
  readonly without: readonly string[];
  readonly allowLinks: readonly string[];
  /** Ids of hosts whose folders are looked at, too; `all` stands for every one. */
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
  readonly noRemember: boolean;
  /** `90m`, `12h`, `30d`. */
  readonly keep: string | undefined;
  readonly host: string | undefined;
  readonly port: number | undefined;
  /** Names under which the server is reached beside its address. */
  readonly allowHosts: readonly string[];
  /** Proxies whose `X-Forwarded-For` is believed. */
  readonly trustProxy: readonly string[];
  readonly noAuth: boolean;
  /** Anybody may read the index of shared skills. */
  readonly publicIndex: boolean;
  /** What the lock names is fetched at start, and when the lock changes. */
  readonly sync: boolean;
  /** `all`, `none`, or names of built-in skills with commas between them. */
  readonly builtin: string | undefined;
}

/** As if the command line were empty. */
export const NOTHING_GIVEN: GivenOptions = {
  ...NO_OAUTH,
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
  noRemember: false,
  keep: undefined,
  host: undefined,
  port: undefined,
  allowHosts: [],
  trustProxy: [],
  noAuth: false,
  publicIndex: false,
  sync: false,
  builtin: undefined,
};

export interface Settings {
  readonly rootRequest: RootRequest;
  /** Which document skills only callers of some roles see (N4). */
  readonly visible: readonly VisibleSetting[];
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
  readonly storePlace: StorePlace;
  /** False: nothing of the skills is kept in the data directory for the next start. */
  readonly isRemembered: boolean;
  /** False: what runs and what is read is not recorded. */
  readonly isLogged: boolean;
  readonly logPolicy: 'required' | 'best_effort';
  /** What is older is forgotten. */
  readonly keepMs: number;
  /** Who invokes typed skills over stdio; absent: the operator. */
  readonly agent: string | undefined;
  /** A change that no watcher saw is seen after this long (D6). */
  readonly rescanMs: number;
  /** The endpoint that suggestions come from (B3). */
  readonly ai: AiSettings | undefined;
  /** Names of the built-in skills that are served; absent: as the command has it (B6). */
  readonly builtin: 'all' | readonly string[] | undefined;
  /** How `serve` is reached (H4). */
  readonly http: HttpSettings;
}

/** An entry of `visible` in the configuration: about one of the first four. */
export interface VisibleSetting {
  readonly root?: string;
  readonly source?: string;
  readonly library?: true;
  readonly names?: readonly string[];
  readonly roles: readonly string[];
  /** Of `root`, absolute. */
  readonly rootPath?: string;
}

interface AiSettings {
  /** With `/v1`. */
  readonly baseUrl: string;
  readonly model: string;
  readonly key: string | undefined;
}

interface HttpSettings {
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
  readonly allowHosts: readonly string[];
  /** Proxies whose `X-Forwarded-For` is believed, as they were written: `serve` alone reads them (`trusted-proxies.ts`). */
  readonly trustProxy: readonly string[];
  /** A request without a credential is the operator's; on loopback only (H5). */
  readonly noAuth: boolean;
  /** Anybody may read the index of what was given by `--root` or comes from sources (S6). */
  readonly publicIndex: boolean;
  /** What the lock names is fetched at start, and when the lock changes (S4). */
  readonly sync: boolean;
  /** Instead of the token in the data directory: the same for several replicas. */
  readonly operatorToken: string | undefined;
  /** What user tokens are signed with, instead of a key that the store keeps (B2). */
  readonly signingSecret: string | undefined;
  /** Absent: no host signs in by OAuth, and nothing of it is loaded (O1). */
  readonly oauth: OAuthSettings | undefined;
  /** Those of OpenTelemetry, where they name a collector: `serve` alone reads them (`telemetry/`). */
  readonly telemetry: Environment['variables'] | undefined;
}

const RESCAN_SECONDS = 30;
const KEEP = '30d';
/** This machine only (H4). */
const HOST = '127.0.0.1';
const PORT = 7337;

export function resolveSettings(given: GivenOptions, environment: Environment): Settings {
  const absolute = (path: string) => toAbsolute(path, environment);
  const dataDirectory = absolute(given.data ?? '~/.repertoire');
  return {
    rootRequest: {
      project: absolute(given.project ?? '.'),
      home: environment.home,
      given: given.roots,
      withDefaults: given.defaultRoots,
      workingDirectory: environment.workingDirectory,
      agents: given.agents,
      variables: environment.variables,
    },
    allowLinks: given.allowLinks.map(absolute),
    without: given.without,
    visible: [],
    configFile: given.config === undefined ? undefined : absolute(given.config),
    dataDirectory,
    storePlace: storePlaceOf(given, environment, dataDirectory),
    isRemembered: !given.noRemember,
    isLogged: !given.noLog,
    logPolicy: given.isLogRequired ? 'required' : 'best_effort',
    keepMs: durationMs(given.keep ?? KEEP),
    agent: given.agent,
    pinned: given.pinned,
    showNative: given.showNative,
    rescanMs: (given.rescanSeconds ?? RESCAN_SECONDS) * 1_000,
    ai: aiSettingsOf(environment),
    builtin: builtinOf(given.builtin),
    http: httpSettingsOf(given, environment),
  };
}

function aiSettingsOf({ variables }: Environment): AiSettings | undefined {
  const { REPERTOIRE_AI_BASE_URL: baseUrl, REPERTOIRE_AI_MODEL: model, REPERTOIRE_AI_KEY: key } = variables;
  return baseUrl && model ? { baseUrl, model, key: key || undefined } : undefined;
}

function builtinOf(given: string | undefined): Settings['builtin'] {
  if (given === undefined || given === 'all') return given;
  return given === 'none' ? [] : given.split(',');
}

function httpSettingsOf(given: GivenOptions, environment: Environment): HttpSettings {
  const { variables } = environment;
  return {
    host: given.host ?? HOST,
    port: given.port ?? PORT,
    allowHosts: [...given.allowHosts, ...publicHostOf(given)],
    trustProxy: given.trustProxy,
    oauth: oauthSettingsOf(given),
    noAuth: given.noAuth,
    publicIndex: given.publicIndex,
    sync: given.sync,
    operatorToken: variables.REPERTOIRE_OPERATOR_TOKEN || undefined,
    signingSecret: variables.REPERTOIRE_SECRET || undefined,
    telemetry: telemetryVariablesIn(environment),
  };
}

/** What the server is called from outside is a name that requests may have. */
const publicHostOf = ({ publicUrl }: GivenOptions): readonly string[] =>
  publicUrl === undefined || publicUrlFault(publicUrl) !== undefined ? [] : [new URL(originIn(publicUrl)).hostname];

/** `--data` says where local files are, not which store it is: replicas with a DATABASE_URL share it, whatever their folder (C). */
function storePlaceOf(given: GivenOptions, { variables }: Environment, dataDirectory: string): StorePlace {
  const url = given.databaseUrl ?? variables.DATABASE_URL;
  return url ? { kind: 'postgres', url } : { kind: 'sqlite', dataDirectory };
}

/** `place`: what its root is relative to. */
export const placeVisible = (
  entry: VisibleSetting,
  place: Pick<Environment, 'home' | 'workingDirectory'>,
): VisibleSetting => (entry.root === undefined ? entry : { ...entry, rootPath: toAbsolute(entry.root, place) });

/** Hosts start us without a shell, so `~/` may arrive unexpanded. */
export function toAbsolute(path: string, environment: Pick<Environment, 'home' | 'workingDirectory'>): string {
  if (path === '~') return environment.home;
  if (path.startsWith('~/')) return join(environment.home, path.slice(2));
  return isAbsolute(path) ? resolve(path) : resolve(environment.workingDirectory, path);
}
