import { expect, test } from 'vitest';
import { findHosts } from './hosts.ts';

test('findHosts() names each agent once, by the first of its folders that exists', () => {
  const there = new Set(['/home/me/.codex', '/home/me/.vscode', '/home/me/.config/Code']);
  expect(findHosts('/home/me', (path) => there.has(path))).toEqual([
    { name: 'Codex', folder: '.codex' },
    { name: 'VS Code', folder: '.config/Code' },
  ]);
});
