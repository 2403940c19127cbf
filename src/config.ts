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
}

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
  /** A change that no watcher saw is seen after this long (D6). */
  readonly rescanMs: number;
}

const RESCAN_SECONDS = 30;

export function resolveSettings(given: GivenOptions, environment: Environment): Settings {
  const absolute = (path: string) => toAbsolute(path, environment);
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
    pinned: given.pinned,
    showNative: given.showNative,
    rescanMs: (given.rescanSeconds ?? RESCAN_SECONDS) * 1_000,
  };
}

/** Hosts start us without a shell, so `~/` may arrive unexpanded. */
export function toAbsolute(path: string, environment: Pick<Environment, 'home' | 'workingDirectory'>): string {
  if (path === '~') return environment.home;
  if (path.startsWith('~/')) return join(environment.home, path.slice(2));
  return isAbsolute(path) ? resolve(path) : resolve(environment.workingDirectory, path);
}
