// Words of a command line → a command, its operands and its options, also as the settings take them; or one sentence about
// what is wrong. Pure.

import type { GivenOptions } from '../../settings/config.ts';
import { findNearest, orList } from '../../text/nearest.ts';
import { isDuration } from '../../values/duration-ms.ts';
import { fail, ok, type Result } from '../../values/result.ts';
import { type OptionName, optionNames, optionSpec } from './options.ts';

export interface ParsedArguments {
  /** The first word that is no option. */
  readonly command: string | undefined;
  readonly operands: readonly string[];
  readonly flags: ReadonlySet<OptionName>;
  readonly values: ReadonlyMap<OptionName, readonly string[]>;
}

export function parseArguments(words: readonly string[]): Result<ParsedArguments, string> {
  const plain: string[] = [];
  const flags = new Set<OptionName>();
  const values = new Map<OptionName, readonly string[]>();
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? '';
    if (word === '--') {
      plain.push(...words.slice(index + 1));
      break;
    }
    if (!word.startsWith('-') || word === '-') {
      plain.push(word);
      continue;
    }
    const option = readOption(word, words[index + 1], plain[0]);
    if (!option.ok) return option;
    const { name, value, tookNext } = option.value;
    if (value === undefined) flags.add(name);
    else values.set(name, optionSpec(name).repeatable ? [...(values.get(name) ?? []), value] : [value]);
    if (tookNext) index++;
  }
  const fault = findValueFault(plain[0] ?? '', values);
  if (fault !== undefined) return fail(fault);
  return ok({ command: plain[0], operands: plain.slice(1), flags, values });
}

interface ReadOption {
  readonly name: OptionName;
  readonly value: string | undefined;
  readonly tookNext: boolean;
}

function readOption(word: string, next: string | undefined, command?: string): Result<ReadOption, string> {
  const equals = word.indexOf('=');
  const written = equals < 0 ? word : word.slice(0, equals);
  const attached = equals < 0 ? undefined : word.slice(equals + 1);
  const name = findOption(written);
  if (name === undefined) return fail(unknownOption(written, optionNames, command));
  const spec = optionSpec(name);
  if (spec.value === undefined) {
    return attached === undefined
      ? ok({ name, value: undefined, tookNext: false })
      : fail(`Option --${name} takes no value; write it alone`);
  }
  // `--root --json` is a forgotten value, not a directory called "--json"; `--root=--json` is how to say that.
  // A lone `-` is standard input.
  const given = attached ?? (next !== '-' && next?.startsWith('-') ? undefined : next);
  if (given === undefined || given === '') return fail(`Option --${name} needs a value: --${name} ${spec.value}`);
  const value = inOurCase(given, spec.choices);
  if (spec.choices && !spec.choices.includes(value)) {
    return fail(`Option --${name} cannot be "${value}": use ${orList(spec.choices)}`);
  }
  if (spec.duration && !isDuration(value)) {
    return fail(`Option --${name} cannot be "${value}": use a number and a unit, for example 90m, 12h or 7d`);
  }
  return ok({ name, value, tookNext: attached === undefined });
}

/** `unauthorized` is UNAUTHORIZED: of words that we made up, letter case tells nothing. */
const inOurCase = (given: string, choices: readonly string[] = []): string =>
  choices.find((choice) => choice.toLowerCase() === given.toLowerCase()) ?? given;

/** At the end, because the command may stand behind its options. */
function findValueFault(command: string, values: ParsedArguments['values']): string | undefined {
  for (const [name, given] of values) {
    const [value = ''] = given;
    const { range, ranges = {}, choicesOf = {} } = optionSpec(name);
    const choices = Object.hasOwn(choicesOf, command) ? choicesOf[command] : undefined;
    const stranger = given.find((each) => choices !== undefined && !choices.includes(each));
    if (choices !== undefined && stranger !== undefined) {
      return `Option --${name} cannot be "${stranger}": use ${orList(choices)}`;
    }
    const allowed = Object.hasOwn(ranges, command) ? ranges[command] : range;
    if (allowed !== undefined && !isWithin(value, allowed)) {
      return `Option --${name} cannot be "${value}": use a whole number from ${allowed.join(' to ')}`;
    }
  }
  return undefined;
}

const isWithin = (value: string, [least, most]: readonly [number, number]): boolean =>
  /^\d{1,9}$/.test(value) && Number(value) >= least && Number(value) <= most;

function findOption(written: string): OptionName | undefined {
  return optionNames.find((name) => {
    const { short } = optionSpec(name);
    return written === `--${name}` || (short !== undefined && written === `-${short}`);
  });
}

/** Says what was probably meant, out of the options that would be taken; or which help has them. */
export function unknownOption(written: string, known: readonly OptionName[], command?: string): string {
  const [nearest] = findNearest(written.replace(/^-+/, ''), known, 1);
  const help = command !== undefined && /^[a-z]+$/.test(command) ? `${command} --help` : '--help';
  return `Unknown option "${written}": ${nearest ? `did you mean "--${nearest}"?` : `see repertoire ${help}`}`;
}

type Given = Pick<ParsedArguments, 'flags' | 'values'>;

/** As the settings are resolved from them. */
export function givenOptions({ flags, values }: Given): GivenOptions {
  const all = (name: OptionName) => values.get(name) ?? [];
  const one = (name: OptionName) => values.get(name)?.[0];
  return {
    roots: all('root'),
    defaultRoots: flags.has('default-roots'),
    project: one('project'),
    without: all('without'),
    allowLinks: all('allow-links'),
    agents: hostNames({ values }),
    pinned: all('pin'),
    showNative: flags.has('show-native'),
    rescanSeconds: numberOf(one('rescan')),
    config: one('config'),
    data: one('data'),
    databaseUrl: one('database-url'),
    agent: one('agent'),
    isLogRequired: one('log') === 'required',
    noLog: flags.has('no-log'),
    noRemember: flags.has('no-remember'),
    keep: one('keep'),
    host: one('host'),
    port: numberOf(one('port')),
    allowHosts: all('allow-host'),
    trustProxy: all('trust-proxy'),
    noAuth: flags.has('no-auth'),
    publicIndex: flags.has('public-index'),
    sync: flags.has('sync'),
    oauth: flags.has('oauth'),
    publicUrl: one('public-url'),
    issuer: one('issuer'),
    audience: one('audience'),
    roleClaim: one('role-claim'),
    redirectSchemes: all('redirect-scheme'),
    allowLoopbackClients: flags.has('allow-loopback-clients'),
    builtin: one('builtin'),
  };
}

/** Of `--agents`: both `--agents a,b` and `--agents a --agents b`. */
export const hostNames = ({ values }: Pick<Given, 'values'>): readonly string[] =>
  (values.get('agents') ?? []).flatMap((names) => names.split(','));

/** The parser let only whole numbers through. */
const numberOf = (value: string | undefined): number | undefined => (value === undefined ? undefined : Number(value));
