// `connect` on the configuration files of every host: add, add again, remove; and what must never happen to such a file.

import { chmodSync, existsSync, lstatSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { jsonFormat } from '../src/hosts/connect/json-format.ts';
import { createConnectWorld } from './connect-world.ts';
import { startMcpStub } from './support/mcp-stub.ts';
import { skipAloud } from './support/skip-aloud.ts';
import { write } from './support/write-skill.ts';

const world = createConnectWorld();
const { run, home } = world;
/** Where a running server is asked for. */
const stub = await startMcpStub();
beforeEach(() => world.reset());
afterAll(() => {
  stub.close();
  world.remove();
});

const fixtures = resolve('tests/fixtures/hosts');
const hosts = readdirSync(fixtures).map((file) => ({ file, host: file.replace(/\.\w+$/, '') }));
const token = 'a-token-that-nobody-may-see-9876';

const json = async (...words: readonly string[]) => JSON.parse((await run([...words, '--json'])).stdout);
const pathOf = async (host: string): Promise<string> => (await json(host, '--print')).path;
const bytes = (path: string): string => readFileSync(path, 'latin1');

/** Puts a host's fixture where the host reads it; answers that path. */
async function install(host: string, file: string): Promise<string> {
  return write(await pathOf(host), readFileSync(join(fixtures, file)));
}

test('every host that can be connected has a fixture', async () => {
  const listed: { hosts: { host: string }[] } = await json();
  expect(listed.hosts.map(({ host }) => host).sort()).toEqual(hosts.map(({ host }) => host).sort());
  expect(hosts).toHaveLength(22);
});

describe.each(hosts)('$host', ({ host, file }) => {
  test('adds, adds again without a change, and removes to the same bytes (C)', async () => {
    const path = await install(host, file);
    const before = bytes(path);
    const added = await json(host);
    expect(added).toMatchObject({ host, action: 'added', changed: true, written: true, path });
    expect(bytes(added.backup)).toBe(before);
    const after = bytes(path);
    expect(after).not.toBe(before);
    // Nothing of the old text is lost or moved: it is what is left without the new lines.
    expect(isSubsequence(before, after)).toBe(true);
    expect(await json(host)).toMatchObject({ action: 'unchanged', changed: false, written: false, backup: null });
    expect(bytes(path)).toBe(after);
    expect(await json(host, '--remove')).toMatchObject({ action: 'removed', changed: true, after: null });
    expect(bytes(path)).toBe(before);
    expect(existsSync(added.backup)).toBe(false);
    expect(await json(host, '--remove')).toMatchObject({ action: 'absent', changed: false });
  });

  test('removes its entry only, when the file was changed since, and keeps that change (C)', async () => {
    const path = await install(host, file);
    await run([host]);
    const comment = file.endsWith('.json') ? '\n// since\n' : '\n# since\n';
    write(path, `${readFileSync(path, 'utf8')}${comment}`);
    const { code } = await run([host, '--remove']);
    expect(code).toBe(0);
    const left = readFileSync(path, 'utf8');
    expect(left.endsWith(comment)).toBe(true);
    expect(left).not.toContain('src/surfaces/cli/main.ts');
    expect(await json(host, '--remove')).toMatchObject({ action: 'absent' });
  });

  test('makes the file on a fresh machine, and takes it away again (C)', async () => {
    const path = await pathOf(host);
    expect(path.startsWith(`${home}/`)).toBe(true);
    expect(await json(host)).toMatchObject({ action: 'added', backup: null });
    expect(await json(host)).toMatchObject({ action: 'unchanged' });
    expect(await json(host, '--root', './other')).toMatchObject({ action: 'replaced', backup: null });
    expect(await json(host, '--remove')).toMatchObject({ action: 'removed' });
    expect(existsSync(path)).toBe(false);
    // What only this host uses is gone with the file.
    expect(readdirSync(home, { recursive: true }).filter((left) => left !== '.config')).toEqual([]);
  });

  test('leaves a broken file as it is (C)', async () => {
    const path = await pathOf(host);
    for (const text of ['{ "a": [1, }', 'a = = 1\n  b: {', '\u0000', '[]', '{"a":1} trailing']) {
      write(path, text);
      for (const words of [[host], [host, '--remove'], [host, '--print']]) {
        const { code, stdout, stderr } = await run(words);
        expect([code, stdout]).toEqual([1, '']);
        expect(stderr).toMatch(/^Cannot (dis)?connect [^\n]+\. The file is unchanged\n$/);
      }
      expect(readFileSync(path, 'utf8')).toBe(text);
      expect(readdirSync(dirname(path))).toHaveLength(1);
    }
  });

  test('with a URL and a token: the token is in the file and nowhere else (C)', async () => {
    const path = await install(host, file);
    const { code, stdout, stderr } = await run([host, '--http', stub.url, '--token', token]);
    if (host === 'claude-desktop') {
      expect([code, stderr]).toEqual([
        2,
        'Cannot connect Claude Desktop over HTTP: its settings only support programs; leave out --http\n',
      ]);
      return;
    }
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).not.toContain(token);
    const text = readFileSync(path, 'utf8');
    expect(text).toContain(stub.url);
    expect(text.includes(`Bearer ${token}`)).toBe(host !== 'fx'); // It takes the name of a variable instead.
    const again = await run([host, '--http', stub.url, '--json'], {
      variables: { REPERTOIRE_TOKEN: token },
    });
    expect(JSON.parse(again.stdout)).toMatchObject({ action: 'unchanged' });
    expect(again.stdout).not.toContain(token);
    const print = await run([host, '--print', '--json']);
    expect(print.stdout).not.toContain(token);
    expect(JSON.parse(print.stdout)).toMatchObject({ action: 'replaced', written: false });
    // After a second change, too, the copy is the file without our entry.
    expect(await json(host)).toMatchObject({ action: 'replaced', written: true });
    await run([host, '--remove']);
    expect(bytes(path)).toBe(bytes(join(fixtures, file)));
  });
});

function isSubsequence(part: string, whole: string): boolean {
  let at = 0;
  for (const character of whole) if (character === part[at]) at++;
  return at === part.length;
}

test('each host has its file where that host reads it', async (context) => {
  skipAloud(context, process.platform !== 'linux', 'the paths below are those of Linux');
  const { hosts: rows }: { hosts: { host: string; path: string }[] } = await json();
  expect(Object.fromEntries(rows.map(({ host, path }) => [host, path.slice(home.length + 1)]))).toEqual({
    antigravity: '.gemini/config/mcp_config.json',
    'claude-code': '.claude.json',
    'claude-desktop': '.config/Claude/claude_desktop_config.json',
    cline: '.config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json',
    'cline-cli': '.cline/data/settings/cline_mcp_settings.json',
    codex: '.codex/config.toml',
    cursor: '.cursor/mcp.json',
    fx: '.fx/mcp.json',
    'gemini-cli': '.gemini/settings.json',
    'github-copilot-cli': '.copilot/mcp-config.json',
    goose: '.config/goose/config.yaml',
    'grok-build': '.grok/config.toml',
    'kilo-code': '.config/kilo/kilo.json',
    'kimi-code': '.kimi-code/mcp.json',
    'kiro-cli': '.kiro/settings/mcp.json',
    mastracode: '.mastracode/mcp.json',
    mcporter: '.mcporter/mcporter.json',
    opencode: '.config/opencode/opencode.jsonc',
    pi: '.pi/agent/mcp.json',
    vscode: '.config/Code/User/mcp.json',
    windsurf: '.codeium/windsurf/mcp_config.json',
    zed: '.config/zed/settings.json',
  });
});

describe('the file', () => {
  const cursor = () => join(home, '.cursor/mcp.json');
  const empty = '{\n  "mcpServers": {}\n}\n';

  test('keeps its mode, and so does its copy', async () => {
    chmodSync(write(cursor(), empty), 0o640);
    const { backup } = await json('cursor');
    expect([statSync(cursor()).mode & 0o777, statSync(backup).mode & 0o777]).toEqual([0o640, 0o640]);
  });

  test('takes its empty folders with it, and no folder with anything in it (C)', async () => {
    await run(['cline-cli']);
    write(join(home, '.cline/theirs'), '');
    const { stdout } = await run(['cline-cli', '--remove']);
    expect(stdout).toContain('was deleted, with the empty folder ~/.cline/data.');
    expect(readdirSync(join(home, '.cline'))).toEqual(['theirs']);
    await run(['kiro-cli', '--scope', 'project']);
    await run(['kiro-cli', '--scope', 'project', '--remove']);
    expect(readdirSync(world.project)).toEqual([]);
    await run(['kiro-cli', '--scope', 'project']);
    write(join(world.project, '.kiro/settings/hooks.json'), '{}');
    const { removed_folders } = await json('kiro-cli', '--scope', 'project', '--remove');
    expect(removed_folders).toEqual([]);
    expect(readdirSync(join(world.project, '.kiro/settings'))).toEqual(['hooks.json']);
  });

  test('stays with its folders when removal is only shown (C)', async () => {
    await run(['cursor']);
    expect(await json('cursor', '--remove', '--print')).toMatchObject({ written: false, removed_folders: [] });
    expect(existsSync(cursor())).toBe(true);
  });

  test('is private when it is new and holds a token', async () => {
    await run(['cursor', '--http', stub.url, '--token', token]);
    expect(statSync(cursor()).mode & 0o777).toBe(0o600);
    await run(['fx']);
    expect(statSync(join(home, '.fx/mcp.json')).mode & 0o777).toBe(0o600);
  });

  test('keeps its token for the same server, which is tried with it, and not for another (U5)', async () => {
    const locked = await startMcpStub({ token, name: 'repertoire' });
    const other = await startMcpStub();
    try {
      await run(['cursor', '--http', locked.url, '--token', token]);
      const again = await run(['cursor', '--http', locked.origin]);
      expect(again).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('Tried it: repertoire') });
      expect(again.stdout + (await run(['cursor', '--http', locked.url, '--print'])).stdout).not.toMatch(/--no-auth/);
      await run(['cursor', '--http', other.url]);
      expect(other.asked.join('\n')).not.toContain(token);
    } finally {
      locked.close();
      other.close();
    }
  });

  test('warns when others may read the token, and when it is in a project', async () => {
    chmodSync(write(cursor(), empty), 0o644);
    const words = ['cursor', '--http', 'http://far.example/mcp', '--token', token, '--print'];
    const { stdout } = await run(words);
    expect(stdout).toContain('`chmod 600 ~/.cursor/mcp.json`');
    expect(stdout).toContain('the token is sent unencrypted');
    expect((await run([...words, '--scope', 'project'])).stdout).toContain('keep it out of version control');
  });

  test('is written through a link, which stays one', async () => {
    const target = write(join(home, 'dotfiles/cursor.json'), empty);
    write(join(home, '.cursor/other'), '');
    symlinkSync(target, cursor());
    expect(await json('cursor')).toMatchObject({ path: target, backup: `${target}.bak-repertoire` });
    expect(lstatSync(cursor()).isSymbolicLink()).toBe(true);
    expect(readFileSync(target, 'utf8')).toContain('repertoire');
    await run(['cursor', '--remove']);
    expect(readFileSync(target, 'utf8')).toBe(empty);
  });

  test.each([
    ['a link that leads nowhere', 'broken link', () => symlinkSync('/no/such/file', cursor())],
    ['a folder', 'it is a folder', () => write(join(cursor(), 'x'), '')],
    [
      'read-only',
      'mcp.json: the file itself is read-only; make it writable first',
      () => chmodSync(write(cursor(), empty), 0o444),
    ],
    ['not UTF-8', 'it is not UTF-8 text', () => write(cursor(), new Uint8Array([0x7b, 0xff, 0x7d]))],
    ['too large', 'larger than 32 MB', () => write(cursor(), ' '.repeat(33 * 1024 * 1024))],
    ['of another shape', '"mcpServers" is not an object', () => write(cursor(), '{"mcpServers": []}')],
    ['below a file', 'a parent of this path is a file, not a folder', () => write(dirname(cursor()), '')],
  ])('is refused when it is %s (C)', async (_kind, reason, arrange) => {
    if (!_kind.startsWith('below')) write(join(home, '.cursor/other'), '');
    arrange();
    const { code, stderr } = await run(['cursor']);
    expect(code).toBe(1);
    expect(stderr).toContain(reason);
    expect(existsSync(`${cursor()}.bak-repertoire`)).toBe(false);
  });

  test.each([
    ['a TOML file of 10 MB', 'codex', `a = "${'x'.repeat(10_000_000)}"\n`, 'larger than 2 MB'],
    ['a TOML file of comments', 'codex', '#\n'.repeat(5_000_000), 'larger than 2 MB'],
    ['a YAML file of 5 MB', 'goose', 'a: 1\n'.repeat(1_000_000), 'larger than 2 MB'],
    ['a YAML map that holds itself', 'goose', 'a: &a\n  b: *a\n', 'refers to itself'],
    ['a deep JSON file', 'cursor', `{"a": ${'['.repeat(100_000)}${']'.repeat(100_000)}}\n`, 'nested too deeply'],
    ['a long TOML text', 'codex', `a = "${'x'.repeat(1_000_000)}"\n`, 'too large'],
    ['a deep YAML file', 'goose', `a: ${'['.repeat(20_000)}${']'.repeat(20_000)}\n`, 'nested too deeply'],
  ])('is refused in one sentence when it is %s (C)', async (_kind, host, text, reason) => {
    const path = write(await pathOf(host), text);
    for (const words of [[host], [host, '--remove']]) {
      const { code, stderr } = await run(words);
      expect([code, stderr.length < 300]).toEqual([1, true]);
      expect(stderr).toMatch(/; edit the entry by hand\. The file is unchanged\n$/);
      expect(stderr).toContain(reason);
    }
    expect(readFileSync(path, 'utf8') === text).toBe(true);
    expect(readdirSync(dirname(path))).toHaveLength(1);
  });

  // 400,000 lines: work for each line on all the others takes minutes, and a call inside a call for each has no stack left.
  test('takes the entry when it is a JSON file of 400,000 comments, or one long line (C)', async () => {
    const comments = '//\n'.repeat(400_000);
    for (const text of [
      `${comments}{ "a": [1] }\n`,
      `{\n  "a": "${'x'.repeat(3_000_000)}"\n}\n`,
      `{\n${comments}}\n`,
    ]) {
      write(cursor(), text);
      expect(await json('cursor')).toMatchObject({ action: 'added' });
      expect(await json('cursor', '--remove')).toMatchObject({ action: 'removed' });
      expect(readFileSync(cursor(), 'utf8') === text).toBe(true);
    }
  });

  // One expression for all of them overflows the stack of expressions, which is larger: at one and a half million.
  test('is read with two million comments in it', () => {
    const comments = '//\n'.repeat(2_000_000);
    for (const text of [`${comments}{}`, `{${comments}}`]) expect(jsonFormat.open(text).ok).toBe(true);
  });

  test('is not written with --print (C)', async () => {
    write(cursor(), empty);
    const { code, stdout } = await run(['cursor', '--print']);
    expect(code).toBe(0);
    expect(stdout).toContain('    {\n      "mcpServers": {\n  +     "repertoire": {\n');
    expect(stdout).toContain('not written');
    expect(readFileSync(cursor(), 'utf8')).toBe(empty);
    expect(readdirSync(dirname(cursor()))).toEqual(['mcp.json']);
  });

  test('loses no entry of ours to somebody else: theirs is shown as replaced, their extra keys stay', async () => {
    const theirs = {
      command: 'other',
      args: ['--api-key', 'k-secret-1234567890'],
      env: { KEY: 'secret-value' },
      note: 1,
    };
    write(cursor(), JSON.stringify({ mcpServers: { repertoire: theirs } }, null, 2));
    const { stdout } = await run(['cursor']);
    expect(stdout).toContain('its previous entry was replaced');
    expect(stdout).toContain('-       "command": "other"');
    expect(stdout).not.toMatch(/secret-value|k-secret/);
    const written = JSON.parse(readFileSync(cursor(), 'utf8')).mcpServers.repertoire;
    expect(written).toMatchObject({ command: 'node', env: { KEY: 'secret-value' }, note: 1 });
  });

  test('is left alone when the host itself has added such an entry', async () => {
    const { after } = await json('claude-code', '--print');
    const theirs = { type: 'stdio', ...after, env: {} };
    write(join(home, '.claude.json'), JSON.stringify({ mcpServers: { repertoire: theirs } }));
    expect(await json('claude-code')).toMatchObject({ action: 'unchanged' });
  });
});
