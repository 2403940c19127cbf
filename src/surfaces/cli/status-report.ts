// What `repertoire` alone has to say, as a value: the screen and --json show the same.
import type { Catalog, RootStatus } from '../../catalog/catalog.ts';
import type { Problem } from '../../catalog/view/skill.ts';
import type { Settings } from '../../settings/config.ts';
import type { Host } from './installed-hosts.ts';

export interface StatusReport {
  readonly version: string;
  readonly roots: readonly RootStatus[];
  /** Labels of the roots that were asked for: a missing one is worth a word. */
  readonly givenRoots: readonly string[];
  /** How this program is called here: `repertoire`, or node with its path. */
  readonly program: string;
  /** The command that tells more about the same folders. */
  readonly doctor: string;
  /** Some come from the folders of the project: a host that starts elsewhere does not see those. */
  readonly hasProjectSkills: boolean;
  readonly skillCount: number;
  readonly problems: readonly Problem[];
  readonly hosts: readonly Host[];
  /** The ids of those that have this server in their configuration. */
  readonly connected: readonly string[];
  /** The words that start the server with the same roots from anywhere. */
  readonly serverCommand: readonly string[];
}

export function createStatusReport(
  catalog: Pick<Catalog, 'current' | 'roots'>,
  facts: Pick<
    StatusReport,
    'version' | 'givenRoots' | 'program' | 'doctor' | 'hasProjectSkills' | 'hosts' | 'connected' | 'serverCommand'
  >,
): StatusReport {
  return {
    ...facts,
    roots: catalog.roots,
    skillCount: catalog.current.skills.length,
    problems: catalog.current.problems,
  };
}

/** What cannot be seen from the settings any more: what was said and what is only the default. */
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
