// What a page shows for a host is what `connect` would write for it.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { connectHost } from './connect-host.ts';
import { CONNECTABLE_HOSTS } from './host-files.ts';
import { ANOTHER_HOST, renderSnippet } from './host-snippet.ts';

const SERVERS = [
  { url: 'http://127.0.0.1:7337/mcp', token: 'YOUR_TOKEN' },
  { command: 'node', args: ['/opt/a b/cli.js', 'mcp'] },
];

test.each(CONNECTABLE_HOSTS)('$id: the snippet is the file that connect makes (U1)', (host) => {
  const folder = mkdtempSync(join(tmpdir(), 'repertoire-snippet-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [index, server] of SERVERS.entries()) {
    const path = join(folder, `config-${index}`);
    const done = connectHost({ host, scope: 'user', path, base: folder, server, write: true });
    expect(done.ok).toBe(true);
    expect(readFileSync(path, 'utf8').trimEnd()).toBe(renderSnippet(host, server).trimEnd());
  }
});

test('another host gets the form that most take (U1)', () => {
  expect(JSON.parse(renderSnippet(ANOTHER_HOST, { url: 'http://x/mcp', token: 't' }))).toEqual({
    mcpServers: { repertoire: { type: 'http', url: 'http://x/mcp', headers: { Authorization: 'Bearer t' } } },
  });
});
