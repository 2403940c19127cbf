// Agent hosts that seem to be installed here, by the folders they keep in the home directory. A hint for the status screen.
// The ids and titles are those of `connect`, whose library would cost this screen 40 ms; a test holds the two together.
import { join } from 'node:path';

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
}[] = [
  { id: 'claude-code', name: 'Claude Code', folders: ['.claude'] },
  { id: 'claude-desktop', name: 'Claude Desktop', folders: inAppData('Claude') },
  { id: 'cursor', name: 'Cursor', folders: ['.cursor'] },
  { id: 'codex', name: 'Codex', folders: ['.codex'] },
  { id: 'gemini-cli', name: 'Gemini CLI', folders: ['.gemini'] },
  { id: 'opencode', name: 'OpenCode', folders: ['.config/opencode'] },
  { id: 'vscode', name: 'VS Code', folders: inAppData('Code/User') },
  { id: 'github-copilot-cli', name: 'GitHub Copilot CLI', folders: ['.copilot'] },
  { id: 'windsurf', name: 'Windsurf', folders: ['.codeium/windsurf'] },
  { id: 'goose', name: 'Goose', folders: ['.config/goose', 'AppData/Roaming/Block/goose'] },
  { id: 'zed', name: 'Zed', folders: ['.config/zed', 'AppData/Roaming/Zed'] },
  { id: 'antigravity', name: 'Antigravity', folders: ['.gemini/config'] },
  {
    id: 'cline',
    name: 'Cline (VS Code)',
    folders: inAppData('Code/User/globalStorage/saoudrizwan.claude-dev'),
  },
  { id: 'cline-cli', name: 'Cline CLI', folders: ['.cline'] },
  { id: 'fx', name: 'fx', folders: ['.fx'] },
  { id: 'grok-build', name: 'Grok Build', folders: ['.grok'] },
  {
    id: 'kilo-code',
    name: 'Kilo Code',
    folders: ['.config/kilo', ...inAppData('Code/User/globalStorage/kilocode.kilo-code')],
  },
  { id: 'kimi-code', name: 'Kimi Code', folders: ['.kimi-code'] },
  { id: 'kiro-cli', name: 'Kiro CLI', folders: ['.kiro'] },
  { id: 'mastracode', name: 'Mastra Code', folders: ['.mastracode'] },
  { id: 'mcporter', name: 'MCPorter', folders: ['.mcporter'] },
  { id: 'pi', name: 'Pi', folders: ['.pi/agent'] },
];

export function findHosts(home: string, exists: (path: string) => boolean): readonly Host[] {
  return knownHosts.flatMap(({ id, name, folders }) => {
    const folder = folders.find((candidate) => exists(join(home, candidate)));
    return folder === undefined ? [] : [{ id, name, folder }];
  });
}

/** On a Mac, on Windows, elsewhere. */
function inAppData(folder: string): readonly string[] {
  return [`Library/Application Support/${folder}`, `AppData/Roaming/${folder}`, `.config/${folder}`];
}
