// The clients that people use, against a real server process: three modes of the current SDK and the one before it.
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import {
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, test } from 'vitest';

const server = fileURLToPath(new URL('./fixtures/sample-server.ts', import.meta.url));
const command = { command: process.execPath, args: ['--import', 'tsx', server], stderr: 'pipe' as const };
const identity = { name: 'wire-test', version: '1.0.0' };

/** What the test asks of every client, whichever SDK it is. */
interface Probe {
  readonly era: string;
  tools(): Promise<readonly string[]>;
  call(name: string, args: Record<string, unknown>, options?: CallOptions): Promise<unknown>;
  /** Counts the announcements of changes from now on. */
  hearChanges(): Promise<() => readonly string[]>;
  instructions(): string | undefined;
  errors(): readonly Error[];
  stderr(): string;
  close(): Promise<void>;
}

interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onprogress?: (progress: { progress: number }) => void;
}

type Mode = 'legacy' | 'auto' | { pin: string };

async function currentClient(mode: Mode): Promise<Probe> {
  const client = new Client(identity, { versionNegotiation: { mode } });
  const transport = new StdioClientTransport(command);
  const stderr = textOf(transport.stderr);
  const errors: Error[] = [];
  client.onerror = (error) => errors.push(error);
  await client.connect(transport);
  return {
    era: `${client.getProtocolEra()} ${client.getNegotiatedProtocolVersion()}`,
    tools: async () => (await client.listTools()).tools.map((tool) => tool.name),
    call: async (name, args, options) => (await client.callTool({ name, arguments: args }, options)).content,
    hearChanges: async () => {
      const heard: string[] = [];
      client.setNotificationHandler('notifications/tools/list_changed', () => void heard.push('tools'));
      client.setNotificationHandler('notifications/resources/updated', (n) => void heard.push(n.params.uri));
      if (client.getProtocolEra() === 'modern') {
        await client.listen({ toolsListChanged: true, resourceSubscriptions: ['sample://one'] });
      } else await client.subscribeResource({ uri: 'sample://one' });
      return () => heard;
    },
    instructions: () => client.getInstructions(),
    errors: () => errors,
    stderr,
    close: () => client.close(),
  };
}

async function olderClient(): Promise<Probe> {
  const client = new OlderClient(identity);
  const transport = new OlderTransport(command);
  const stderr = textOf(transport.stderr);
  const errors: Error[] = [];
  client.onerror = (error) => errors.push(error);
  await client.connect(transport);
  return {
    era: 'legacy 2025-11-25',
    tools: async () => (await client.listTools()).tools.map((tool) => tool.name),
    call: async (name, args, options) => (await client.callTool({ name, arguments: args }, undefined, options)).content,
    hearChanges: async () => {
      const heard: string[] = [];
      client.setNotificationHandler(ToolListChangedNotificationSchema, () => void heard.push('tools'));
      client.setNotificationHandler(ResourceUpdatedNotificationSchema, (n) => void heard.push(n.params.uri));
      await client.subscribeResource({ uri: 'sample://one' });
      return () => heard;
    },
    instructions: () => client.getInstructions(),
    errors: () => errors,
    stderr,
    close: () => client.close(),
  };
}

function textOf(stream: NodeJS.EventEmitter | null): () => string {
  let text = '';
  stream?.on('data', (chunk) => {
    text += chunk;
  });
  return () => text;
}

describe.each([
  ['client 2.4 in mode legacy', 'legacy 2025-11-25', () => currentClient('legacy')],
  ['client 2.4 in mode auto', 'modern 2026-07-28', () => currentClient('auto')],
  ['client 2.4 pinned to 2026-07-28', 'modern 2026-07-28', () => currentClient({ pin: '2026-07-28' })],
  ['sdk 1.32', 'legacy 2025-11-25', olderClient],
])('%s', (_name, era, connect) => {
  test('lists, calls, follows progress, cancels, hears of changes, and leaves nobody behind', async () => {
    const client = await connect();
    expect(client.era).toBe(era);
    expect(client.instructions()).toBe('Hello wire-test');
    expect(await client.tools()).toContain('echo');
    expect(await client.call('echo', { a: 1 })).toEqual([{ type: 'text', text: `${era.split(' ')[0]}: {"a":1}` }]);

    const seen: number[] = [];
    await client.call('steps', { count: 3 }, { onprogress: ({ progress }) => seen.push(progress) });
    expect(seen).toEqual([1, 2, 3]);

    const cancel = new AbortController();
    const waiting = client.call('wait', {}, { signal: cancel.signal });
    await expect.poll(client.stderr).toContain('waiting');
    cancel.abort('enough');
    await expect(waiting).rejects.toThrow();
    await expect.poll(client.stderr).toContain('aborted');

    const heard = await client.hearChanges();
    await client.call('change', {});
    expect([...heard()].sort()).toEqual(['sample://one', 'tools']);
    await expect(client.call('throw', {})).rejects.toThrow(/Internal error/);

    const start = performance.now();
    await client.close();
    expect(performance.now() - start).toBeLessThan(2000);
    expect(client.errors()).toEqual([]);
  });
});
