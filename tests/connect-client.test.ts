// A real MCP client that starts the server from the very file that `connect` wrote, as a host does.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, expect, test } from 'vitest';
import { addSkill, createCliWorld } from './cli-world.ts';
import { createConnectWorld } from './connect-world.ts';

const world = createConnectWorld();
afterAll(() => world.remove());

test('a client that reads the written entry sees the skills (C)', async () => {
  addSkill(join(world.project, 'my skills'), 'pdf-forms');
  expect((await world.run(['cursor', '--root', './my skills'])).code).toBe(0);
  const text = readFileSync(join(world.home, '.cursor/mcp.json'), 'utf8');
  const { command, args } = JSON.parse(text).mcpServers.repertoire;
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StdioClientTransport({ command, args, stderr: 'ignore' }));
  try {
    const listed = await client.callTool({ name: 'list_skills', arguments: {} });
    expect(JSON.stringify(listed)).toContain('pdf-forms');
  } finally {
    await client.close();
  }
});

test('the built program connects and disconnects, and lists the hosts (C)', () => {
  const built = createCliWorld();
  try {
    const path = join(built.home, '.codex/config.toml');
    expect(built.run(['connect', 'codex'])).toMatchObject({ code: 0, stderr: '' });
    expect(readFileSync(path, 'utf8')).toMatch(/^\[mcp_servers\.repertoire\]\ncommand = "node"\n/);
    expect(built.run(['connect', 'codex', '--remove'])).toMatchObject({ code: 0 });
    expect(existsSync(path)).toBe(false);
    expect(built.run(['connect'])).toMatchObject({ code: 2 });
    expect(built.json(['connect']).hosts).toHaveLength(22);
  } finally {
    built.remove();
  }
});
