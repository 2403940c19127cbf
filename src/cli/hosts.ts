// Agents that seem to be installed here, by the folders they keep in the home directory. A hint for the status screen.
import { join } from 'node:path';

export interface Host {
  readonly name: string;
  /** Below the home directory, with `/`. */
  readonly folder: string;
}

const hosts: readonly { readonly name: string; readonly folders: readonly string[] }[] = [
  { name: 'Claude Code', folders: ['.claude'] },
  {
    name: 'Claude Desktop',
    folders: ['Library/Application Support/Claude', 'AppData/Roaming/Claude', '.config/Claude'],
  },
  { name: 'Cursor', folders: ['.cursor'] },
  { name: 'Codex', folders: ['.codex'] },
  { name: 'Gemini CLI', folders: ['.gemini'] },
  { name: 'OpenCode', folders: ['.config/opencode'] },
  {
    name: 'VS Code',
    folders: ['Library/Application Support/Code', 'AppData/Roaming/Code', '.config/Code', '.vscode', '.vscode-server'],
  },
  { name: 'Copilot CLI', folders: ['.copilot'] },
  { name: 'Windsurf', folders: ['.codeium/windsurf'] },
  { name: 'Goose', folders: ['.config/goose'] },
  { name: 'Zed', folders: ['Library/Application Support/Zed', '.config/zed'] },
];

export function findHosts(home: string, exists: (path: string) => boolean): readonly Host[] {
  return hosts.flatMap(({ name, folders }) => {
    const folder = folders.find((candidate) => exists(join(home, candidate)));
    return folder === undefined ? [] : [{ name, folder }];
  });
}
