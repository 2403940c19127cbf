import { agents } from 'add-mcp';
import { expect, test } from 'vitest';
import { findHosts, knownHosts } from './hosts.ts';

test('findHosts() names each agent once, by the first of its folders that exists', () => {
  const there = new Set(['/home/me/.codex', '/home/me/.config/Code/User', '/home/me/AppData/Roaming/Code/User']);
  expect(findHosts('/home/me', (path) => there.has(path))).toEqual([
    { id: 'codex', name: 'Codex', folder: '.codex' },
    { id: 'vscode', name: 'VS Code', folder: 'AppData/Roaming/Code/User' },
  ]);
});

test('the hosts of the status screen are those that connect takes (C)', () => {
  const own = knownHosts.map(({ id, name }) => [id, name]).sort();
  expect(own).toEqual(
    Object.values(agents)
      .map(({ name, displayName }) => [name, displayName])
      .sort(),
  );
});
