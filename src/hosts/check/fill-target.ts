// What an entry takes from variables, filled in as hosts do it: `${NAME}`, `${NAME:-default}`, `${env:NAME}`, `{env:NAME}`; for
// some hosts also `$NAME`. Pure.
import { fail, ok, type Result } from '../../values/result.ts';
import type { AddressTarget, EntryTarget, ProgramTarget } from './read-target.ts';

export type Variables = Readonly<Record<string, string | undefined>>;

/** Puts the values of variables into a text. */
type Fill = (text: string) => Result<Filled<string>, Unfilled>;

export interface Filled<T> {
  readonly value: T;
  /** The values that were put in: they may be secrets. */
  readonly used: readonly string[];
}

/** `unset`: the name of a variable. `unknown`: a placeholder that only the host can fill in. */
export type Unfilled = { readonly unset: string } | { readonly unknown: string };

/** A header whose variable is not set is left out, and `unset` names it: not every server needs it. */
export function fillTarget(
  target: EntryTarget,
  variables: Variables,
  { fillsBareNames = false }: { readonly fillsBareNames?: boolean } = {},
): Result<Filled<EntryTarget>, Unfilled> {
  const fill: Fill = (text) => fillText(text, variables, fillsBareNames);
  return 'url' in target ? fillAddress(target, fill) : fillProgram(target, fill);
}

function fillAddress({ url, headers }: AddressTarget, fill: Fill): Result<Filled<AddressTarget>, Unfilled> {
  const address = fill(url);
  if (!address.ok) return address;
  const used = [...address.value.used];
  const filled: [string, string][] = [];
  let unset: string | undefined;
  for (const [name, text] of Object.entries(headers)) {
    const header = fill(text);
    if (header.ok) {
      filled.push([name, header.value.value]);
      used.push(...header.value.used);
    } else if ('unset' in header.failure) unset ??= header.failure.unset;
    else return header;
  }
  return ok({ value: { url: address.value.value, headers: Object.fromEntries(filled), unset }, used });
}

function fillProgram(target: ProgramTarget, fill: Fill): Result<Filled<ProgramTarget>, Unfilled> {
  const names = Object.keys(target.variables);
  const texts = [...Object.values(target.variables), target.command, ...target.args];
  const filled: string[] = [];
  const used: string[] = [];
  for (const text of texts) {
    const each = fill(text);
    if (!each.ok) return each;
    filled.push(each.value.value);
    used.push(...each.value.used);
  }
  const [command = target.command, ...args] = filled.slice(names.length);
  const own = Object.fromEntries(names.map((name, index) => [name, filled[index] ?? '']));
  return ok({ value: { command, args, variables: own }, used });
}

/** `{file:…}` is OpenCode's, `${input:…}` that of VS Code. */
const PLACE = /\$\{([^{}]*)\}|\{(env:[^{}]*|file:[^{}]*)\}|\$([A-Za-z_]\w*)/g;
const VARIABLE = /^(?:env:)?([A-Za-z_]\w*)(?::-(.*))?$/s;

/** An empty variable counts as not set, as in a shell. */
function fillText(text: string, variables: Variables, fillsBareNames: boolean): Result<Filled<string>, Unfilled> {
  const used: string[] = [];
  let unfilled: Unfilled | undefined;
  const value = text.replace(PLACE, (place, inDollar?: string, plain?: string, bare?: string) => {
    if (bare !== undefined && !fillsBareNames) return place;
    const [, name, otherwise] = VARIABLE.exec(inDollar ?? plain ?? bare ?? '') ?? [];
    const found = name === undefined ? undefined : variables[name] || undefined;
    if (found !== undefined) used.push(found);
    else if (otherwise === undefined) unfilled ??= name === undefined ? { unknown: place } : { unset: name };
    return found ?? otherwise ?? '';
  });
  return unfilled === undefined ? ok({ value, used }) : fail(unfilled);
}
