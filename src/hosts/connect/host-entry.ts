// Our entry in a host's configuration: under which keys it stands and what it says there. Pure.
import { fail, ok, type Result } from '../../values/result.ts';
import type { EntryShape } from '../host.ts';
import { entryName, mergeEntry } from './entry.ts';
import { type Fields, findValue, isFields, toFields, type Value } from './fields.ts';
import type { ConfigScope, ConnectableHost } from './host-files.ts';

/** What the host is to talk to: a program that it starts, or a server that runs already. */
export type ConnectTarget = Program | Remote;

export interface Program {
  readonly command: string;
  readonly args: readonly string[];
}

export interface Remote {
  readonly url: string;
  readonly token: string | undefined;
}

/** Where hosts that take no token in their file read it. */
export const tokenVariable = 'REPERTOIRE_TOKEN';

/** From the top of the file to the entry. */
export function findEntryKeys(
  { id, config }: ConnectableHost,
  scope: ConfigScope,
  present: Fields,
): Result<readonly string[], string> {
  const keys = serverKeys[id]?.(scope, present) ?? ok([config.key ?? 'mcpServers']);
  return keys.ok ? ok([...keys.value, entryName]) : keys;
}

interface EntryPlace {
  readonly scope: ConfigScope;
  readonly keys: readonly string[];
}

/** The entry for a server; keeps what was added to the present one by hand. */
export function createEntry(
  { config }: ConnectableHost,
  server: ConnectTarget,
  place: EntryPlace,
  present: Fields | undefined,
): Fields {
  const shape = shapes[config.shape ?? 'standard'];
  const entryFor = (each: ConnectTarget): Fields =>
    toFields('command' in each ? shape.program(each, place) : shape.remote(addressOf(each), place));
  const wanted = entryFor(server);
  if (present === undefined) return wanted;
  const other = 'command' in server ? { url: 'x', token: 'x' } : { command: 'x', args: ['x'] };
  return mergeEntry(present, wanted, entryFor(other));
}

interface Address {
  readonly url: string;
  /** Absent without a token. */
  readonly headers: { readonly Authorization: string } | undefined;
}

const addressOf = ({ url, token }: Remote): Address => ({
  url,
  headers: token === undefined ? undefined : { Authorization: `Bearer ${token}` },
});

/** In the order that the fields are written in; one that is `undefined` is left out. */
interface Shape {
  readonly program: (program: Program, place: EntryPlace) => object;
  readonly remote: (address: Address, place: EntryPlace) => object;
}

const program = ({ command, args }: Program) => ({ command, args });

const shapes: Readonly<Record<EntryShape, Shape>> = {
  standard: { program, remote: ({ url, headers }) => ({ type: 'http', url, headers }) },
  plain: { program, remote: ({ url, headers }) => ({ url, headers }) },
  antigravity: { program, remote: ({ url, headers }) => ({ serverUrl: url, headers }) },
  cline: {
    program: (started) => ({ ...program(started), disabled: false }),
    remote: ({ url, headers }) => ({ url, type: 'streamableHttp', disabled: false, headers }),
  },
  // Codex tells the transports apart by `url` and `command`; some versions refuse the file for `type`.
  codex: { program, remote: ({ url, headers }) => ({ url, http_headers: headers }) },
  copilot: {
    program: (started, place) => ({ type: 'stdio', ...program(started), tools: copilotTools(place) }),
    remote: ({ url, headers }, place) => ({ type: 'http', url, tools: copilotTools(place), headers }),
  },
  fx: {
    program: ({ command, args }) => ({ type: 'local', command: [command, ...args], enabled: true }),
    remote: ({ url, headers }) => ({
      type: 'http',
      url,
      enabled: true,
      bearer_token_env: headers === undefined ? undefined : tokenVariable,
    }),
  },
  goose: {
    program: ({ command, args }) => ({
      name: entryName,
      description: '',
      cmd: command,
      args,
      enabled: true,
      envs: {},
      type: 'stdio',
      timeout: 300,
    }),
    remote: ({ url, headers = {} }) => ({
      name: entryName,
      description: '',
      type: 'streamable_http',
      uri: url,
      headers,
      enabled: true,
      timeout: 300,
    }),
  },
  kimi: {
    program: (started) => ({ transport: 'stdio', ...program(started) }),
    remote: ({ url, headers }) => ({ transport: 'http', url, headers }),
  },
  opencode: {
    program: ({ command, args }, place) => ({
      type: 'local',
      command: [command, ...args],
      environment: {},
      enabled: isInFormerLayout(place),
    }),
    remote: ({ url, headers }, place) => ({ type: 'remote', url, headers, enabled: isInFormerLayout(place) }),
  },
  zed: {
    program: (started) => ({ source: 'custom', ...program(started), env: {} }),
    remote: ({ url, headers = {} }) => ({ source: 'custom', type: 'http', url, headers }),
  },
};

/** The file of a project is shared with hosts that do not know the field. */
const copilotTools = ({ scope }: EntryPlace) => (scope === 'user' ? ['*'] : undefined);

/** OpenCode's entries under `mcp.servers` have no such field. */
const isInFormerLayout = ({ keys }: EntryPlace): true | undefined => (keys.includes('servers') ? undefined : true);

/** The keys that lead to the servers, for hosts where that depends on what the file says. */
const serverKeys: Readonly<
  Record<string, (scope: ConfigScope, present: Fields) => Result<readonly string[], string> | undefined>
> = {
  'github-copilot-cli': findCopilotKeys,
  opencode: (_scope, present) => ok(findOpenCodeKeys(present)),
};

/** In a project it shares `.mcp.json` with others, which may hold nothing but servers, or VS Code's key. */
function findCopilotKeys(scope: ConfigScope, present: Fields): Result<readonly string[], string> {
  if (scope === 'user' || 'mcpServers' in present) return ok(['mcpServers']);
  if (isFields(present.servers) && Object.values(present.servers).some(isServer)) {
    return fail('it has the servers under "servers", which Copilot does not read; rename that key to "mcpServers"');
  }
  const values = Object.values(present);
  return ok(values.length > 0 && values.every(isServer) ? [] : ['mcpServers']);
}

const isServer = (value: Value): boolean =>
  isFields(value) && ['command', 'url', 'type'].some((key) => typeof value[key] === 'string');

/** `mcp.NAME`, or `mcp.servers.NAME` where that is in use and nothing is in the former place. */
function findOpenCodeKeys(present: Fields): readonly string[] {
  const servers = findValue(present, ['mcp', 'servers']);
  if (!isFields(servers) || isOpenCodeServer(servers)) return ['mcp'];
  if (entryName in servers) return ['mcp', 'servers'];
  const mcp = findValue(present, ['mcp']);
  const former = isFields(mcp) ? Object.entries(mcp).filter(([key]) => key !== 'servers') : [];
  return former.some(([, value]) => isOpenCodeServer(value)) ? ['mcp'] : ['mcp', 'servers'];
}

const isOpenCodeServer = (value: Value): boolean =>
  isFields(value) &&
  ['type', 'url', 'command', 'enabled', 'disabled'].some((key) => key in value && !isFields(value[key]));
