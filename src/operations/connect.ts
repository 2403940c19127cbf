// Connecting a host to this server: what to put into it, and which clients have come since the server started.
import type { AgentStore } from '../identity/agents.ts';
import type { SeenClient, SeenClients } from '../identity/seen-clients.ts';
import { StoreUnavailable } from '../skills/record/invocation-log.ts';
import { ok } from '../values/result.ts';
import { OPERATOR_ONLY } from './access.ts';
import type { Logs } from './log.ts';
import { asFound, operation } from './operation.ts';
import { filter } from './parameters.ts';
import { choice, count, flag, list, moment, record, type TypeOf, text } from './shape.ts';

export interface ConnectPorts {
  readonly clients: SeenClients;
  readonly guide: HostGuide;
  readonly agents: AgentStore;
  /** `undefined` with `--no-log`. */
  readonly logs: Logs | undefined;
}

/** How this program is started here, and what hosts need to reach it. */
export interface HostGuide {
  /** For the commands that pages show. `mayShowPaths`: the asker is the operator, on this machine. */
  commands(mayShowPaths: boolean): CommandWords;
  /** `address`: by which hosts reach this server, without a path. */
  hosts(address: string, mayShowPaths: boolean): Promise<readonly HostJson[]>;
}

/** Stands for the token in whatever is shown: the page that made one puts it there. */
export const TOKEN_PLACE = 'YOUR_TOKEN';

export const commandWords = record({
  program: text().about('What starts this program: `repertoire`, or `node` and a path'),
  store: text().about('Options that lead a command to the same log and agents; empty when it needs none'),
  catalog: text().about('Options that lead a command to the same skills; empty when it needs none'),
  typed: text().about('Options that lead a command to the same typed skills; empty when it needs none'),
  sources: text().about('Options that lead a command to the same locks and their content; empty when it needs none'),
})
  .about('For commands to be typed on the machine of this server, as a shell reads them')
  .named('CommandWords');

export type CommandWords = TypeOf<typeof commandWords>;

const way = record({
  command: text().nullable().about('Connects the host; null where no command can'),
  entry: text().about("What to put into the host's file instead, as it would be in a new one"),
}).named('HostConnection');

const host = record({
  id: text().about('As `repertoire connect` takes it'),
  title: text(),
  client_names: list(text()).about(
    'What it calls itself over MCP, in lower case; `*` at the end stands for more. Empty: not known',
  ),
  is_found: flag.nullable().about('Whether it seems to be installed on this machine; null: not known'),
  file: text().nullable().about('Where it keeps its MCP servers; null: not known'),
  format: choice(['json', 'toml', 'yaml']),
  http: way.nullable().about('To this server; null: the host can only start programs'),
  program: way.about('As a program that the host starts'),
  token_variable: text().nullable().about('Where it reads the token, if not in its file'),
  needs: text().nullable().about('What it lacks by itself'),
  next: text().about('What to do once it is connected'),
}).named('Host');

export type HostJson = TypeOf<typeof host>;

/** An origin, as a browser writes it. */
function addressFault(given: string): string | undefined {
  const address = URL.canParse(given) ? new URL(given) : undefined;
  const isOrigin = address !== undefined && /^https?:$/.test(address.protocol) && address.origin === given;
  return isOrigin ? undefined : 'must be an http or https address without a path, such as http://127.0.0.1:7337';
}

export const listHosts = operation({
  id: 'list_hosts',
  summary: 'The hosts that can be connected to this server, and what to put into each',
  access: OPERATOR_ONLY,
  input: {
    address: text({ most: 300, fault: addressFault }).about(
      'By which hosts reach this server: `http://127.0.0.1:7337`',
    ),
  },
  output: record({ hosts: list(host).about(`\`${TOKEN_PLACE}\` stands for the token`) }).named('HostList'),
  run: async ({ address }, { remote }, { guide }: ConnectPorts) => ok({ hosts: await guide.hosts(address, !remote) }),
  project: asFound,
  http: { tag: 'agents', id: 'listHosts', method: 'GET', path: '/api/hosts', answer: 'The hosts' },
});

const connection = record({
  caller: record({ kind: choice(['operator', 'agent', 'user']), name: text() }),
  client: text().about('What it calls itself'),
  version: text(),
  connected_at: moment,
  last_seen_at: moment,
  tools: count.nullable().about('How many it was shown; null: it has not asked yet'),
  first_read: record({ skill_name: text(), at: moment })
    .nullable()
    .about('The first document that it read since it connected'),
}).named('Connection');

export const listConnections = operation({
  id: 'list_connections',
  summary:
    'Which MCP clients came over HTTP to this server, or to another on the same store, since it started, newest first',
  access: OPERATOR_ONLY,
  input: { agent: filter('Only of this agent') },
  output: record({
    connections: list(connection).about('At most 20 of one caller, and 500 in all'),
    is_used: flag.about('Something connected, read or ran, now or before this start'),
  }).named('ConnectionList'),
  run: async ({ agent }, _asking, ports: ConnectPorts) => {
    const seen = ports.clients.list();
    const isAsked = ({ caller }: SeenClient) =>
      agent === undefined || (caller.kind === 'agent' && caller.name === agent);
    return ok({ connections: seen.filter(isAsked), isUsed: seen.length > 0 || (await wasUsed(ports)) });
  },
  project: ({ connections, isUsed }) => ({ connections: connections.map(connectionJson), is_used: isUsed }),
  http: { tag: 'agents', id: 'listConnections', method: 'GET', path: '/api/connections', answer: 'The connections' },
});

/** While the store is away it is not known, and a first time is not claimed. */
async function wasUsed({ agents, logs }: ConnectPorts): Promise<boolean> {
  try {
    if ((await agents.list()).some(({ lastUsedAt }) => lastUsedAt !== undefined)) return true;
    if (logs === undefined) return false;
    if ((await logs.loads.list({ limit: 1 })).loads.length > 0) return true;
    return (await logs.invocations.list({ limit: 1 })).invocations.length > 0;
  } catch (error) {
    if (error instanceof StoreUnavailable) return true;
    throw error;
  }
}

const connectionJson = (seen: SeenClient): TypeOf<typeof connection> => ({
  caller: seen.caller,
  client: seen.name,
  version: seen.version,
  connected_at: seen.connectedAt.toISOString(),
  last_seen_at: seen.lastSeenAt.toISOString(),
  tools: seen.tools ?? null,
  first_read: seen.firstRead ? { skill_name: seen.firstRead.skillName, at: seen.firstRead.at.toISOString() } : null,
});
