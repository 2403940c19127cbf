// Which hosts of a machine are found, and which of those are connected.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { machineWith } from './config-file.ts';
import { surveyHosts } from './survey-hosts.ts';

test('surveyHosts() finds the hosts that are here, and those whose configuration has our entry (C)', async () => {
  const home = mkdtempSync(join(tmpdir(), 'repertoire-hosts-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const write = (path: string, text: string) => {
    mkdirSync(join(home, path, '..'), { recursive: true });
    writeFileSync(join(home, path), text);
  };
  write('.codex/config.toml', '[mcp_servers.repertoire]\ncommand = "repertoire"\n');
  // Its name is there, but not as a server.
  write('.copilot/mcp-config.json', '{ "mcpServers": { "x": { "command": "repertoire" } } }');
  write('.cursor/other', '');
  const rows = await surveyHosts('user', home, machineWith({ home, variables: {} }));
  const here = rows.filter(({ isHere }) => isHere);
  expect(here.map(({ host, folder, isConnected }) => [host.id, folder.slice(home.length), isConnected])).toEqual([
    ['codex', '/.codex', true],
    ['cursor', '/.cursor', false],
    ['github-copilot-cli', '/.copilot', false],
  ]);
  expect(rows.filter(({ isConnected }) => isConnected)).toHaveLength(1);
});
