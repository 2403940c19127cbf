// Starts the support servers and asks each, with a real client over stdio, what a host would ask. Exit code 0: all is well.
import { deepStrictEqual, ok } from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { APP_URI, SKILL_URI } from '../support-surface.ts';

/** What is asked of every client, whichever SDK it is. */
interface Asked {
  tools(): Promise<readonly { readonly name: string; readonly _meta?: unknown }[]>;
  resources(): Promise<readonly { readonly uri: string }[]>;
  read(uri: string): Promise<unknown>;
  call(name: string, input: Record<string, unknown>): Promise<Record<string, unknown>>;
  close(): Promise<unknown>;
}

const INFO = { name: 'smoke', version: '1.0.0' };
const OWN_TOOLS = ['search_knowledge_base', 'open_support_case', 'attach_sosreport_summary', 'list_skills'];
const SKILL_TOOLS = ['get_skill', 'read_skill_file'];

const say = (line: string) => process.stdout.write(`${line}\n`);

const CHECKS: Readonly<Record<string, (asked: Asked) => Promise<void>>> = {
  'lists its own tools and those for skills': async ({ tools }) => {
    const names = (await tools()).map(({ name }) => name);
    deepStrictEqual(names, [...OWN_TOOLS, ...SKILL_TOOLS]);
  },
  'shows the UI beside list_skills and get_skill': async ({ tools }) => {
    const shown = (await tools()).filter(({ _meta }) => JSON.stringify(_meta ?? {}).includes(APP_URI));
    deepStrictEqual(
      shown.map(({ name }) => name),
      ['list_skills', 'get_skill'],
    );
  },
  'lists its own resources, the skill once': async ({ resources }) => {
    const uris = (await resources()).map(({ uri }) => uri);
    deepStrictEqual(uris, ['support://severities', APP_URI, SKILL_URI]);
  },
  'get_skill equals resources/read': async ({ call, read }) => {
    const { structuredContent } = await call('get_skill', { uri: SKILL_URI });
    deepStrictEqual(await read(SKILL_URI), [structuredContent]);
  },
  'list_skills is the server’s own': async ({ call }) => {
    const { structuredContent } = await call('list_skills', {});
    deepStrictEqual(Object(structuredContent).skills[0].uri, SKILL_URI);
  },
  'read_skill_file reads what the skill mentions': async ({ call }) => {
    const read = await call('read_skill_file', { skill: 'engage-red-hat-support', path: 'references/sosreport.md' });
    ok(JSON.stringify(read.content).includes('sosreport'), 'the file is not read');
  },
  'get_skill refuses safely': async ({ call }) => {
    const refused = await call('get_skill', { uri: 'skill://unknown/SKILL.md' });
    deepStrictEqual(refused.isError, true);
    ok(JSON.stringify(refused.content).includes('list_skills'), 'the refusal names no remedy');
  },
  'answers with its own tools as ever': async ({ call }) => {
    const found = await call('search_knowledge_base', { words: 'selinux' });
    ok(JSON.stringify(found.content).includes('KB-1003'), 'the article is not found');
  },
};

const failures = [
  ...(await runChecks('server 2.x, 2025-11-25', () => openCurrent('legacy'))),
  ...(await runChecks('server 2.x, 2026-07-28', () => openCurrent({ pin: '2026-07-28' }))),
  ...(await runChecks('sdk 1.x', openOlder)),
];
say(failures.length === 0 ? 'All checks passed.' : `${failures.length} checks failed.`);
process.exitCode = failures.length === 0 ? 0 : 1;

async function runChecks(label: string, open: () => Promise<Asked>): Promise<readonly string[]> {
  const asked = await open();
  const failed: string[] = [];
  for (const [name, check] of Object.entries(CHECKS)) {
    const error = await check(asked).then(
      () => undefined,
      (thrown: unknown) => (thrown instanceof Error ? thrown.message : String(thrown)),
    );
    if (error !== undefined) failed.push(name);
    say(error === undefined ? `ok      ${label}: ${name}` : `FAILED  ${label}: ${name}\n${error}`);
  }
  await asked.close();
  return failed;
}

function commandOf(program: URL) {
  return { command: process.execPath, args: ['--import', import.meta.resolve('tsx'), fileURLToPath(program)] };
}

async function openCurrent(mode: 'legacy' | { pin: string }): Promise<Asked> {
  const client = new Client(INFO, { versionNegotiation: { mode } });
  await client.connect(new StdioClientTransport(commandOf(new URL('../server.ts', import.meta.url))));
  return {
    tools: async () => (await client.listTools()).tools,
    resources: async () => (await client.listResources()).resources,
    read: async (uri) => (await client.readResource({ uri })).contents,
    call: (name, input) => client.callTool({ name, arguments: input }),
    close: () => client.close(),
  };
}

async function openOlder(): Promise<Asked> {
  const client = new OlderClient(INFO);
  await client.connect(new OlderTransport(commandOf(new URL('../server-v1.ts', import.meta.url))));
  return {
    tools: async () => (await client.listTools()).tools,
    resources: async () => (await client.listResources()).resources,
    read: async (uri) => (await client.readResource({ uri })).contents,
    call: (name, input) => client.callTool({ name, arguments: input }),
    close: () => client.close(),
  };
}
