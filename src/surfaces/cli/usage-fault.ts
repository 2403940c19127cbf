// What is wrong with options that parse: names of agents and built-in skills that there are none of, options that exclude
// each other. One sentence, or `undefined`.
import { findUnknownHosts, HOSTS } from '../../hosts/hosts.ts';
import { findNearest } from '../../text/nearest.ts';
import { agentNames } from './given-options.ts';
import type { ParsedArguments } from './parse-arguments.ts';

export async function findUsageFault(parsed: ParsedArguments): Promise<string | undefined> {
  return findAgentFault(parsed) ?? findLogFault(parsed) ?? (await findBuiltinFault(parsed));
}

function findAgentFault(parsed: ParsedArguments): string | undefined {
  const [stranger] = findUnknownHosts(agentNames(parsed));
  if (stranger === undefined) return undefined;
  const ids = HOSTS.map(({ id }) => id);
  return `Unknown agent "${stranger}": ${adviceFor(stranger, ids, 'use all, or names of')}`;
}

const findLogFault = ({ flags, values }: ParsedArguments): string | undefined =>
  flags.has('no-log') && values.get('log')?.[0] === 'required'
    ? 'Option --no-log does not go with --log required: leave one of the two out'
    : undefined;

async function findBuiltinFault({ values }: ParsedArguments): Promise<string | undefined> {
  const given = values.get('builtin')?.[0];
  if (given === undefined || given === 'all' || given === 'none') return undefined;
  // Only where names were given: a start of `mcp` needs none of it.
  const { ALL_BUILTIN_NAMES } = await import('../../builtin/builtin-names.ts');
  const stranger = given.split(',').find((name) => !ALL_BUILTIN_NAMES.includes(name));
  if (stranger === undefined) return undefined;
  return `Unknown built-in skill "${stranger}": ${adviceFor(stranger, ALL_BUILTIN_NAMES, 'use all, none, or names of')}`;
}

function adviceFor(stranger: string, names: readonly string[], otherwise: string): string {
  const [nearest] = findNearest(stranger, names, 1);
  return nearest === undefined ? `${otherwise} ${names.join(', ')}` : `did you mean "${nearest}"?`;
}
