// An entry of a host's configuration read back: what the host would start or talk to. Every host's spelling is known. Pure.
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

/** What a header may be filled from. */
export type Variables = Readonly<Record<string, string | undefined>>;

export function readTarget(entry: Fields, variables: Variables): Result<EntryTarget, Obstacle> {
  if (entry.enabled === false || entry.disabled === true) return fail(switchedOff);
  const url = firstText(entry.httpUrl, entry.url, entry.serverUrl, entry.uri);
  if (url !== undefined) return URL.canParse(url) ? ok(readAddress(url, entry, variables)) : fail(unusable);
  const [command, ...args] = wordsOf(entry);
  return command === undefined ? fail(unusable) : ok({ command, args, variables: readVariables(entry) });
}

const switchedOff: Obstacle = { cause: 'switched-off', message: 'The entry is switched off in the file' };

const unusable: Obstacle = {
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

function readAddress(url: string, entry: Fields, variables: Variables): AddressTarget {
  const written = [entry.headers, entry.http_headers].flatMap(textPairs);
  const named = firstText(entry.bearer_token_env_var, entry.bearer_token_env);
  const all = named === undefined ? written : [...written, ['Authorization', `Bearer \${${named}}`] as const];
  const headers: [string, string][] = [];
  let unset: string | undefined;
  for (const [name, value] of all) {
    const filled = fill(value, variables);
    if (filled.ok) headers.push([name, filled.value]);
    else unset ??= filled.failure;
  }
  return { url, headers: Object.fromEntries(headers), unset };
}

/** `${NAME}`, `${env:NAME}` and `{env:NAME}`, as hosts write them. The failure is the name of one that is not set. */
function fill(text: string, variables: Variables): Result<string, string> {
  let unset: string | undefined;
  const filled = text.replace(/\$?\{(?:env:)?([A-Za-z_]\w*)\}/g, (_place, name: string) => {
    if (!variables[name]) unset ??= name;
    return variables[name] ?? '';
  });
  return unset === undefined ? ok(filled) : fail(unset);
}
