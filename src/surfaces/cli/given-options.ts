// The options of a command line as the settings are resolved from: by name, as given. Pure.
import type { GivenOptions } from '../../settings/config.ts';
import type { OptionName } from './options.ts';
import type { ParsedArguments } from './parse-arguments.ts';

type Given = Pick<ParsedArguments, 'flags' | 'values'>;

export function givenOptions({ flags, values }: Given): GivenOptions {
  const all = (name: OptionName) => values.get(name) ?? [];
  const one = (name: OptionName) => values.get(name)?.[0];
  return {
    roots: all('root'),
    defaultRoots: flags.has('default-roots'),
    project: one('project'),
    without: all('without'),
    allowLinks: all('allow-links'),
    agents: agentNames({ values }),
    pinned: all('pin'),
    showNative: flags.has('show-native'),
    rescanSeconds: numberOf(one('rescan')),
    config: one('config'),
    data: one('data'),
    databaseUrl: one('database-url'),
    agent: one('agent'),
    isLogRequired: one('log') === 'required',
    noLog: flags.has('no-log'),
    keep: one('keep'),
    host: one('host'),
    port: numberOf(one('port')),
    allowHosts: all('allow-host'),
    noAuth: flags.has('no-auth'),
    builtin: one('builtin'),
  };
}

/** Of `--agents`: both `--agents a,b` and `--agents a --agents b`. */
export const agentNames = ({ values }: Pick<Given, 'values'>): readonly string[] =>
  (values.get('agents') ?? []).flatMap((names) => names.split(','));

/** The parser let only whole numbers through. */
const numberOf = (value: string | undefined): number | undefined => (value === undefined ? undefined : Number(value));
