import { expect, test } from 'vitest';
import { loadHosts } from '../connect/hosts.ts';
import { findHosts, knownHosts } from './hosts.ts';

test('findHosts() names each agent once, by the first of its folders that exists', () => {
  const there = new Set(['/home/me/.codex', '/home/me/.config/Code/User', '/home/me/AppData/Roaming/Code/User']);
  expect(findHosts('/home/me', (path) => there.has(path))).toEqual([
    { id: 'codex', name: 'Codex', folder: '.codex' },
    { id: 'vscode', name: 'VS Code', folder: 'AppData/Roaming/Code/User' },
  ]);
});

test('the hosts of the status screen are those that connect takes (C)', async () => {
  const environment = { home: '/home/me', workingDirectory: '/', variables: {} };
  const hosts = await loadHosts({ environment, platform: 'linux', exists: () => false });
  const own = knownHosts.map(({ id, name }) => [id, name]).sort();
  expect(own).toEqual(hosts.map(({ id, title }) => [id, title]).sort());
});
