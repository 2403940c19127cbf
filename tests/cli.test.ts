// The built program as a user meets it: usage, the status screen, list, hostile text, and how `mcp` starts and ends.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { accessSync, constants, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { addSkill, type CliWorld, createCliWorld, programWords, skillText } from './cli-world.ts';
import { program } from './support/world.ts';
import { write } from './support/write-skill.ts';

let world: CliWorld;

beforeEach(() => {
  world = createCliWorld();
});

afterEach(() => world.remove());

describe('the program', () => {
  test('is an executable that names its interpreter', () => {
    expect(readFileSync(program, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
    accessSync(program, constants.X_OK);
    expect(execFileSync(program, ['--version'], { encoding: 'utf8' })).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  test('prints its version and its help on standard output, exit 0 (C)', () => {
    for (const args of [['--help'], ['help'], ['help', 'check'], ['mcp', '--help']]) {
      const { code, stdout, stderr } = world.run(args);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toContain('Usage');
      expect(stdout).toContain('Example');
    }
  });

  test.each([
    [['lst'], 'Unknown command "lst": did you mean "list"?\n'],
    [['list', '--jsn'], 'Unknown option "--jsn": did you mean "--json"?\n'],
    [['list', '--root'], 'Option --root needs a value: --root DIR\n'],
    [['show'], `Command "show" needs a NAME: for example ${programWords} show pdf-forms\n`],
    [['check', 'not-there'], 'Cannot check "not-there": there is no such file or folder\n'],
    [['check', '--format', 'xml'], 'Option --format cannot be "xml": use "text", "json" or "github"\n'],
  ])('refuses %j with one sentence on standard error, exit 2 (C, U6)', (args, sentence) => {
    expect(world.run(args)).toEqual({ code: 2, stdout: '', stderr: sentence });
  });

  test('keeps control characters of an argument off the terminal', () => {
    const { code, stderr } = world.run(['\u001b[31mlst\n']);
    expect(code).toBe(2);
    expect(stderr).not.toContain('\u001b');
    expect(stderr.split('\n')).toHaveLength(2);
  });

  test('ends quietly when the reader of its output has gone', () => {
    for (let index = 0; index < 50; index++) addSkill(world.skills, `skill-${index}`);
    const shell = spawnSync('sh', ['-c', `"${process.execPath}" "${program}" list --json | head -c 10`], {
      cwd: world.project,
      env: world.environment,
      encoding: 'utf8',
    });
    expect(shell.stderr).toBe('');
  });

  test('keeps its exit code when the reader of its output has gone (C)', async () => {
    write(join(world.project, 'bad/SKILL.md'), 'no frontmatter');
    const child = spawn(process.execPath, [program, 'check', 'bad'], {
      cwd: world.project,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.destroy();
    child.stderr.destroy();
    expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(1);
  });
});

describe('repertoire alone', () => {
  test('says what was found where, what is broken, who is here and what to type (C)', () => {
    addSkill(world.skills, 'alpha');
    addSkill(join(world.home, '.claude/skills'), 'beta');
    write(join(world.skills, 'broken/SKILL.md'), '# no frontmatter\n');
    mkdirSync(join(world.home, '.codex'));
    const { code, stdout, stderr } = world.run([]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/2 skills in 2 folders · 1 problem/);
    expect(stdout).toMatch(/\.\/\.agents\/skills +1 skill/);
    expect(stdout).toMatch(/▲ warning {2}broken\/SKILL\.md/);
    expect(stdout).toContain('→ ');
    expect(stdout).toMatch(/Codex +~\/\.codex/);
    expect(stdout).toContain(JSON.stringify({ command: 'node', args: [program, 'mcp'] }).slice(1, -1));
  });

  test('looks in all default roots, and the first wins on a duplicate name (D1, D5)', () => {
    const roots = ['.agents/skills', '.agent/skills', '.claude/skills'];
    for (const root of roots) {
      for (const base of [world.project, world.home])
        write(join(base, root, 'same/SKILL.md'), skillText('same', `from ${base}/${root}`));
    }
    expect(world.json([]).roots.map((root: { label: string }) => root.label)).toEqual([
      './.agents/skills',
      './.agent/skills',
      '~/.agents/skills',
      '~/.agent/skills',
      './.claude/skills',
      '~/.claude/skills',
    ]);
    expect(world.json(['list']).skills).toMatchObject([{ name: 'same', source: './.agents/skills' }]);
  });

  test('explains how to make the first skill when there is none (C)', () => {
    const { code, stdout } = world.run([]);
    expect(code).toBe(0);
    expect(stdout).toContain('No skills yet');
    expect(stdout).toContain(join(world.project, '.agents/skills'));
    const [, name = ''] = /new (my-first-skill)/.exec(stdout) ?? [];
    expect(world.run(['new', name])).toMatchObject({ code: 0, stderr: '' });
    expect(world.json(['list'])).toMatchObject({ skills: [{ name: 'my-first-skill' }], problems: [] });
  });

  test('offers a command that starts the server with the same roots', () => {
    addSkill(join(world.path, 'my skills'), 'alpha');
    const { stdout } = world.run(['--root', '../my skills', '--without', 'x']);
    const entry = /\{"mcpServers".*\}/.exec(stdout)?.[0] ?? '{}';
    expect(JSON.parse(entry).mcpServers.repertoire.args).toEqual([
      program,
      'mcp',
      '--root',
      join(world.path, 'my skills'),
      '--without',
      'x',
    ]);
  });

  test('names a given root that is missing, without failing (D1)', () => {
    const { code, stdout } = world.run(['--root', 'nowhere']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/nowhere +missing/);
  });
});

describe('list', () => {
  test('prints name, description and source, one line each', () => {
    addSkill(world.skills, 'beta');
    addSkill(world.skills, 'alpha');
    expect(world.run(['list'])).toEqual({
      code: 0,
      stdout:
        'alpha\tDoes alpha things. Use it for alpha.\t./.agents/skills\n' +
        'beta\tDoes beta things. Use it for beta.\t./.agents/skills\n',
      stderr: '',
    });
  });

  test('--json has the shape of list_skills (T2)', () => {
    addSkill(world.skills, 'alpha');
    write(join(world.skills, 'empty/SKILL.md'), '');
    const { skills: listed, problems } = world.json(['list']);
    expect(listed).toEqual([
      {
        name: 'alpha',
        description: 'Does alpha things. Use it for alpha.',
        uri: 'skill://alpha/SKILL.md',
        source: './.agents/skills',
        availability: 'available',
      },
    ]);
    expect(problems).toMatchObject([
      { path: 'empty/SKILL.md', rule: 'empty', message: expect.any(String), fix: expect.any(String) },
    ]);
  });

  test('--root replaces the defaults, --default-roots adds them back (D1)', () => {
    addSkill(world.skills, 'alpha');
    addSkill(join(world.project, 'own'), 'beta');
    const names = (args: string[]) => world.json(['list', ...args]).skills.map((skill: { name: string }) => skill.name);
    expect(names([])).toEqual(['alpha']);
    expect(names(['--root=own'])).toEqual(['beta']);
    expect(names(['--root', 'own', '--default-roots'])).toEqual(['alpha', 'beta']);
  });

  test('--project moves the project, --without leaves a skill out (C)', () => {
    addSkill(world.skills, 'alpha');
    addSkill(join(world.path, 'other/.claude/skills'), 'beta');
    addSkill(join(world.path, 'other/.claude/skills'), 'gamma');
    const { skills: listed } = world.json(['list', '--project', '../other', '--without', 'GAMMA']);
    expect(listed.map((skill: { name: string }) => skill.name)).toEqual(['beta']);
  });

  test('says on standard error that there is nothing', () => {
    expect(world.run(['list'])).toEqual({
      code: 0,
      stdout: '',
      stderr: expect.stringMatching(/^No skills found: `node .+ doctor` shows where it looked\n$/),
    });
  });
});

describe('colours and hostile text', () => {
  const esc = '\u001b';

  test('colours only when forced, for there is no terminal here', () => {
    addSkill(world.skills, 'alpha');
    expect(world.run([]).stdout).not.toContain(esc);
    expect(world.run([], { FORCE_COLOR: '1' }).stdout).toContain(`${esc}[1m`);
    expect(world.run([], { NO_COLOR: '1' }).stdout).not.toContain(esc);
  });

  test('no control character of a skill reaches standard output', () => {
    const attack = '\\e[31mred\\e]0;title\\a\\x9b2J\\u202e';
    write(join(world.skills, 'good/SKILL.md'), `---\nname: good\ndescription: "${attack}"\n---\n`);
    write(join(world.skills, 'bad/SKILL.md'), `---\nname: "${attack}"\ndescription: x\n---\n`);
    write(join(world.skills, `fold${esc}[2Jer/SKILL.md`), '');
    for (const args of [
      [],
      ['list'],
      ['list', '--json'],
      ['check'],
      ['check', '--json'],
      ['check', '--format', 'github'],
      ['doctor'],
      ['doctor', '--json'],
      ['show', 'good', '--json'],
    ]) {
      const { stdout, stderr } = world.run(args);
      expect(stdout.length, args.join(' ')).toBeGreaterThan(0);
      expect(stdout + stderr, args.join(' ')).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/);
    }
    expect(world.json(['show', 'good']).description).toContain(`${esc}[31mred`);
  });
});

describe('mcp', () => {
  function start(args: readonly string[] = []) {
    const child = spawn(process.execPath, [program, 'mcp', ...args], {
      cwd: world.project,
      env: world.environment,
      stdio: 'pipe',
    });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
    });
    const ended = new Promise<number | null>((done) => child.on('close', done));
    const answered = () =>
      new Promise<void>((done) => {
        child.stdout.on('data', () => output.includes('\n') && done());
      });
    return { child, ended, answered, output: () => output };
  }

  const initialize = `${JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  })}\n`;

  test('answers on standard output and ends with exit 0 when its input closes (F11)', async () => {
    addSkill(world.skills, 'alpha');
    const server = start();
    const answer = server.answered();
    server.child.stdin.write(initialize);
    await answer;
    expect(JSON.parse(server.output())).toMatchObject({ id: 1, result: { serverInfo: { name: 'repertoire' } } });
    server.child.stdin.end();
    expect(await server.ended).toBe(0);
  });

  test.each(['SIGTERM', 'SIGINT'] as const)('ends with exit 0 on %s (F11)', async (signal) => {
    const server = start();
    const answer = server.answered();
    server.child.stdin.write(initialize);
    await answer;
    server.child.kill(signal);
    expect(await server.ended).toBe(0);
  });
});
