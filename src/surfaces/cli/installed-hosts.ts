// Agent hosts that seem to be installed here, by the folders they keep in the home directory. A hint for the status screen.
// The ids and titles are those of `connect`, whose library would cost this screen 40 ms; a test holds the two together.
import { join } from 'node:path';
import { openConfigFile, pathExists } from '../../hosts/connect/config-file.ts';
import { entryName } from '../../hosts/connect/entry.ts';
import type { Environment } from '../../settings/config.ts';

export interface Host {
  /** As `connect` takes it. */
  readonly id: string;
  readonly name: string;
  /** Below the home directory, with `/`. */
  readonly folder: string;
}

/** Best known first: the first one found is the example in the next command. */
export const knownHosts: readonly {
  readonly id: string;
  readonly name: string;
  readonly folders: readonly string[];
  /** Its configuration, seen from its folder: where one has our name in it, the host may be connected. */
  readonly files: readonly string[];
}[] = [
  { id: 'claude-code', name: 'Claude Code', files: ['../.claude.json'], folders: ['.claude'] },
  { id: 'claude-desktop', name: 'Claude Desktop', files: ['claude_desktop_config.json'], folders: inAppData('Claude') },
  { id: 'cursor', name: 'Cursor', files: ['mcp.json'], folders: ['.cursor'] },
  { id: 'codex', name: 'Codex', files: ['config.toml'], folders: ['.codex'] },
  { id: 'gemini-cli', name: 'Gemini CLI', files: ['settings.json'], folders: ['.gemini'] },
  { id: 'opencode', name: 'OpenCode', files: ['opencode.jsonc', 'opencode.json'], folders: ['.config/opencode'] },
  { id: 'vscode', name: 'VS Code', files: ['mcp.json'], folders: inAppData('Code/User') },
  { id: 'github-copilot-cli', name: 'GitHub Copilot CLI', files: ['mcp-config.json'], folders: ['.copilot'] },
  { id: 'windsurf', name: 'Windsurf', files: ['mcp_config.json'], folders: ['.codeium/windsurf'] },
  { id: 'goose', name: 'Goose', files: ['config.yaml'], folders: ['.config/goose', 'AppData/Roaming/Block/goose'] },
  { id: 'zed', name: 'Zed', files: ['settings.json'], folders: ['.config/zed', 'AppData/Roaming/Zed'] },
  { id: 'antigravity', name: 'Antigravity', files: ['mcp_config.json'], folders: ['.gemini/config'] },
  {
    id: 'cline',
    name: 'Cline (VS Code)',
    files: ['settings/cline_mcp_settings.json'],
    folders: inAppData('Code/User/globalStorage/saoudrizwan.claude-dev'),
  },
  { id: 'cline-cli', name: 'Cline CLI', files: ['data/settings/cline_mcp_settings.json'], folders: ['.cline'] },
  { id: 'fx', name: 'fx', files: ['mcp.json'], folders: ['.fx'] },
  { id: 'grok-build', name: 'Grok Build', files: ['config.toml'], folders: ['.grok'] },
  {
    id: 'kilo-code',
    name: 'Kilo Code',
    files: ['kilo.json'],
    folders: ['.config/kilo', ...inAppData('Code/User/globalStorage/kilocode.kilo-code')],
  },
  { id: 'kimi-code', name: 'Kimi Code', files: ['mcp.json'], folders: ['.kimi-code'] },
  { id: 'kiro-cli', name: 'Kiro CLI', files: ['settings/mcp.json'], folders: ['.kiro'] },
  { id: 'mastracode', name: 'Mastra Code', files: ['mcp.json'], folders: ['.mastracode'] },
  { id: 'mcporter', name: 'MCPorter', files: ['mcporter.json'], folders: ['.mcporter'] },
  { id: 'pi', name: 'Pi', files: ['mcp.json'], folders: ['.pi/agent'] },
];

export function findHosts(home: string, exists: (path: string) => boolean): readonly Host[] {
  return knownHosts.flatMap(({ id, name, folders }) => {
    const folder = folders.find((candidate) => exists(join(home, candidate)));
    return folder === undefined ? [] : [{ id, name, folder }];
  });
}

/** Those of them that are connected already. Cheap where none is: then only the files that exist are looked through. */
export async function findConnected(hosts: readonly Host[], environment: Environment): Promise<readonly string[]> {
  const named = hosts.filter((host) => mentionsUs(host, environment.home)).map(({ id }) => id);
  if (named.length === 0) return [];
  const [{ loadHosts }, { isConnected }] = await Promise.all([
    import('../../hosts/connect/host-config.ts'),
    import('../../hosts/connect/connect-host.ts'),
  ]);
  const known = await loadHosts({ environment, platform: process.platform, exists: pathExists });
  return named.filter((id) => {
    const host = known.find((each) => each.id === id);
    const path = host?.findPath('user', environment.workingDirectory);
    return host !== undefined && path !== undefined && isConnected({ host, scope: 'user', path });
  });
}

function mentionsUs({ id, folder }: Host, home: string): boolean {
  const files = knownHosts.find((host) => host.id === id)?.files ?? [];
  return files.some((file) => {
    const opened = openConfigFile(join(home, folder, file));
    return opened.ok && opened.value.text?.includes(entryName) === true;
  });
}

/** On a Mac, on Windows, elsewhere. */
function inAppData(folder: string): readonly string[] {
  return [`Library/Application Support/${folder}`, `AppData/Roaming/${folder}`, `.config/${folder}`];
}
