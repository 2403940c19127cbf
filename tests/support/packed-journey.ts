// What a newcomer does with the installed package, step by step. Each step throws when it does not go as README says.
// Without the test runner, so that scripts/package.ts walks the same steps on every Node that we support.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { createLoadTrace, type Loads } from './packed-loads.ts';
import { connectHost, exampleSkills, type Serving, script, startServing } from './packed-processes.ts';
import { type Installed, run } from './packed-program.ts';

export interface Step {
  readonly title: string;
  readonly walk: (installed: Installed) => void | Promise<void>;
}

/** In this order: entries are imported without their peers first, then with them. */
export const journey: readonly Step[] = [
  { title: 'says its version, and what to do where there is no skill yet (C)', walk: greet },
  { title: 'runs every command that README shows (C)', walk: runReadme },
  { title: 'writes an entry with `connect` that a host can start from anywhere (C)', walk: connectCursor },
  { title: 'serves the API, metrics and the dashboard to who has the token (H2, H5)', walk: serveHttp },
  { title: 'loads no package in `list`, and in `mcp` only SQLite, when a skill is read', walk: traceStdio },
  { title: 'loads in `serve` only SQLite and the schemas', walk: traceServe },
  { title: 'imports without the MCP packages wherever it can do without', walk: importWithoutPeers },
  { title: 'imports every entry, with types, beside the MCP packages', walk: importWithPeers },
  { title: 'keeps a log and runs a built-in skill in a program of its own (C, X7)', walk: runProgram },
  { title: 'starts in a program what `serve` starts (C)', walk: runServer },
];

function greet(installed: Installed): void {
  const version = installed.run(['--version']);
  assert.deepEqual(version, { code: 0, stdout: `${installed.manifest.version}\n`, stderr: '' });
  const status = installed.run([], installed.home);
  assert.equal(status.code, 0, status.stderr);
  assert.match(status.stdout, /No skills yet/);
}

function runReadme(installed: Installed): void {
  const readme = readFileSync(join(installed.own, 'README.md'), 'utf8');
  const lines = [...readme.matchAll(/^repertoire (.*?)(?: +#.*)?$/gm)].map(([, words = '']) => words);
  assert(lines.length >= 5, `README shows only ${lines.length} commands`);
  for (const line of lines) {
    const { code, stdout, stderr } = installed.run(line.split(' '));
    assert.equal(code, 0, `repertoire ${line}: ${stderr}`);
    assert.notEqual(stdout, '', `repertoire ${line} printed nothing`);
  }
}

/** A host has a PATH of its own, on which `npx` put nothing. */
async function connectCursor(installed: Installed): Promise<void> {
  const done = installed.run(['connect', 'cursor', '--root', exampleSkills(installed)], installed.home);
  assert.equal(done.code, 0, done.stderr);
  const settings = JSON.parse(readFileSync(join(installed.home, '.cursor/mcp.json'), 'utf8'));
  const client = await connectHost(installed, settings.mcpServers.repertoire);
  try {
    const { tools } = await client.listTools();
    assert(tools.some(({ name }) => name === 'list_skills'));
    await readSkill(client);
  } finally {
    await client.close();
  }
}

async function readSkill(client: Client): Promise<void> {
  const { content } = await client.callTool({ name: 'skill', arguments: { name: 'commit-messages' } });
  assert.match(JSON.stringify(content), /Loading: commit-messages/);
}

async function serveHttp(installed: Installed): Promise<void> {
  const serving = await startServing(installed);
  try {
    const shown = installed.run(['token']);
    assert.deepEqual([shown.code, shown.stdout.trim()], [0, serving.token]);
    await askServer(serving);
    assert.equal((await fetch(`${serving.url}/api/skills`)).status, 401);
  } finally {
    await serving.stop();
  }
}

async function askServer({ url, token }: Serving): Promise<void> {
  const ask = async (path: string) => {
    const answer = await fetch(url + path, { headers: { Authorization: `Bearer ${token}` } });
    assert.equal(answer.status, 200, path);
    return answer.text();
  };
  assert.match(await ask('/api/search?q=review+a+migration'), /migration/);
  assert.match(await ask('/metrics'), /^# TYPE /m);
  const [, asset = ''] = /src="\.?(\/assets\/[^"]+\.js)"/.exec(await ask('/')) ?? [];
  assert.notEqual(asset, '', 'the dashboard names no script');
  await ask(asset);
}

/** Start-up is measured to the first list: what keeps the record of reads is loaded by the first read. */
async function traceStdio(installed: Installed): Promise<void> {
  const roots = ['--root', exampleSkills(installed)];
  const list = createLoadTrace(installed);
  const words = [...list.nodeOptions, script(installed), 'list', ...roots];
  assert.equal(run(installed.node, words, installed.home, installed.environment).code, 0);
  assert.deepEqual(list.read().packages, []);

  const trace = async (ask: (client: Client) => Promise<unknown>) => {
    const { nodeOptions, read } = createLoadTrace(installed);
    const args = [...nodeOptions, script(installed), 'mcp', ...roots];
    const client = await connectHost(installed, { command: installed.node, args });
    await ask(client).finally(() => client.close());
    return read();
  };
  const started = await trace((client) => client.listTools());
  assert.deepEqual(started, { packages: [], chunks: ['dist/cli.js', 'dist/serving.js'] });
  assert.deepEqual(dependenciesIn(installed, await trace(readSkill)), ['libsql']);
}

/** PostgreSQL, passwords, user tokens, configuration files, hosts: nothing until it is used. */
async function traceServe(installed: Installed): Promise<void> {
  const { nodeOptions, read } = createLoadTrace(installed);
  const serving = await startServing(installed, nodeOptions);
  await askServer(serving).finally(() => serving.stop());
  assert.deepEqual(dependenciesIn(installed, read()), ['libsql', 'zod']);
}

const dependenciesIn = ({ manifest }: Installed, { packages }: Loads): readonly string[] =>
  packages.filter((name) => name in manifest.dependencies);

function importWithoutPeers(installed: Installed): void {
  assert.deepEqual(importEntries(installed), {
    repertoire: 'imported',
    'repertoire/builtin': 'imported',
    'repertoire/mcp': "Cannot find package '@modelcontextprotocol/server'",
    'repertoire/mcp/v1': "Cannot find package '@modelcontextprotocol/sdk'",
    'repertoire/openai': 'imported',
    'repertoire/server': 'imported',
    'repertoire/skills': 'imported',
    'repertoire/store': 'imported',
  });
}

/** The peers are those of this checkout: to download them again would prove nothing more. */
function importWithPeers(installed: Installed): void {
  for (const name of [...Object.keys(installed.manifest.peerDependencies), '@types/node']) link(installed, name);
  const imported = Object.entries(importEntries(installed));
  assert.deepEqual(
    imported.filter(([, how]) => how !== 'imported'),
    [],
  );
  writeFileSync(join(installed.folder, 'newcomer.mts'), newcomersProgram);
  // Without the declarations of others, which take 5 s: what ours import is looked at in package.test.ts.
  const options = '--noEmit --strict --target es2023 --module nodenext --types node --skipLibCheck'.split(' ');
  const words = [resolve('node_modules/typescript/bin/tsc'), ...options, 'newcomer.mts'];
  const { code, stdout } = run(process.execPath, words, installed.folder, process.env);
  assert.equal(code, 0, stdout);
}

/** A line of each entry, and one that must not compile: types that were not found would be `any`. */
const newcomersProgram = `
import { McpServer } from '@modelcontextprotocol/server';
import { contentOf, createRepertoire, defineSkill, openCatalog } from 'repertoire';
import { createBuiltinSkills } from 'repertoire/builtin';
import { registerSkills } from 'repertoire/mcp';
import { registerSkills as registerOlder } from 'repertoire/mcp/v1';
import { createFunctionTools } from 'repertoire/openai';
import { startServer } from 'repertoire/server';
import { createRuntime } from 'repertoire/skills';
import { openStore, type Store } from 'repertoire/store';

const catalog = await openCatalog({ roots: ['./skills'], watch: false });
export const sizes: readonly number[] = catalog.current.skills.map((skill) => contentOf(skill).length);
export const tools = createFunctionTools(createRepertoire(catalog)).definitions;
registerSkills(new McpServer({ name: 'newcomer', version: '1.0.0' }), catalog).detach();
export const withLog = (store: Store) =>
  createRuntime({ skills: [], builtin: createBuiltinSkills({ store, names: ['task_creation'] }), invocationLog: store.invocations });
// @ts-expect-error There is no such built-in skill.
export const mistyped = (store: Store) => createBuiltinSkills({ store, names: ['task_creatoin'] });
export { defineSkill, openStore, registerOlder, startServer };
// @ts-expect-error A catalog has no such field.
export const none = catalog.nothing;
`;

/** The program that docs/package.md shows, without its types. */
function runProgram(installed: Installed): void {
  const page = readFileSync(join(installed.own, 'docs/package.md'), 'utf8');
  const program = /```ts\n((?:(?!```)[\s\S])*createBuiltinSkills\((?:(?!```)[\s\S])*)```/.exec(page)?.[1] ?? '';
  assert.deepEqual(runLines(installed, program), ['Hello, Ada', 'user_creation completed', 'greet completed']);
}

function runServer(installed: Installed): void {
  const program = `
    import { startServer } from 'repertoire/server';
    const server = await startServer({ roots: ['./skills'], port: 0, data: './data-of-server' });
    const page = await fetch(server.url + '/');
    console.log((await fetch(server.url + '/health')).status, page.status, page.headers.get('content-type'));
    await server.close();`;
  assert.deepEqual(runLines(installed, program), ['200 200 text/html; charset=utf-8']);
}

function runLines({ node, folder, environment }: Installed, program: string): readonly string[] {
  const { code, stdout, stderr } = run(node, ['--input-type=module', '--eval', program], folder, environment);
  assert.equal(code, 0, stderr);
  return stdout.trim().split('\n');
}

/** By entry: "imported", or Node's sentence up to the name of what is missing. */
function importEntries({ manifest, node, folder, environment }: Installed): Readonly<Record<string, string>> {
  const paths = Object.keys(manifest.exports).filter((path) => path !== './package.json');
  const entries = paths.map((path) => path.replace('.', manifest.name));
  const program = `
    const entries = ${JSON.stringify(entries)};
    const attempts = await Promise.allSettled(entries.map((entry) => import(entry)));
    const told = attempts.map(({ reason }) => reason === undefined ? 'imported' : reason.message.split(' imported from')[0]);
    console.log(JSON.stringify(Object.fromEntries(entries.map((entry, index) => [entry, told[index]]))));`;
  const { stdout, stderr } = run(node, ['--input-type=module', '--eval', program], folder, environment);
  assert.notEqual(stdout, '', stderr);
  return JSON.parse(stdout);
}

function link({ folder }: Installed, name: string): void {
  const path = join(folder, 'node_modules', name);
  if (existsSync(path)) return;
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(resolve('node_modules', name), path);
}
