// An entry of a host's configuration read back as it is written: what the host would start or talk to. Every host's spelling is
// known; what it takes from variables is filled in by fill-target.ts. Pure.
import { fail, ok, type Result } from '../../values/result.ts';
import { type Fields, isFields, type Value } from '../connect/fields.ts';
import type { Obstacle } from './attempt.ts';

export type EntryTarget = ProgramTarget | AddressTarget;

export interface ProgramTarget {
  readonly command: string;
  readonly args: readonly string[];
  /** What the entry adds to the host's variables. */
  readonly variables: Readonly<Record<string, string>>;
}

export interface AddressTarget {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** A variable that a header comes from, and that is not set here. */
  readonly unset: string | undefined;
}

export function readTarget(entry: Fields): Result<EntryTarget, Obstacle> {
  if (entry.enabled === false || entry.disabled === true) return fail(switchedOff);
  const url = firstText(entry.httpUrl, entry.url, entry.serverUrl, entry.uri);
  if (url !== undefined) return ok(readAddress(url, entry));
  const [command, ...args] = wordsOf(entry);
  return command === undefined ? fail(unusable) : ok({ command, args, variables: readVariables(entry) });
}

const switchedOff: Obstacle = { cause: 'switched-off', message: 'The entry is switched off in the file' };

export const unusable: Obstacle = {
  cause: 'entry-unusable',
  message: 'Cannot read the entry: it has neither a command nor an address',
};

const firstText = (...values: readonly (Value | undefined)[]): string | undefined =>
  values.find((value): value is string => typeof value === 'string' && value !== '');

const textsOf = (value: Value | undefined): readonly string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];

function wordsOf({ command, cmd, args }: Fields): readonly string[] {
  const first = firstText(command, cmd);
  return first === undefined ? textsOf(command) : [first, ...textsOf(args)];
}

const readVariables = ({ env, envs, environment }: Fields): Readonly<Record<string, string>> =>
  Object.fromEntries([env, envs, environment].flatMap(textPairs));

const textPairs = (map: Value | undefined): readonly (readonly [string, string])[] =>
  isFields(map) ? Object.entries(map).filter((pair): pair is [string, string] => typeof pair[1] === 'string') : [];

function readAddress(url: string, entry: Fields): AddressTarget {
  const written = [entry.headers, entry.http_headers].flatMap(textPairs);
  const named = firstText(entry.bearer_token_env_var, entry.bearer_token_env);
  const all = named === undefined ? written : [...written, ['Authorization', `Bearer \${${named}}`] as const];
  return { url, headers: Object.fromEntries(all), unset: undefined };
}
