// `connect --check` and `connect --http` against real programs: what works, what does not and why, and what a host waits for.
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addSkill, type CliWorld, createCliWorld } from './cli-world.ts';
import { startMcpStub } from './support/mcp-stub.ts';
import { type ServeProcess, startServeProcess } from './support/serve-process.ts';
import { write } from './support/write-skill.ts';

let world: CliWorld;
let server: ServeProcess;
let agentToken: string;
let closedPort: number;

beforeAll(async () => {
  world = createCliWorld();
  addSkill(join(world.home, '.agents/skills'), 'pdf-forms');
  server = await startServeProcess(['--builtin', 'none'], world.environment);
  const stub = await startMcpStub();
  closedPort = Number(new URL(stub.url).port);
  stub.close();
  agentToken = world.json(['agent', 'add', 'billing']).token;
});
afterAll(async () => {
  await server?.stop();
  world?.remove();
});

const cursor = () => join(world.home, '.cursor/mcp.json');
const connect = (...words: readonly string[]) => world.run(['connect', ...words]);
const checks = (...words: readonly string[]) => world.json(['connect', ...words, '--check']).checks;

beforeEach(() => {
  for (const name of ['.cursor', '.codex', '.kiro']) {
    for (const folder of [world.home, world.project]) rmSync(join(folder, name), { recursive: true, force: true });
  }
});

describe('connect --check', () => {
  test('starts the program of the entry, asks for its tools and ends it (U5)', () => {
    connect('cursor');
    const { code, stdout, stderr } = connect('cursor', '--check');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(
      /^✓ Cursor works {2}~\/\.cursor\/mcp\.json\n {2}node\s+\S.*cli\.js'?\s+mcp\n {2}repertoire 0\.1\.0 · 5 tools\n/,
    );
    expect(checks('cursor')).toEqual([
      {
        ...{ host: 'cursor', title: 'Cursor', scope: 'user', path: cursor(), kind: 'program' },
        ...{ entry: expect.stringMatching(/cli\.js'? mcp$/), works: true, cause: null, message: null, fix: null },
        ...{ server: { name: 'repertoire', version: '0.1.0' }, tools: 5, caller: null, needs: [] },
      },
    ]);
  });

  test('talks to the server of the entry, and says who the token is of, never the token (U5)', () => {
    const written = connect('cursor', '--http', server.url, '--token', agentToken);
    expect([written.code, written.stderr]).toEqual([0, '']);
    expect(written.stdout).toContain('Tried it: repertoire 0.1.0 · 5 tools · as the agent "billing"');
    expect(written.stdout).toContain(`the entry uses the address of the MCP endpoint: ${server.mcp_url}`);
    expect(JSON.parse(readFileSync(cursor(), 'utf8')).mcpServers.repertoire.url).toBe(server.mcp_url);
    const { code, stdout } = connect('cursor', '--check');
    expect(code).toBe(0);
    expect(stdout).toContain('as the agent "billing"');
    expect(written.stdout + stdout).not.toContain(agentToken);
    expect(checks('cursor')).toMatchObject([{ kind: 'http', entry: server.mcp_url, caller: 'the agent "billing"' }]);
  });

  test('says of a revoked token that the server rejects it, and how to get another (U5)', () => {
    const { token } = world.json(['agent', 'add', 'gone']);
    world.run(['agent', 'revoke', 'gone']); // Before the server has seen it: what it has seen it knows for a while.
    connect('cursor', '--http', server.mcp_url, '--token', token);
    const { code, stdout } = connect('cursor', '--check');
    expect(code).toBe(1);
    expect(stdout).toContain('✗ Cursor does not work');
    expect(stdout.replace(/\s+/g, ' ')).toMatch(/rejects the token \(401\).*agent add NAME.*connect cursor --http/);
    expect(stdout).not.toContain(token);
  });

  test('without HOST looks at every host that has the entry, in both files (U5)', () => {
    expect(connect('--check')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^No host is connected: .* connect lists/),
    });
    connect('cursor');
    connect('kiro-cli', '--scope', 'project');
    write(join(world.home, '.kiro/x'), '');
    expect(checks()).toMatchObject([
      { host: 'cursor', scope: 'user', works: true },
      { host: 'kiro-cli', scope: 'project', works: true },
    ]);
    expect(checks('--scope', 'project')).toHaveLength(1);
  });

  test('explains a host that is not connected, a broken file, an entry that is switched off, a command that is not there (U5)', () => {
    const entry = (fields: object) => write(cursor(), JSON.stringify({ mcpServers: { repertoire: fields } }));
    expect(checks('cursor')).toMatchObject([
      { works: false, cause: 'not-connected', fix: expect.stringMatching(/connect cursor`$/) },
    ]);
    entry({ command: 'repertoire-is-not-here', args: [] });
    expect(checks('cursor')).toMatchObject([{ cause: 'command-not-found' }]);
    entry({ command: 'x', disabled: true });
    expect(checks('cursor')).toMatchObject([{ cause: 'switched-off', fix: 'Enable "repertoire" in Cursor' }]);
    write(cursor(), '{ "a": ');
    expect(connect('cursor', '--check')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('Cannot read the file'),
    });
    write(cursor(), '{}');
  });

  test('shows no secret of an entry that does not work, in no line (U5)', () => {
    const entry = (fields: object) => write(cursor(), JSON.stringify({ mcpServers: { repertoire: fields } }));
    const printed = () => connect('cursor', '--check').stdout + connect('cursor', '--check', '--json').stdout;
    entry({ command: process.execPath, args: ['-e', 'process.exit(1)', '--api-key', 'k-secret-12345678'] });
    expect(printed()).not.toContain('k-secret');
    entry({ url: `${server.mcp_url}?key=k-secret-12345678`, headers: { Authorization: 'Bearer k-secret-12345678' } });
    expect(printed()).not.toContain('k-secret');
  });

  test('says that a folder has to be trusted before the host uses the entry, until it is (U4)', () => {
    const { stdout } = connect('codex', '--scope', 'project');
    expect(stdout).toMatch(/\nFirst: Codex ignores the settings of a folder/);
    expect(connect('codex', '--check')).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^▲ Codex needs your permission[\s\S]*→ Codex ignores the settings/),
    });
    write(join(world.home, '.codex/config.toml'), `[projects."${world.project}"]\ntrust_level = "trusted"\n`);
    expect(connect('codex', '--check')).toMatchObject({ code: 0, stdout: expect.stringMatching(/^✓ Codex works/) });
  });

  test.each([
    [['--remove'], '--remove'],
    [['--print'], '--print'],
    [['--http', 'http://127.0.0.1:1'], '--http'],
    [['--root', 'x'], '--root'],
  ])('refuses %j (C)', (words, option) => {
    expect(connect('cursor', '--check', ...words)).toMatchObject({
      code: 2,
      stderr: `Option ${option} cannot be combined with --check: it checks the entry as it is in the file\n`,
    });
    expect(connect('curser', '--check')).toMatchObject({ code: 2, stderr: expect.stringContaining('Unknown host') });
  });
});

describe('connect --http', () => {
  test.each([
    ['http://127.0.0.1:CLOSED', '', 'no server is running there'],
    ['http://127.0.0.1:9', '', 'programs refuse to use that port'],
    ['SERVER', '', 'needs a token (401)'],
    ['SERVER', 'not-the-right-token-at-all', 'rejects the token (401)'],
    ['SERVER/api/documents', '', 'needs a token (401)'],
  ])('to %s with %j is written, and exits with 1 and why (U5)', (address, token, reason) => {
    const url = address.replace('SERVER', server.url).replace('CLOSED', String(closedPort));
    const { code, stdout, stderr } = connect('cursor', '--http', url, ...(token === '' ? [] : ['--token', token]));
    expect(code).toBe(1);
    expect(stderr).toMatch(/^The entry was written, but does not work yet\. [^\n]+\n$/);
    expect(stderr).toContain(reason);
    expect(stdout).toContain('Cursor has the entry, but it does not work yet');
    expect(stdout).not.toContain('Next:');
    expect(readFileSync(cursor(), 'utf8')).toContain(new URL(url).host);
  });

  test('with --print asks nothing of the network, and puts the address right (U5)', () => {
    const { code, stdout } = connect('cursor', '--http', 'http://127.0.0.1:9', '--print', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ after: { url: 'http://127.0.0.1:9/mcp' }, check: null });
  });
});
