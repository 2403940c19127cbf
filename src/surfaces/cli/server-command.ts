// The words that start this program as a server with the same options from anywhere, and those that ask it where it looks.
import { type Settings, toAbsolute } from '../../settings/config.ts';
import { toShellLine } from '../../text/shell-line.ts';
import type { CommandContext } from './command.ts';

/** What the settings do not tell: which of them were said, and which are only the default. */
export interface GivenForServer {
  /** Absolute. */
  readonly roots: readonly string[];
  readonly project: string | undefined;
  readonly rescan: string | undefined;
  /** Absent: of a command that takes no options for typed skills. */
  readonly typed?: GivenForTyped | undefined;
}

interface GivenForTyped {
  readonly data: string | undefined;
  readonly log: string | undefined;
  readonly noLog: boolean;
  readonly keep: string | undefined;
}

/** Hosts start the server in a folder of their own choice, so every path in it is absolute. */
export function createServerCommand(
  program: readonly string[],
  settings: Omit<Settings, 'http'>,
  given: GivenForServer,
): readonly string[] {
  const { rootRequest } = settings;
  return [
    ...program,
    'mcp',
    ...many('--root', given.roots),
    ...(given.roots.length > 0 && rootRequest.withDefaults ? ['--default-roots'] : []),
    ...one('--project', given.project === undefined ? undefined : rootRequest.project),
    ...many('--without', settings.without),
    ...many('--allow-links', settings.allowLinks),
    ...(rootRequest.agents.length === 0 ? [] : ['--agents', rootRequest.agents.join(',')]),
    ...many('--pin', settings.pinned),
    ...(settings.showNative ? ['--show-native'] : []),
    ...one('--rescan', given.rescan),
    ...(settings.isRemembered ? [] : ['--no-remember']),
    ...(given.typed ? typedWords(settings, given.typed) : []),
  ];
}

function typedWords(settings: Omit<Settings, 'http'>, { data, log, noLog, keep }: GivenForTyped): readonly string[] {
  return [
    ...one('--config', settings.configFile),
    ...one('--builtin', builtinWord(settings.builtin)),
    ...one('--agent', settings.agent),
    ...one('--data', data === undefined ? undefined : settings.dataDirectory),
    ...one('--log', log),
    ...(noLog ? ['--no-log'] : []),
    ...one('--keep', keep),
  ];
}

/** As `--builtin` takes it. */
function builtinWord(builtin: Settings['builtin']): string | undefined {
  if (builtin === undefined || builtin === 'all') return builtin;
  return builtin.length === 0 ? 'none' : builtin.join(',');
}

const many = (option: string, values: readonly string[]): readonly string[] =>
  values.flatMap((value) => [option, value]);

const one = (option: string, value: string | undefined): readonly string[] =>
  value === undefined ? [] : [option, value];

/** What a person types to see where the server would look. */
export function createDoctorLine(context: CommandContext): string {
  const settings = { ...context.settings, pinned: [], showNative: false, builtin: undefined, agent: undefined };
  const { typed, ...rest } = givenIn(context);
  const given = { ...rest, rescan: undefined, typed: { ...ONLY_DATA, data: typed?.data } };
  const [, ...options] = createServerCommand([], settings, given);
  return toShellLine([...context.program(), 'doctor', ...options]);
}

/** Of what typed skills are started with, `doctor` takes --config and --data. */
const ONLY_DATA = { log: undefined, noLog: false, keep: undefined };

/** `--database-url` may hold a password: it does not go into a file that others may read. */
export const hasDatabaseUrl = ({ values }: CommandContext): boolean => values.has('database-url');

/** What was said on the command line. */
export function givenIn(context: CommandContext): GivenForServer {
  const { values, flags, environment } = context;
  return {
    roots: (values.get('root') ?? []).map((path) => toAbsolute(path, environment)),
    project: values.get('project')?.[0],
    rescan: values.get('rescan')?.[0],
    typed: {
      data: values.get('data')?.[0],
      log: values.get('log')?.[0],
      noLog: flags.has('no-log'),
      keep: values.get('keep')?.[0],
    },
  };
}
