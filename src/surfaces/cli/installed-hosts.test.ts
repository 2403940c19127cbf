// The hosts of the status screen against those of `connect`.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loadHosts } from '../../hosts/connect/host-config.ts';
import { findConnected, findHosts, knownHosts } from './installed-hosts.ts';

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

test('each host is looked for in the file that connect writes (C)', async () => {
  const home = homedir();
  const environment = { home, workingDirectory: '/', variables: {} };
  const hosts = await loadHosts({ environment, platform: 'linux', exists: () => false });
  for (const { id, folders, files } of knownHosts) {
    const paths = folders.flatMap((folder) => files.map((file) => resolve(home, folder, file)));
    expect(paths, id).toContain(hosts.find((host) => host.id === id)?.findPath('user', '/'));
  }
});

test('findConnected() finds the hosts whose configuration has our entry, and no others (C)', async () => {
  const home = mkdtempSync(join(tmpdir(), 'repertoire-hosts-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const write = (path: string, text: string) => {
    mkdirSync(join(home, path, '..'), { recursive: true });
    writeFileSync(join(home, path), text);
  };
  write('.codex/config.toml', '[mcp_servers.repertoire]\ncommand = "repertoire"\n');
  // Its name is there, but not as a server.
  write('.copilot/mcp-config.json', '{ "mcpServers": { "x": { "command": "repertoire" } } }');
  const environment = { home, workingDirectory: home, variables: {} };
  const hosts = ['codex', 'github-copilot-cli', 'cursor'].map((id) => ({
    id,
    name: id,
    folder: knownHosts.find((host) => host.id === id)?.folders[0] ?? '',
  }));
  expect(await findConnected(hosts, environment)).toEqual(['codex']);
});
