// `connect` as a command: which host, which scope, what is refused; and the hosts that the library has wrong.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { write } from './cli-world.ts';
import { createConnectWorld } from './connect-world.ts';

const world = createConnectWorld();
const { run, home, project } = world;
beforeEach(() => world.reset());
afterAll(() => world.remove());

const json = async (...words: readonly string[]) => JSON.parse((await run([...words, '--json'])).stdout);

describe('the command', () => {
  test('names the nearest hosts for an unknown one (C)', async () => {
    expect(await run(['curser'])).toMatchObject({ code: 2, stderr: 'Unknown host "curser": did you mean "cursor"?\n' });
    expect((await run(['nothing-like-it'])).stderr).toContain('repertoire connect lists');
    expect(await json('Claude Code', '--print')).toMatchObject({ host: 'claude-code' });
  });

  test('without HOST lists them and exits with 2; with --json with 0', async () => {
    write(join(home, '.codex/x'), '');
    const { code, stdout, stderr } = await run([]);
    expect(code).toBe(2);
    expect(stdout).toMatch(/^Hosts found here\n {2}codex {2,}Codex {2,}~\/\.codex\/config\.toml\n\nOthers/);
    expect(stderr).toContain('needs a HOST');
    expect((await run(['--json'])).code).toBe(0);
  });

  test.each([
    ['1', 0, 'Codex is connected'],
    ['cursor', 0, 'Cursor is connected'],
    ['', 0, 'Nothing was changed'],
    ['99', 2, 'Unknown host "99"'],
  ])('on a terminal asks, and takes the answer "%s"', async (answer, code, text) => {
    write(join(home, '.codex/x'), '');
    const ended = await run([], { answer });
    expect(ended.code).toBe(code);
    expect(ended.stdout + ended.stderr).toContain(text);
  });

  test('says when the host does not seem to be here', async () => {
    expect((await run(['cursor'])).stdout).toContain('Note: Cursor does not seem to be installed here.');
    expect((await run(['cursor', '--http', 'http://127.0.0.1:1/mcp'])).stdout).not.toContain('does not seem');
  });

  test('repeats the options for the server, with absolute paths', async () => {
    const { after } = await json('cursor', '--root', './my skills', '--print');
    expect(after.args.slice(-3)).toEqual(['mcp', '--root', join(project, 'my skills')]);
  });

  test('writes the file of the project with --scope project, where the host has one', async () => {
    expect(await json('vscode', '--scope', 'project')).toMatchObject({ path: join(project, '.vscode/mcp.json') });
    const { code, stderr } = await run(['windsurf', '--scope', 'project']);
    expect([code, stderr]).toEqual([
      2,
      'Cannot connect Windsurf: it has no configuration file for a project; leave out --scope project\n',
    ]);
  });

  test.each([
    [['cursor', '--token', 'x'], 'Option --token needs --http'],
    [['cursor', '--http', 'nonsense'], 'it is not an http or https address'],
    [['cursor', '--http', 'file:///etc/passwd'], 'it is not an http or https address'],
    [['cursor', '--http', 'https://me:pw@x.example/'], 'it holds a password'],
    [['cursor', '--http', 'https://x.example/', '--token', 'a\nb'], 'characters that no header takes'],
  ])('refuses %j', async (words, sentence) => {
    const { code, stderr } = await run(words);
    expect(code).toBe(2);
    expect(stderr).toContain(sentence);
    expect(stderr).not.toContain('pw@');
  });
});

describe('what the library has wrong', () => {
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

  test('Codex: no `type`, and comments stay', async () => {
    const { after } = await json('codex', '--http', 'https://skills.example/mcp');
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
    expect((await run(['claude-code', '--scope', 'project'])).stdout).toContain('.github/mcp.json only while');
  });
});
