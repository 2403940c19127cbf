// What a page tells a person who connects a host: commands that work on this machine, and the entry that `connect` would write.
import { type Program, type Remote, tokenVariable } from '../hosts/connect/host-entry.ts';
import {
  CONNECTABLE_HOSTS,
  type ConnectableHost,
  findConfigPath,
  findInstalled,
  type Machine,
} from '../hosts/connect/host-files.ts';
import { type CommandWords, type HostGuide, type HostJson, TOKEN_PLACE } from '../operations/connect.ts';
import { toShellLine } from '../text/shell-line.ts';

/** How this process was started, as the command line knows it. */
export interface Launch {
  /** The words that start this program from anywhere. */
  readonly program: readonly string[];
  /** Those that start it as a server that a host talks to by standard input, with the same skills. */
  readonly server: readonly string[];
  /** Options that lead other commands to what this server has. */
  readonly options: Readonly<Record<'store' | 'catalog' | 'typed' | 'sources', readonly string[]>>;
  readonly machine: Machine;
  readonly project: string;
  readonly showPath: (path: string) => string;
}

type Words = Pick<Launch, 'program' | 'server' | 'options'>;

/** For those who may not see paths of this machine: they are elsewhere, or not the operator. */
const ELSEWHERE: Words = {
  program: ['repertoire'],
  server: ['repertoire', 'mcp'],
  options: { store: [], catalog: [], typed: [], sources: [] },
};

/** In a program that starts the server itself, the package is one of its own. */
const IN_PROGRAM: Words = { ...ELSEWHERE, program: ['npx', 'repertoire'], server: ['npx', 'repertoire', 'mcp'] };

export function createHostGuide(launch: Launch | undefined, authentication: 'on' | 'off'): HostGuide {
  const wordsFor = (mayShowPaths: boolean): Words => (mayShowPaths ? (launch ?? IN_PROGRAM) : ELSEWHERE);
  return {
    commands: (mayShowPaths) => commandsOf(wordsFor(mayShowPaths)),
    hosts: async (address, mayShowPaths) => {
      // With the writers of three formats: loaded when a page asks.
      const { ANOTHER_HOST, renderSnippet } = await import('../hosts/connect/host-snippet.ts');
      const words = wordsFor(mayShowPaths);
      const isWindows = mayShowPaths && launch?.machine.platform === 'win32';
      const remote = { url: `${address}/mcp`, token: authentication === 'on' ? TOKEN_PLACE : undefined };
      const describe = (host: ConnectableHost): HostJson => ({
        ...aboutHost(host),
        ...placeOf(host, mayShowPaths ? launch : undefined),
        http: host.config.programsOnly
          ? null
          : { command: remoteCommand(host, remote, words, isWindows), entry: renderSnippet(host, remote) },
        program: { command: programCommand(host, words), entry: renderSnippet(host, programOf(words)) },
      });
      return [...CONNECTABLE_HOSTS.map(describe), withoutCommands(describe(ANOTHER_HOST))];
    },
  };
}

const commandsOf = ({ program, options }: Words): CommandWords => ({
  program: toShellLine(program),
  store: toShellLine(options.store),
  catalog: toShellLine(options.catalog),
  typed: toShellLine(options.typed),
  sources: toShellLine(options.sources),
});

const aboutHost = ({ id, title, clientNames = [], config }: ConnectableHost) => ({
  id,
  title,
  client_names: clientNames,
  format: config.format ?? ('json' as const),
  token_variable: config.tokenByVariable ? tokenVariable : null,
  needs: config.needs ?? null,
  next: config.next ?? `restart ${title}; it lists "repertoire" among its MCP servers.`,
});

/** Looks at the disk: only for a person on this machine. */
function placeOf(host: ConnectableHost, launch: Launch | undefined): Pick<HostJson, 'is_found' | 'file'> {
  if (host.config.files.length === 0) return { is_found: null, file: null };
  if (launch === undefined) return { is_found: null, file: host.config.files[0] ?? null };
  const { machine, project, showPath } = launch;
  const path = findConfigPath(host, 'user', project, machine);
  return { is_found: findInstalled(host, machine).isHere, file: path === undefined ? null : showPath(path) };
}

/** A variable is not seen in the list of processes, as an option is; only the shells of Windows have no such form. */
function remoteCommand(
  { id }: ConnectableHost,
  { url, token }: Remote,
  { program }: Words,
  isWindows: boolean,
): string {
  const words = [...program, 'connect', id, '--http', url];
  if (token === undefined) return toShellLine(words);
  return toShellLine(isWindows ? [...words, '--token', token] : [`${tokenVariable}=${token}`, ...words]);
}

const programCommand = ({ id }: ConnectableHost, { program, server }: Words): string =>
  toShellLine([...program, 'connect', id, ...server.slice(server.indexOf('mcp') + 1)]);

function programOf({ server: [command = 'repertoire', ...args] }: Words): Program {
  return { command, args };
}

/** `connect` knows no such host. */
const withoutCommands = (host: HostJson): HostJson => ({
  ...host,
  http: host.http && { ...host.http, command: null },
  program: { ...host.program, command: null },
});
