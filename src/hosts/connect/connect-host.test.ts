// Which folders may go with a host's file, and which others may have a use for (C).
import { expect, test } from 'vitest';
import { findOwnFolders } from './connect-host.ts';

const below = (path: string) => findOwnFolders(`/home/me/${path}`, '/home/me').map((folder) => folder.slice(9));

test.each([
  ['.cursor/mcp.json', ['.cursor']],
  ['.cline/data/settings/x.json', ['.cline/data/settings', '.cline/data', '.cline']],
  ['.config/Code/User/mcp.json', ['.config/Code/User', '.config/Code']],
  ['.gemini/config/mcp_config.json', ['.gemini/config', '.gemini']],
  ['Library/Application Support/Claude/x.json', ['Library/Application Support/Claude']],
])('findOwnFolders() has of %s the folders of the host, nearest first (C)', (path, folders) => {
  expect(below(path)).toEqual(folders);
});

test.each(['.claude.json', '.github/mcp.json', '.config/x.json', 'config/mcporter.json', 'work/claude/.claude.json'])(
  'findOwnFolders() has none for %s: those belong to others, too (C)',
  (path) => {
    expect(below(path)).toEqual([]);
  },
);

test('findOwnFolders() has none outside the home directory or the project (C)', () => {
  expect(findOwnFolders('/srv/.codex/config.toml', '/home/me')).toEqual([]);
  expect(findOwnFolders('/home/you/.config/goose/config.yaml', '/home/me')).toEqual([]);
  expect(findOwnFolders('/home/me/.cursor/mcp.json', '/home/me/project')).toEqual([]);
});
