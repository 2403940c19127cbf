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
import { describe, expect, onTestFinished, test } from 'vitest';
import { stopTime } from '../../../../tests/support/stopped-time.ts';

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
  /** What came over the wire since it was connected, before the client looked at it. */
  readonly received: readonly Received[];
  readonly pid: number | null;
  close(): Promise<void>;
}

/** A message, as far as the test looks at it. */
interface Received {
  readonly method?: string;
  readonly params?: { readonly progress?: number };
  readonly result?: { readonly content?: unknown };
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
  const received = record(transport);
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
    received,
    pid: transport.pid,
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
  const received = record(transport);
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
    received,
    pid: transport.pid,
    close: () => client.close(),
  };
}

/**
 * Both clients forget who waits for progress as soon as the answer is there, and look at what came before it a moment
 * later: progress in the same chunk as the answer is dropped, or reported as an error.
 */
function record(transport: { onmessage?: ((message: never) => void) | undefined }): readonly Received[] {
  const received: Received[] = [];
  const deliver = transport.onmessage;
  transport.onmessage = (message: never) => {
    received.push(message);
    deliver?.(message);
  };
  return received;
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
  test('lists, calls, follows progress, cancels, hears of changes, and leaves no process behind', async () => {
    const client = await connect();
    onTestFinished(() => endStill(client.pid));
    expect(client.era).toBe(era);
    expect(client.instructions()).toBe('Hello wire-test');
    expect(await client.tools()).toContain('echo');
    expect(await client.call('echo', { a: 1 })).toEqual([{ type: 'text', text: `${era.split(' ')[0]}: {"a":1}` }]);

    const seen: number[] = [];
    const before = client.received.length;
    await client.call('steps', { count: 3 }, { onprogress: ({ progress }) => seen.push(progress) });
    expect(client.received.slice(before).map((message) => message.params?.progress ?? message.result?.content)).toEqual(
      [1, 2, 3, [{ type: 'text', text: 'done' }]],
    );
    expect([1, 2, 3].slice(0, seen.length)).toEqual(seen);

    const cancel = new AbortController();
    const waiting = client.call('wait', {}, { signal: cancel.signal });
    await expect.poll(client.stderr).toContain('waiting');
    cancel.abort('enough');
    await expect(waiting).rejects.toThrow();
    await expect.poll(client.stderr).toContain('aborted');

    const heard = await client.hearChanges();
    await client.call('change', {});
    await expect.poll(() => [...heard()].sort()).toEqual(['sample://one', 'tools']);
    await expect(client.call('throw', {})).rejects.toThrow(/Internal error/);

    // Both clients send signals to a server that is still there after 2 s: that never comes, so it ends by itself or not at all.
    stopTime();
    await client.close();
    expect(isAlive(client.pid)).toBe(false);
    expect(client.errors().filter(({ message }) => !message.includes('progress notification'))).toEqual([]);
  });
});

/** What did not end with its client. */
function endStill(pid: number | null): void {
  if (pid !== null && isAlive(pid)) process.kill(pid, 'SIGKILL');
}

function isAlive(pid: number | null): boolean {
  try {
    return pid !== null && process.kill(pid, 0);
  } catch {
    return false; // There is no such process.
  }
}
