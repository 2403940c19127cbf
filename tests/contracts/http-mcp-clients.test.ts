// The clients that hosts are built on, over HTTP, of both protocol eras: one journey each (H1).
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills';
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openCatalog } from '../../src/open-catalog.ts';
import { createRepertoire } from '../../src/repertoire/repertoire.ts';
import { createMethodTable } from '../../src/surfaces/mcp/table.ts';
import { sampleTable } from '../../src/surfaces/mcp/wire/fixtures/sample-table.ts';
import { type HttpMcpServer, serveHttpMcp } from '../support/http-mcp-server.ts';
import { write, writeSkill } from '../support/write-skill.ts';

interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onprogress?: (progress: { progress: number }) => void;
}

/** What the journey asks of a client, whichever library it is. */
interface Traveller {
  readonly version: string | undefined;
  readonly errors: readonly Error[];
  instructions(): string | undefined;
  tools(): Promise<readonly string[]>;
  read(uri: string): Promise<unknown>;
  call(name: string, args?: Record<string, unknown>, options?: CallOptions): Promise<Record<string, unknown>>;
  /** What changed, from now on: `tools`, and the URI if that resource did. */
  hearChanges(uri: string): Promise<() => readonly string[]>;
  close(): Promise<void>;
}

type Mode = 'legacy' | 'auto' | { readonly pin: string };

const identity = { name: 'contract-tests', version: '1.0.0' };

async function current(url: URL, mode: Mode): Promise<Traveller & { readonly client: Client }> {
  const client = new Client(identity, { versionNegotiation: { mode } });
  const transport = new StreamableHTTPClientTransport(url);
  const errors: Error[] = [];
  client.onerror = (error) => errors.push(error);
  await client.connect(transport);
  return {
    client,
    version: client.getNegotiatedProtocolVersion(),
    errors,
    instructions: () => client.getInstructions(),
    tools: async () => (await client.listTools()).tools.map((tool) => tool.name),
    read: async (uri) => (await client.readResource({ uri })).contents,
    call: (name, args = {}, options = {}) => client.callTool({ name, arguments: args }, options),
    hearChanges: async (uri) => {
      const heard: string[] = [];
      client.setNotificationHandler('notifications/tools/list_changed', () => void heard.push('tools'));
      client.setNotificationHandler('notifications/resources/updated', (n) => void heard.push(n.params.uri));
      if (client.getProtocolEra() === 'legacy') await client.subscribeResource({ uri });
      else await client.listen({ toolsListChanged: true, resourceSubscriptions: [uri] });
      return () => heard;
    },
    close: async () => {
      if (client.getProtocolEra() === 'legacy') await transport.terminateSession();
      await client.close();
    },
  };
}

async function older(url: URL): Promise<Traveller> {
  const client = new OlderClient(identity);
  const transport = new OlderTransport(url);
  const errors: Error[] = [];
  client.onerror = (error) => errors.push(error);
  // Its own declaration of `sessionId` does not fit the interface under exactOptionalPropertyTypes.
  await client.connect(transport as Transport);
  return {
    version: transport.protocolVersion,
    errors,
    instructions: () => client.getInstructions(),
    tools: async () => (await client.listTools()).tools.map((tool) => tool.name),
    read: async (uri) => (await client.readResource({ uri })).contents,
    call: (name, args = {}, options = {}) => client.callTool({ name, arguments: args }, undefined, options),
    hearChanges: async (uri) => {
      const heard: string[] = [];
      client.setNotificationHandler(ToolListChangedNotificationSchema, () => void heard.push('tools'));
      client.setNotificationHandler(ResourceUpdatedNotificationSchema, (n) => void heard.push(n.params.uri));
      await client.subscribeResource({ uri });
      return () => heard;
    },
    close: async () => {
      await transport.terminateSession();
      await client.close();
    },
  };
}

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

describe.each([
  ['client 2.4 pinned to 2026-07-28', '2026-07-28', (url: URL) => current(url, { pin: '2026-07-28' })],
  ['client 2.4 in mode auto', '2026-07-28', (url: URL) => current(url, 'auto')],
  ['client 2.4 in mode legacy', '2025-11-25', (url: URL) => current(url, 'legacy')],
  ['sdk 1.32', '2025-11-25', older],
])('%s', (_name, version, connect) => {
  test('calls, follows progress, cancels, hears of changes, and leaves nothing behind (H1)', async () => {
    const table = sampleTable();
    const server = await serveHttpMcp(table);
    closing.push(() => server.close());
    const client = await connect(server.url);
    expect([client.version, client.instructions()]).toEqual([version, 'Hello contract-tests']);
    expect(await client.tools()).toContain('echo');
    const era = version === '2026-07-28' ? 'modern' : 'legacy';
    expect((await client.call('echo', { a: 1 })).content).toEqual([{ type: 'text', text: `${era}: {"a":1}` }]);

    const seen: number[] = [];
    await client.call('steps', { count: 3 }, { onprogress: ({ progress }) => seen.push(progress) });
    expect(seen).toEqual([1, 2, 3]);

    const cancel = new AbortController();
    const waiting = client.call('wait', {}, { signal: cancel.signal });
    await expect.poll(() => table.trace).toEqual(['waiting']);
    cancel.abort('enough');
    await expect(waiting).rejects.toThrow();
    await expect.poll(() => table.trace).toEqual(['waiting', 'aborted']);

    const heard = await client.hearChanges('sample://one');
    await client.call('change');
    await expect.poll(() => [...heard()].sort()).toEqual(['sample://one', 'tools']);
    await expect(client.call('throw')).rejects.toThrow(/Internal error/);

    await client.close();
    expect(client.errors).toEqual([]);
    expect(server.endpoint.sessions).toBe(0);
    expect(server.logged.map(({ message }) => message)).toEqual(['Method failed']);
  });

  describe('over real skills', () => {
    let root: string;
    let server: HttpMcpServer;
    beforeEach(async () => {
      root = mkdtempSync(join(tmpdir(), 'repertoire-http-'));
      closing.push(() => rmSync(root, { recursive: true, force: true }));
      writeSkill(root, 'pdf-forms', { description: 'Fills forms.' });
      write(join(root, 'pdf-forms/references/größe.md'), '# Größe\n');
      const catalog = await openCatalog({ roots: [root] });
      closing.push(() => catalog.close());
      server = await serveHttpMcp(createMethodTable({ repertoire: createRepertoire(catalog), version: '0.0.0' }));
      closing.push(() => server.close());
    });

    test('loads a skill by every form, reads its files, and hears of a new one (T1, T4, T6, R1, D6)', async () => {
      const client = await connect(server.url);
      closing.push(() => client.close());
      expect(client.instructions()).toContain('pdf-forms');
      const uri = 'skill://pdf-forms/SKILL.md';
      const { structuredContent } = await client.call('get_skill', { uri });
      const { text } = structuredContent as { text: string };
      expect(text).toContain('Fills forms.');
      expect(await client.read(uri)).toMatchObject([{ uri, mimeType: 'text/markdown', text }]);
      expect((await client.call('get_skill', { skill_name: 'pdf-forms' })).structuredContent).toEqual({
        skill_name: 'pdf-forms',
        documentation: text,
      });
      expect(JSON.stringify(await client.call('skill', { name: 'PDF-Forms' }))).toContain('Loading: pdf-forms');
      const guide = 'skill://pdf-forms/references/gr%C3%B6%C3%9Fe.md';
      expect(await client.read(guide)).toMatchObject([{ text: '# Größe\n' }]);
      expect((await client.call('skill', { name: 'größe 🥊' })).isError).toBe(true);

      const heard = await client.hearChanges(uri);
      writeSkill(root, 'second', { description: 'Came later.' });
      await expect.poll(heard).toContain('tools');
      expect(JSON.stringify(await client.call('list_skills'))).toContain('Came later.');
      expect(client.errors).toEqual([]);
    });
  });
});

test('the Skills extension over HTTP: what its client lists it reads, and every digest holds (R2)', async () => {
  const catalog = await openCatalog({ roots: ['examples/skills'], watch: false });
  closing.push(() => catalog.close());
  const server = await serveHttpMcp(createMethodTable({ repertoire: createRepertoire(catalog), version: '0.0.0' }));
  closing.push(() => server.close());
  const { client } = await current(server.url, { pin: '2026-07-28' });
  closing.push(() => client.close());
  const extension = new SkillsClient(client);
  const { skills } = await extension.list();
  expect(skills.length).toBeGreaterThan(0);
  for (const skill of skills) expect((await extension.read(skill, 'SKILL.md')).verified).toBe(true);
});
