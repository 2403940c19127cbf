// The agent hosts that can be connected: where each keeps its configuration and what an entry looks like there.
// The table is the library's (`add-mcp`), mended where it is wrong. Loaded only by `connect`: it costs 40 ms.
import { join, resolve } from 'node:path';
import type { AgentConfig, McpServerConfig } from 'add-mcp';
import type { Environment } from '../../settings/config.ts';
import { fail, ok, type Result } from '../../values/result.ts';
import { entryName, mergeEntry } from './entry.ts';
import { type Fields, isFields, toValue } from './fields.ts';
import { hostMends, mendUserPath } from './host-mends.ts';
import type { Place } from './plan-change.ts';

export type Scope = 'user' | 'project';

/** What the host is to talk to: a program that it starts, or a server that runs already. */
export type Server =
  | { readonly command: string; readonly args: readonly string[] }
  | { readonly url: string; readonly token: string | undefined };

export interface Host {
  readonly id: string;
  readonly title: string;
  readonly takesHttp: boolean;
  /** It takes a token only from a variable of its environment, not from the file. */
  readonly tokenByVariable: boolean;
  /** Its files must be private, whatever is in them. */
  readonly isPrivate: boolean;
  /** It seems to be installed here. */
  isHere(): Promise<boolean>;
  /** `undefined`: it has no such file. */
  findPath(scope: Scope, project: string): string | undefined;
  /** Where in a file that says this the entry belongs. */
  findPlace(scope: Scope, present: Fields): Result<Place, string>;
  /** What a person should know before a new file is made in this project. */
  findWarning(scope: Scope, project: string): string | undefined;
  /** The entry for a server; keeps what somebody added to the present one. */
  createEntry(server: Server, place: Place, scope: Scope, present: Fields | undefined): Fields;
}

export const tokenVariable = 'REPERTOIRE_TOKEN';

export interface HostWorld {
  readonly environment: Environment;
  readonly platform: string;
  readonly exists: (path: string) => boolean;
}

export async function loadHosts(world: HostWorld): Promise<readonly Host[]> {
  const { agents } = await import('add-mcp');
  return Object.values(agents).map((agent) => createHost(agent, world));
}

function createHost(agent: AgentConfig, world: HostWorld): Host {
  const mend = hostMends[agent.name];
  const { home, workingDirectory } = world.environment;
  // Where HOME is empty the library's paths are relative.
  const userPath = () =>
    resolve(home, mend?.userPath?.(world) ?? mendUserPath(pathOf(agent, false, workingDirectory), world));
  const isHere = async () => world.exists(userPath()) || (mend?.isHere?.(world) ?? (await agent.detectGlobalInstall()));
  const projectPath = (project: string) => (agent.localConfigPath ? pathOf(agent, true, project) : undefined);
  return {
    id: agent.name,
    title: mend?.title ?? agent.displayName,
    takesHttp: agent.supportedTransports.includes('http'),
    tokenByVariable: agent.supportedFields.includes('bearerTokenEnv'),
    isPrivate: mend?.isPrivate === true,
    isHere,
    findPath: (scope, project) => (scope === 'user' ? userPath() : projectPath(project)),
    findPlace: (scope, present) => placeIn(agent, scope, present),
    findWarning: (scope, project) => (scope === 'project' ? mend?.findWarning?.(project, world) : undefined),
    createEntry: (server, place, scope, present) => {
      const wanted = entryOf(agent, server, place, scope);
      return present ? mergeEntry(present, wanted, otherSample(agent, server, place, scope)) : wanted;
    },
  };
}

function pathOf(agent: AgentConfig, local: boolean, cwd: string): string {
  if (agent.resolveConfigPath) return agent.resolveConfigPath(agent, { local, cwd });
  return local ? join(cwd, agent.localConfigPath ?? '') : agent.configPath;
}

function placeIn(agent: AgentConfig, scope: Scope, present: Fields): Result<Place, string> {
  const usual = (scope === 'project' && agent.localConfigKey) || agent.configKey;
  const found = hostMends[agent.name]?.findKeys?.(scope, present) ?? ok(usual.split('.'));
  return found.ok ? ok({ format: agent.format, keys: [...found.value, entryName] }) : fail(found.failure);
}

function entryOf(agent: AgentConfig, server: Server, { keys }: Place, scope: Scope): Fields {
  const context = { local: scope === 'project', configKey: keys.slice(0, -1).join('.') };
  const config = toLibraryConfig(server, agent.supportedFields.includes('bearerTokenEnv'));
  const entry = toValue(agent.transformConfig(entryName, config, context));
  const fields = isFields(entry) ? entry : {};
  return hostMends[agent.name]?.mendEntry?.(fields) ?? fields;
}

function toLibraryConfig(server: Server, tokenByVariable: boolean): McpServerConfig {
  if ('command' in server) return { command: server.command, args: [...server.args] };
  const { url, token } = server;
  if (token === undefined) return { type: 'http', url };
  if (tokenByVariable) return { type: 'http', url, bearerTokenEnv: tokenVariable };
  return { type: 'http', url, headers: { Authorization: `Bearer ${token}` } };
}

/** An entry for the other way to connect: its fields have no place in an entry for this one. */
function otherSample(agent: AgentConfig, server: Server, place: Place, scope: Scope): Fields {
  const other = 'command' in server ? { url: 'http://localhost', token: 'x' } : { command: 'x', args: ['x'] };
  return entryOf(agent, other, place, scope);
}
