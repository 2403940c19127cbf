// The smoke script, run as a user runs it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const SCRIPT = new URL('../scripts/mcp-smoke-tests.ts', import.meta.url);
const SERVERS = [new URL('../server.ts', import.meta.url), new URL('../server-v1.ts', import.meta.url)];

test('scripts/mcp-smoke-tests.ts passes against both servers and ends with 0 (T10)', async () => {
  const child = spawn(process.execPath, ['--import', 'tsx', fileURLToPath(SCRIPT)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  const [code] = await once(child, 'close');
  expect(output).toContain('All checks passed.');
  expect(output).not.toContain('FAILED');
  expect(code).toBe(0);
});

test.each(SERVERS)('the server %# ends when its host has gone', async (server) => {
  const child = spawn(process.execPath, ['--import', 'tsx', fileURLToPath(server)], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const message = { jsonrpc: '2.0', id: 1, method: 'initialize' };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
  child.stdin.write(`${JSON.stringify({ ...message, params })}\n`);
  await once(child.stdout, 'data');
  const ended = once(child, 'exit');
  child.stdin.end();
  expect(await ended).toEqual([0, null]);
});
