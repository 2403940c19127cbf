// One journey through `repertoire mcp` with the clients that hosts are built on, of both protocol eras.
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { program, World } from '../support/world.ts';
import { write, writeSkill } from '../support/write-skill.ts';

/** What the journey asks of a client, whichever library it is. */
interface Traveller {
  readonly version: string | undefined;
  readonly pid: number | null;
  readonly errors: readonly Error[];
  instructions(): string | undefined;
  tools(): Promise<readonly { readonly name: string; readonly description?: string | undefined }[]>;
  call(name: string, args: Record<string, unknown>, signal?: AbortSignal): Promise<Record<string, unknown>>;
  /** Counts announcements of a changed tool list from now on. */
  hearChanges(): Promise<() => number>;
  close(): Promise<void>;
}

const identity = { name: 'contract-tests', version: '1.0.0' };
let world: World;
const open: Traveller[] = [];
beforeEach(() => {
  world = new World();
});
afterEach(async () => {
  for (const traveller of open.splice(0)) await traveller.close();
  await world.close();
});

const command = () => ({
  command: process.execPath,
  args: [program, 'mcp'],
  cwd: world.project,
  env: world.environment,
  stderr: 'ignore' as const,
});

async function current(mode: 'legacy' | { readonly pin: string }): Promise<Traveller> {
  const client = new Client(identity, { versionNegotiation: { mode } });
  const transport = new StdioClientTransport(command());
  const errors: Error[] = [];
  client.onerror = (error) => errors.push(error);
  await client.connect(transport);
  return {
    version: client.getNegotiatedProtocolVersion(),
    pid: transport.pid,
    errors,
    instructions: () => client.getInstructions(),
    tools: async () => (await client.listTools()).tools,
    call: (name, args, signal) => client.callTool({ name, arguments: args }, signal === undefined ? {} : { signal }),
    hearChanges: async () => {
      let heard = 0;
      client.setNotificationHandler('notifications/tools/list_changed', () => {
        heard += 1;
      });
      if (client.getProtocolEra() === 'modern') await client.listen({ toolsListChanged: true });
      return () => heard;
    },
    close: () => client.close(),
  };
}

async function older(): Promise<Traveller> {
  const client = new OlderClient(identity);
  const transport = new OlderTransport(command());
  const errors: Error[] = [];
  client.onerror = (error) => errors.push(error);
  await client.connect(transport);
  return {
    version: '2025-11-25',
    pid: transport.pid,
    errors,
    instructions: () => client.getInstructions(),
    tools: async () => (await client.listTools()).tools,
    call: (name, args, signal) =>
      client.callTool({ name, arguments: args }, undefined, signal === undefined ? {} : { signal }),
    hearChanges: async () => {
      let heard = 0;
      client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
        heard += 1;
      });
      return () => heard;
    },
    close: () => client.close(),
  };
}

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Signal 0 only asks; this is how "no such process" is said.
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
};

async function arrive(connect: () => Promise<Traveller>): Promise<Traveller> {
  const traveller = await connect();
  open.push(traveller);
  return traveller;
}

describe.each([
  ['client 2.4 pinned to 2026-07-28', '2026-07-28', () => current({ pin: '2026-07-28' })],
  ['client 2.4 in legacy mode', '2025-11-25', () => current('legacy')],
  ['sdk 1.32', '2025-11-25', older],
])('%s', (_name, version, connect) => {
  test('lists the tools and the skills, loads a skill by every form and reads its files (T1, T2, T4, T6, T12)', async () => {
    const text = writeSkill(world.skills, 'pdf-forms', { description: 'Fills forms.' });
    write(join(world.skills, 'pdf-forms/references/guide.md'), '# Guide\n');
    write(join(world.skills, 'pdf-forms/logo.png'), Uint8Array.of(0x89, 0x50, 0xff, 0x00));
    const client = await arrive(connect);
    expect(client.version).toBe(version);
    expect(client.instructions()).toContain('pdf-forms');
    const names = (await client.tools()).map((tool) => tool.name);
    expect(names).toEqual(
      expect.arrayContaining(['skill', 'list_skills', 'search_skills', 'get_skill', 'read_skill_file']),
    );

    const uri = 'skill://pdf-forms/SKILL.md';
    const listed = await client.call('list_skills', {});
    expect(listed.structuredContent).toMatchObject({ skills: [{ name: 'pdf-forms', uri }], problems: [] });
    const byUri = await client.call('get_skill', { uri });
    expect(byUri.structuredContent).toEqual({ uri, mimeType: 'text/markdown', text });
    const byName = await client.call('get_skill', { skill_name: 'pdf-forms' });
    expect(byName.structuredContent).toEqual({ skill_name: 'pdf-forms', documentation: text });
    const loaded = JSON.stringify(await client.call('skill', { name: 'PDF-Forms' }));
    expect(loaded).toContain('Loading: pdf-forms');

    const guide = await client.call('read_skill_file', { skill: 'pdf-forms', path: 'references/guide.md' });
    expect(guide.content).toMatchObject([{ type: 'text', text: '# Guide\n' }]);
    const logo = await client.call('read_skill_file', { uri: 'skill://pdf-forms/logo.png' });
    expect(logo.content).toMatchObject([{ type: 'resource', resource: { blob: 'iVD/AA==' } }]);
    const missing = await client.call('skill', { name: 'absent' });
    expect(missing.isError).toBe(true);
    expect(client.errors).toEqual([]);
  });

  test('hears of an edit, cancels a request, and leaves no process behind (D6, F11)', async () => {
    writeSkill(world.skills, 'first');
    const client = await arrive(connect);
    await client.tools();
    const heard = await client.hearChanges();
    writeSkill(world.skills, 'second', { description: 'Came later.' });
    await expect.poll(heard).toBeGreaterThan(0);
    expect(JSON.stringify(await client.tools())).toContain('Came later.');
    expect((await client.call('list_skills', {})).structuredContent).toMatchObject({
      skills: [{ name: 'first' }, { name: 'second' }],
    });

    const cancel = new AbortController();
    const cancelled = client.call('list_skills', {}, cancel.signal);
    cancel.abort('enough');
    await expect(cancelled).rejects.toThrow();
    expect((await client.call('skill', { name: 'first' })).isError ?? false).toBe(false);

    const { pid } = client;
    expect(pid !== null && isRunning(pid)).toBe(true);
    await client.close();
    await expect.poll(() => pid !== null && isRunning(pid)).toBe(false);
    // An answer may overtake its cancellation; the older library then reports an id that it has forgotten.
    expect(client.errors.filter(({ message }) => !message.includes('unknown message ID'))).toEqual([]);
  });
});
