// Tasks as the official client of the extension sees them (J4): it checks the shape of every answer by the schema of the protocol.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createTaskSessionFromClient, resultFromTaskOutcome } from '@modelcontextprotocol/ext-tasks/client';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { startServer } from './server.ts';
import { defineSkill } from './skills/define/define-skill.ts';
import { failure } from './skills/define/failure.ts';

const CAPABILITIES = { elicitation: {}, extensions: { 'io.modelcontextprotocol/tasks': {} } };
const INFO = { name: 'ext-tasks', version: '0.2.2' };
const common = {
  category: 'execution',
  description: 'Works.',
  output: z.object({ text: z.string() }),
  durable: {},
} as const;

const greet = defineSkill({
  ...common,
  name: 'greet',
  input: z.object({}),
  run: async (_input, { ask }) => {
    const { who } = await ask({ who: { message: 'Who?', schema: z.object({ name: z.string() }) } });
    return { text: who?.action === 'accept' ? `Hello, ${who.content.name}` : 'Hello' };
  },
});
const failing = defineSkill({
  ...common,
  name: 'fail_it',
  input: z.object({}),
  failureModes: ['NOT_FOUND'],
  run: async () => failure('NOT_FOUND', { resource: 'it' }),
});
const endless = defineSkill({
  ...common,
  name: 'endless',
  input: z.object({}),
  run: (_input, { signal }): Promise<{ text: string }> =>
    new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
});

async function open() {
  const data = mkdtempSync(join(tmpdir(), 'repertoire-ext-tasks-'));
  const server = await startServer({ skills: [greet, failing, endless], builtin: [], data, port: 0 });
  const url = new URL(`${server.url}/mcp`);
  const authorization = `Bearer ${server.operatorToken}`;
  const client = new Client(INFO, { capabilities: CAPABILITIES, versionNegotiation: { mode: 'auto' } });
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers: { authorization } } }));
  let nextId = 1;
  const session = createTaskSessionFromClient(client, {
    endpointId: 'here',
    rawDispatch: async (request, options) => {
      const { method, params } = request as { method: string; params: { name?: string; taskId?: string } };
      const name = params.taskId ?? params.name;
      const headers = {
        authorization,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': method,
        ...(name !== undefined && { 'mcp-name': name }),
      };
      const signal = options?.signal ?? null;
      const body = JSON.stringify({ ...(request as object), jsonrpc: '2.0', id: nextId++ });
      const response = await fetch(url, { method: 'POST', headers, body, signal });
      const { result, error } = (await response.json()) as { result: never; error?: never };
      return error === undefined ? { kind: 'result', result } : { kind: 'error', error };
    },
    v2RequestFraming: { protocolVersion: '2026-07-28', clientInfo: INFO, clientCapabilities: CAPABILITIES },
    onInputRequest: async () => ({ action: 'accept', content: { name: 'Ada' } }) as never,
  });
  const close = async () => {
    await session.close();
    await client.close();
    await server.close();
    rmSync(data, { recursive: true, force: true });
  };
  return { session, close };
}

test('ext-tasks calls a durable skill, answers what it asks, and gets results, failures and cancellations (J4)', async () => {
  const { session, close } = await open();
  try {
    const greeted = await session.callTool('greet', {});
    expect(greeted.kind).toBe('task');
    expect(resultFromTaskOutcome((await greeted.settle()).outcome)).toMatchObject({
      structuredContent: { text: 'Hello, Ada' },
    });
    const failed = await (await session.callTool('fail_it', {})).settle();
    expect(resultFromTaskOutcome(failed.outcome)).toMatchObject({ isError: true });
    const stopped = await session.callTool('endless', {});
    await stopped.cancel();
    expect((await stopped.settle()).outcome.status).toBe('cancelled');
  } finally {
    await close();
  }
});
