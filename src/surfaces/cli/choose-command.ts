// Parsed words → what to do: run a command, show help, print the version; or one sentence about what is wrong.

import { findUnknownHosts, SKILL_READERS } from '../../hosts/select-hosts.ts';
import { adviceFor, findNearest } from '../../text/nearest.ts';
import { fail, ok, type Result } from '../../values/result.ts';
import type { Command } from './command.ts';
import { type Commands, statusCommand } from './commands.ts';
import { commonOptions, type OptionName, optionSpec } from './options.ts';
import { hostNames, type ParsedArguments, unknownOption } from './parse-arguments.ts';

export type Choice =
  | { readonly kind: 'version' }
  /** `topic`: the command to explain; absent: all of them. */
  | { readonly kind: 'help'; readonly topic: string | undefined }
  | { readonly kind: 'run'; readonly command: Command };

export function chooseCommand(parsed: ParsedArguments, commands: Commands): Result<Choice, string> {
  if (parsed.command === 'help') return chooseHelp(parsed.operands[0], commands);
  if (parsed.flags.has('help')) return chooseHelp(parsed.command, commands);
  if (parsed.flags.has('version')) return ok({ kind: 'version' });
  const command = parsed.command === undefined ? statusCommand : commands.get(parsed.command);
  if (command === undefined) return fail(unknownCommand(parsed.command ?? '', commands));
  const fault = findOptionFault(parsed, command) ?? findOperandFault(parsed, command);
  return fault === undefined ? ok({ kind: 'run', command }) : fail(fault);
}

function chooseHelp(topic: string | undefined, commands: Commands): Result<Choice, string> {
  if (topic === undefined || topic === 'help') return ok({ kind: 'help', topic: undefined });
  return commands.has(topic) ? ok({ kind: 'help', topic }) : fail(unknownCommand(topic, commands));
}

function unknownCommand(name: string, commands: Commands): string {
  const [nearest] = findNearest(name, [...commands.keys(), 'help'], 1);
  return `Unknown command "${name}": ${nearest ? `did you mean "${nearest}"?` : 'see repertoire --help'}`;
}

function findOptionFault({ command, flags, values }: ParsedArguments, { options }: Command): string | undefined {
  const given: readonly OptionName[] = [...flags, ...values.keys()];
  const taken = [...options, ...commonOptions];
  const refused = given.find((name) => !taken.includes(name));
  if (refused === undefined) return undefined;
  if (command === undefined) return unknownOption(`--${refused}`, taken);
  const instead = INSTEAD[`${command} --${refused}`] ?? `see repertoire ${command} --help`;
  return `Option --${refused} does not apply to "${command}": ${instead}`;
}

/** Where another option does what was meant. */
const INSTEAD: Readonly<Record<string, string>> = {
  'log --agent': 'use --client NAME for what one agent did',
  'stats --agent': 'use --by agent for the figures of each agent',
  'serve --agent': 'a server knows its callers by their tokens; see repertoire agent --help',
};

function findOperandFault({ command, operands, values }: ParsedArguments, wanted: Command): string | undefined {
  const missing = wanted.operands[operands.length];
  if (missing !== undefined && !missing.startsWith('[')) {
    if (missing.includes('|')) return `Command "${command}" needs an action: ${anyOf(missing.split('|'))}`;
    const what = missing.endsWith('...') ? missing.slice(0, -3) : `a ${missing}`;
    return `Command "${command}" needs ${what}: for example repertoire ${wanted.example}`;
  }
  if (wanted.operands.at(-1)?.endsWith('...')) return undefined;
  const extra = operands[wanted.operands.length];
  if (extra === undefined) return undefined;
  const takes = wanted.operands.length === 0 ? 'takes none' : `takes only ${wanted.operands.join(' ')}`;
  const advice = repeatAdvice(extra, values) ?? (operands.length > 1 ? '; quote what has spaces' : '');
  return `Unexpected argument "${extra}": "${command}" ${takes}${advice}`;
}

/** `--role A B`: what follows may be meant as a second value. */
function repeatAdvice(extra: string, values: ParsedArguments['values']): string | undefined {
  const [given] = [...values].filter(([name]) => optionSpec(name).repeatable);
  if (given === undefined) return undefined;
  const [name, all] = given;
  return `; to give --${name} several values, repeat it: --${name} ${all.at(-1)} --${name} ${extra}`;
}

const anyOf = (words: readonly string[]): string => `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;

/** What is wrong with options that parse: names that do not exist, options that exclude each other. */
export async function findUsageFault(parsed: ParsedArguments): Promise<string | undefined> {
  return findHostFault(parsed) ?? findLogFault(parsed) ?? (await findBuiltinFault(parsed));
}

function findHostFault(parsed: ParsedArguments): string | undefined {
  const [stranger] = findUnknownHosts(hostNames(parsed));
  if (stranger === undefined) return undefined;
  const ids = SKILL_READERS.map(({ id }) => id);
  return `Unknown host "${stranger}": ${adviceFor(stranger, ids, 'use all, or names of')}`;
}

const findLogFault = ({ flags, values }: ParsedArguments): string | undefined =>
  flags.has('no-log') && values.get('log')?.[0] === 'required'
    ? 'Option --no-log cannot be combined with --log required: leave one of them out'
    : undefined;

async function findBuiltinFault({ values }: ParsedArguments): Promise<string | undefined> {
  const given = values.get('builtin')?.[0];
  if (given === undefined || given === 'all' || given === 'none') return undefined;
  // Only where names were given: a start of `mcp` needs none of it.
  const { findBuiltinFault: findFault } = await import('../../app/serve-faults.ts');
  const { inCommandWords } = await import('./serve-fault.ts');
  return inCommandWords(findFault(given.split(',')))?.sentence;
}
