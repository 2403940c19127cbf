// What a coding agent is shown by a server as `npm start` starts it: the tools for documents, and no typed skill that it may not invoke.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, onTestFinished, test } from 'vitest';
import { startServeProcess } from '../support/serve-process.ts';

test('an agent without roles is shown five tools, not those of every typed skill (X10, U9)', async () => {
  const home = mkdtempSync(join(tmpdir(), 'repertoire-agent-tools-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const server = await startServeProcess(['--root', 'examples/skills'], { PATH: process.env.PATH, HOME: home });
  onTestFinished(async () => {
    await server.stop();
  });
  const { text } = await server.ask('/api/agents', { body: JSON.stringify({ name: 'claude-code' }) });
  const headers = { Authorization: `Bearer ${JSON.parse(text).token}` };
  const client = new Client({ name: 'claude-code', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(server.mcp_url), { requestInit: { headers } }));
  onTestFinished(() => client.close());
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name).toSorted()).toEqual([
    'get_skill',
    'list_skills',
    'read_skill_file',
    'search_skills',
    'skill',
  ]);
});
