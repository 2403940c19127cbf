// What the library has wrong about single hosts, or does not offer: see docs/connect.md for the list with reasons.
import { dirname, isAbsolute, join, relative } from 'node:path';
import { fail, ok, type Result } from '../../values/result.ts';
import { findVariableFolder } from '../host-paths.ts';
import { entryName } from './entry.ts';
import { createFields, type Fields, findValue, isFields } from './fields.ts';
import type { HostWorld, Scope } from './host-config.ts';

interface HostMend {
  readonly title?: string;
  readonly userPath?: (world: HostWorld) => string | undefined;
  readonly isHere?: (world: HostWorld) => boolean;
  /** The keys that lead to the servers. */
  readonly findKeys?: (scope: Scope, present: Fields) => Result<readonly string[], string>;
  readonly mendEntry?: (entry: Fields) => Fields;
  readonly isPrivate?: true;
  /** About a new file in a project. */
  readonly findWarning?: (project: string, world: HostWorld) => string | undefined;
}

export const hostMends: Readonly<Record<string, HostMend>> = {
  // The library does not know the variable that moves the folder; the file moves with it.
  'claude-code': {
    userPath: ({ environment }) => {
      const folder = findVariableFolder('CLAUDE_CONFIG_DIR', environment);
      return folder && join(folder, '.claude.json');
    },
    findWarning: (project, { exists }) =>
      exists(join(project, '.github/mcp.json'))
        ? 'GitHub Copilot CLI reads .github/mcp.json only while there is no .mcp.json: move its servers into the new file'
        : undefined,
  },
  cline: { title: 'Cline (VS Code)' },
  // Codex tells the transports apart by `url` and `command`; some versions refuse the file for `type`.
  codex: {
    mendEntry: (entry) => withoutKey(entry, 'type'),
    userPath: (world) => join(folderOf('CODEX_HOME', '.codex', world), 'config.toml'),
    isHere: (world) => world.exists(folderOf('CODEX_HOME', '.codex', world)),
  },
  // The library looks into XDG_CONFIG_HOME itself, which is there on many machines without Copilot.
  'github-copilot-cli': {
    userPath: (world) => join(folderOf('COPILOT_HOME', '.copilot', world), 'mcp-config.json'),
    isHere: (world) => world.exists(folderOf('COPILOT_HOME', '.copilot', world)),
    findKeys: findCopilotKeys,
  },
  // It follows XDG_CONFIG_HOME, and has two layouts.
  opencode: {
    userPath: (world) => findOpenCodeFile(world),
    isHere: (world) => world.exists(dirname(findOpenCodeFile(world))),
    findKeys: (_scope, present) => ok(findOpenCodeKeys(present)),
  },
  // On a Mac it keeps its settings below ~/.config, not in Application Support.
  zed: {
    userPath: ({ environment, platform }) =>
      platform === 'darwin' ? join(environment.home, '.config/zed/settings.json') : undefined,
  },
  // It reads only files that nobody else can read.
  fx: { isPrivate: true },
};

/** Where the variable says; else `usual`, in the home directory. */
function folderOf(variable: string, usual: string, { environment }: HostWorld): string {
  return findVariableFolder(variable, environment) ?? join(environment.home, usual);
}

/** The variables that the library takes as they stand, with what they mean when they are not set. */
const libraryVariables: Readonly<Record<string, string>> = {
  XDG_CONFIG_HOME: '.config',
  GROK_HOME: '.grok',
  KIMI_CODE_HOME: '.kimi-code',
  PI_CODING_AGENT_DIR: '.pi/agent',
  CLINE_DIR: '.cline',
};

/** Only a value like `~/x` or `x/y` makes the library answer a relative path. */
export function mendUserPath(path: string, world: HostWorld): string {
  if (isAbsolute(path)) return path;
  for (const [variable, usual] of Object.entries(libraryVariables)) {
    const value = world.environment.variables[variable];
    const below = value ? relative(value, path) : '..';
    if (!below.startsWith('..')) return join(folderOf(variable, usual, world), below);
  }
  return path;
}

/** In a project it shares `.mcp.json` with others, which may hold nothing but servers, or VS Code's key. */
function findCopilotKeys(scope: Scope, present: Fields): Result<readonly string[], string> {
  if (scope === 'user' || 'mcpServers' in present) return ok(['mcpServers']);
  if (isFields(present.servers) && Object.values(present.servers).some(isServer)) {
    return fail('it has the servers under "servers", which Copilot does not read; rename that key to "mcpServers"');
  }
  const values = Object.values(present);
  return ok(values.length > 0 && values.every(isServer) ? [] : ['mcpServers']);
}

function isServer(value: unknown): boolean {
  const { command, url, type } = value && typeof value === 'object' ? (value as Record<string, unknown>) : {}; // any object may be asked for these
  return [command, url, type].some((field) => typeof field === 'string');
}

function findOpenCodeFile(world: HostWorld): string {
  const folder = join(folderOf('XDG_CONFIG_HOME', '.config', world), 'opencode');
  const [first = '', ...others] = ['opencode.jsonc', 'opencode.json'].map((name) => join(folder, name));
  return [first, ...others].find(world.exists) ?? first;
}

/** `mcp.NAME`, or `mcp.servers.NAME` where that is in use and nothing is in the former place. */
function findOpenCodeKeys(present: Fields): readonly string[] {
  const servers = findValue(present, ['mcp', 'servers']);
  if (!isFields(servers) || isOpenCodeServer(servers)) return ['mcp'];
  if (entryName in servers) return ['mcp', 'servers'];
  const mcp = findValue(present, ['mcp']);
  const former = isFields(mcp) ? Object.entries(mcp).filter(([key]) => key !== 'servers') : [];
  return former.some(([, value]) => isOpenCodeServer(value)) ? ['mcp'] : ['mcp', 'servers'];
}

function isOpenCodeServer(value: unknown): boolean {
  const fields = value && typeof value === 'object' ? (value as Record<string, unknown>) : {}; // any object may be asked for these
  return ['type', 'url', 'command', 'enabled', 'disabled'].some(
    (key) => key in fields && !isFields(fields[key] as never),
  );
}

function withoutKey(fields: Fields, key: string): Fields {
  return createFields(Object.entries(fields).filter(([name]) => name !== key));
}
