// `connect` as a command: which host, which scope, what is refused; and what is special about single hosts.
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { toShellLine } from '../src/text/shell-line.ts';
import { addSkill } from './cli-world.ts';
import { createConnectWorld } from './connect-world.ts';
import { write } from './support/write-skill.ts';

const world = createConnectWorld();
const { run, home, project } = world;
beforeEach(() => world.reset());
afterAll(() => world.remove());

const json = async (...words: readonly string[]) => JSON.parse((await run([...words, '--json'])).stdout);

/** As a person would type it here: the program has no name on the PATH. */
const typed = toShellLine(['node', '--import', 'tsx', resolve('src/surfaces/cli/main.ts')]);

describe('the command', () => {
  test('names the nearest hosts for an unknown one (C)', async () => {
    expect(await run(['curser'])).toMatchObject({ code: 2, stderr: 'Unknown host "curser": did you mean "cursor"?\n' });
    expect((await run(['nothing-like-it'])).stderr).toContain(`: \`${typed} connect\` lists`);
    expect(await json('Claude Code', '--print')).toMatchObject({ host: 'claude-code' });
  });

  test('advice looks where the command looked: the project, and nothing that the advised command refuses (U5)', async () => {
    const elsewhere = join(project, 'else where');
    mkdirSync(elsewhere);
    const { stdout } = await run(['cursor', '--scope', 'project', '--project', 'else where', '--root', '/none']);
    expect(stdout.replace(/\s+/g, ' ')).toContain(`${typed} connect cursor --check --project 'else where'`);
    rmSync(join(elsewhere, '.cursor'), { recursive: true });
    const { checks } = await json('cursor', '--check', '--scope', 'project', '--project', 'else where');
    expect(checks[0].fix).toBe(`Connect it with \`${typed} connect cursor --scope project --project 'else where'\``);
  });

  test('without HOST lists them and exits with 2; with --json with 0', async () => {
    write(join(home, '.codex/x'), '');
    const { code, stdout, stderr } = await run([]);
    expect(code).toBe(2);
    expect(stdout).toMatch(
      /^Hosts found on this machine\n {2}codex {2,}Codex {2,}~\/\.codex\/config\.toml\n\nOther known/,
    );
    expect(stderr).toBe(`Command "connect" needs a HOST here: for example ${typed} connect claude-code\n`);
    expect((await run(['--json'])).code).toBe(0);
  });

  test('lists hosts by id, with plain titles (C)', async () => {
    write(join(home, '.codex/x'), '');
    write(join(home, '.cursor/x'), '');
    const { hosts }: { hosts: { host: string; title: string; found: boolean }[] } = await json();
    const ids = hosts.map(({ host }) => host);
    expect(ids.slice(0, 2)).toEqual(['codex', 'cursor']);
    expect(ids.slice(2)).toEqual(ids.slice(2).sort());
    expect(hosts.find(({ host }) => host === 'cline')?.title).toBe('Cline (VS Code)');
  });

  test.each([
    [['1'], 0, 'Codex is connected'],
    [['cursor'], 0, 'Cursor is connected'],
    [[''], 0, 'No changes made'],
    [['99', '0', '1'], 0, 'Codex is connected'],
    [['curser', 'cursor'], 0, 'Cursor is connected'],
    [['99', ''], 0, 'No changes made'],
    [['2', '99', '0', '1'], 2, 'Cannot choose 0: the numbers go from 1 to 1; type one of them, or a name\n'],
  ])('on a terminal asks up to three times, and takes the answers %j (C)', async (answers, code, text) => {
    write(join(home, '.codex/x'), '');
    const ended = await run([], { answers });
    expect(ended.code).toBe(code);
    expect(ended.stdout + ended.stderr).toContain(text);
  });

  test('on a terminal lists all hosts when none is here, to choose from (C)', async () => {
    const { code, stdout } = await run([], { answers: ['2'] });
    expect(code).toBe(0);
    expect(stdout).toContain('No hosts found on this machine\n\nKnown hosts\n   1  antigravity');
    expect(stdout).toContain('Claude Code is connected');
  });

  test('says when the host does not seem to be here', async () => {
    expect((await run(['cursor'])).stdout).toContain('Note: Cursor does not seem to be installed here.');
    expect((await run(['cursor', '--http', 'http://127.0.0.1:1/mcp'])).stdout).not.toContain('does not seem');
  });

  test('repeats the options for the server, with absolute paths', async () => {
    const { after } = await json('cursor', '--root', './my skills', '--print');
    expect(after.args.slice(-3)).toEqual(['mcp', '--root', join(project, 'my skills')]);
  });

  test('repeats the options for typed skills, but for a URL that may hold a password (C)', async () => {
    const words = ['--config', 'c.ts', '--builtin', 'none', '--agent', 'ada', '--log', 'required', '--keep', '7d'];
    const { after } = await json('cursor', '--data', 'd', ...words, '--print');
    expect(after.args.slice(after.args.indexOf('mcp') + 1)).toEqual([
      ...['--config', join(project, 'c.ts'), ...words.slice(2, 6), '--data', join(project, 'd')],
      ...words.slice(6),
    ]);
    expect((await json('cursor', '--no-log', '--print')).after.args.at(-1)).toBe('--no-log');
    const url = 'postgres://me:secret@db.example/log';
    const { stdout } = await run(['cursor', '--data', 'd', '--database-url', url, '--json']);
    expect(JSON.parse(stdout).notes.join()).toContain('Set DATABASE_URL');
    // The folder keeps what is local; the variable names the store (C).
    expect(JSON.parse(stdout).after.args.slice(-3)).toEqual(['mcp', '--data', join(project, 'd')]);
    expect(stdout + readFileSync(join(home, '.cursor/mcp.json'), 'utf8')).not.toMatch(/secret|db\.example/);
  });

  test('writes the file of the project with --scope project, where the host has one', async () => {
    expect(await json('vscode', '--scope', 'project')).toMatchObject({ path: join(project, '.vscode/mcp.json') });
    const { code, stderr } = await run(['windsurf', '--scope', 'project']);
    expect([code, stderr]).toEqual([
      2,
      'Cannot connect Windsurf: it has no project configuration file; leave out --scope project\n',
    ]);
  });

  test.each([
    [['cursor', '--token', 'x'], 'Option --token needs --http'],
    [['cursor', '--http', 'nonsense'], 'it is not an http or https address'],
    [['cursor', '--http', 'file:///etc/passwd'], 'that address (file:): it is not an http or https address'],
    [['cursor', '--http', 'ftp://me:pw@x.example/'], 'that address (ftp:): it is not an http or https address'],
    [['cursor', '--http', 'http://me:pw@x.example:99999/'], 'that address: it is not an http or https address'],
    [['cursor', '--http', 'https://me:pw@x.example/'], 'it contains a password'],
    [['cursor', '--http', 'https://x.example/', '--token', 'a\nb'], 'characters that a header cannot contain'],
  ])('refuses %j', async (words, sentence) => {
    const { code, stderr } = await run(words);
    expect(code).toBe(2);
    expect(stderr).toContain(sentence);
    expect(stderr).not.toContain('pw@');
  });
});

describe('what is served', () => {
  const printed = async (...words: readonly string[]) => (await run(['cursor', '--print', ...words])).stdout;
  const notes = async (...words: readonly string[]): Promise<string> =>
    (await json('cursor', '--print', ...words)).notes.join('\n');

  test('is counted for the entry, and again when nothing changes (C)', async () => {
    addSkill(join(home, '.agents/skills'), 'pdf-forms');
    addSkill(join(home, '.claude/skills'), 'release-notes');
    const line = 'Serves 2 skills (1 in ~/.agents/skills, 1 in ~/.claude/skills)\n';
    expect(await printed()).toContain(line);
    expect((await run(['cursor'])).stdout).toContain(line);
    expect((await run(['cursor'])).stdout).toContain(line);
    expect(await json('cursor')).toMatchObject({ action: 'unchanged', skill_count: 2 });
    expect(await json('cursor', '--http', 'http://127.0.0.1:1/mcp', '--print')).toMatchObject({ skill_count: null });
    expect((await run(['cursor', '--remove'])).stdout).not.toContain('Serves');
  });

  test('includes the built-in skills that were asked for, which stand in the entry (B6)', async () => {
    const names = 'task_creation,task_update';
    const { after } = await json('cursor', '--print', '--builtin', names);
    expect(after.args.slice(-2)).toEqual(['--builtin', names]);
    expect(await printed('--builtin', names)).toContain('Serves 2 built-in skills\n');
    expect((await json('cursor', '--print', '--builtin', 'all')).after.args.slice(-2)).toEqual(['--builtin', 'all']);
  });

  test('counts a folder of the project and the same one above it together', async () => {
    write(join(project, '.git/HEAD'), '');
    addSkill(join(project, '.agents/skills'), 'pdf-forms');
    addSkill(join(project, 'part/.agents/skills'), 'release-notes');
    expect(await printed('--project', 'part')).toContain('Serves 2 skills (./.agents/skills)\n');
    addSkill(join(home, '.agents/skills'), 'mine');
    expect(await printed('--project', 'part')).toContain('(2 in ./.agents/skills, 1 in ~/.agents/skills)');
  });

  test('is nothing: says where it looked, and how to see more with the same options (C)', async () => {
    expect(await notes()).toContain('no skills to serve yet. Looked in ./.agents/skills, ./.agent/skills, ~/.agents');
    expect(await notes('--root', './none')).toContain(
      `Looked in ./none; \`${typed} doctor --root '${join(project, 'none')}'\` shows more.`,
    );
  });

  test('is less than was asked for: a root that is missing, a pin without its skill (C)', async () => {
    addSkill(join(project, 'skills'), 'pdf-forms');
    write(join(project, 'file'), '');
    const text = await notes('--root', 'skills', '--root', './none', '--root', 'file', '--pin', 'pdf-form');
    expect(text).toContain('--root ./none: there is no such folder.');
    expect(text).toContain('--root file: it cannot be searched.');
    expect(text).toContain('--pin pdf-form: no skill has this name; did you mean "pdf-forms"?');
    expect(await notes('--root', 'skills', '--pin', 'PDF-forms')).not.toMatch(/--(root|pin)/);
  });

  test('of the project is seen elsewhere only with --project; in its own file it needs none (C)', async () => {
    addSkill(join(project, '.agents/skills'), 'pdf-forms');
    expect(await notes()).toContain('sees the skills in ./.agents/skills only with --project DIR.');
    expect(await notes('--project', '.')).not.toContain('--project DIR');
    const { after, notes: all } = await json('cursor', '--print', '--scope', 'project');
    expect(after.args).not.toContain('--project');
    expect(all).toContain('the server sees the skills in ./… only if Cursor starts it in the project folder.');
    expect(all).toContain(
      'the entry contains the path of the program on this machine: keep the file out of version control.',
    );
  });
});

describe('what is special about a host', () => {
  test('Claude Code: CLAUDE_CONFIG_DIR moves the file', async () => {
    const { stdout } = await run(['claude-code', '--json'], { variables: { CLAUDE_CONFIG_DIR: join(home, 'moved') } });
    expect(JSON.parse(stdout).path).toBe(join(home, 'moved/.claude.json'));
  });

  test('Copilot: XDG_CONFIG_HOME is not its folder, COPILOT_HOME is', async () => {
    const variables = { XDG_CONFIG_HOME: join(home, 'xdg'), COPILOT_HOME: join(home, 'cop') };
    const { stdout } = await run(['github-copilot-cli', '--json'], { variables });
    expect(JSON.parse(stdout).path).toBe(join(home, 'cop/mcp-config.json'));
  });

  test('OpenCode: XDG_CONFIG_HOME moves its folder; servers under mcp.servers stay there', async () => {
    const path = write(join(home, 'xdg/opencode/opencode.json'), '{"mcp":{"servers":{"a":{"type":"local"}}}}');
    await run(['opencode'], { variables: { XDG_CONFIG_HOME: join(home, 'xdg') } });
    expect(JSON.parse(readFileSync(path, 'utf8')).mcp.servers.repertoire.type).toBe('local');
  });

  test.each([
    ['claude-code', 'CLAUDE_CONFIG_DIR', '.claude.json', '.claude.json'],
    ['codex', 'CODEX_HOME', '.codex/config.toml', 'config.toml'],
    ['github-copilot-cli', 'COPILOT_HOME', '.copilot/mcp-config.json', 'mcp-config.json'],
    ['opencode', 'XDG_CONFIG_HOME', '.config/opencode/opencode.jsonc', 'opencode/opencode.jsonc'],
  ])('%s: %s is absolute or begins with ~/, else it is not set (C)', async (host, variable, usual, moved) => {
    const pathWith = async (value: string): Promise<string> =>
      JSON.parse((await run([host, '--print', '--json'], { variables: { [variable]: value } })).stdout).path;
    expect(await pathWith(join(home, 'x'))).toBe(join(home, 'x', moved));
    expect(await pathWith('~/x')).toBe(join(home, 'x', moved));
    for (const value of ['', '  ', 'x', './x']) expect(await pathWith(value)).toBe(join(home, usual));
  });

  test('Codex: an empty CODEX_HOME does not hide it', async () => {
    write(join(home, '.codex/x'), '');
    const { stdout } = await run(['--json'], { variables: { CODEX_HOME: '' } });
    const { hosts }: { hosts: { host: string; found: boolean }[] } = JSON.parse(stdout);
    expect(hosts.find(({ host }) => host === 'codex')).toMatchObject({ found: true });
  });

  test('Codex: no `type`, and comments stay', async () => {
    const { after } = await json('codex', '--http', 'https://skills.example/mcp', '--print');
    expect(after).toEqual({ url: 'https://skills.example/mcp' });
  });

  test('Copilot in a project: a file of bare servers stays one; VS Code servers are refused', async () => {
    const path = write(join(project, '.mcp.json'), '{"files":{"command":"npx"}}');
    await run(['github-copilot-cli', '--scope', 'project']);
    expect(Object.keys(JSON.parse(readFileSync(path, 'utf8')))).toEqual(['files', 'repertoire']);
    write(path, '{"servers":{"files":{"command":"npx"}}}');
    expect((await run(['github-copilot-cli', '--scope', 'project'])).stderr).toContain('rename that key');
  });

  test('Claude Code in a project: says that Copilot would no longer read its own file', async () => {
    write(join(project, '.github/mcp.json'), '{}');
    expect((await run(['claude-code', '--scope', 'project'])).stdout).toContain('ignores .github/mcp.json');
  });
});
