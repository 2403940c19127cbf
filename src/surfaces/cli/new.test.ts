// `new`: what it writes passes `check`, nothing is overwritten, and what it says next works (U11).
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import fc from '../../../tests/support/property.ts';
import { isValidName } from '../../document/validate.ts';
import { run as check } from './check.ts';
import { type Asked, createCommandWorld } from './fixtures/command-world.ts';
import { run as invoke } from './invoke.ts';
import { run } from './new.ts';
import { suggestName, suggestTypedName } from './new-templates.ts';
import { displayWidth } from './terminal/text-layout.ts';

let home: string;
let project: string;
beforeEach(() => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'repertoire-new-')));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  [home, project] = [join(folder, 'home'), join(folder, 'project')];
  mkdirSync(home);
  mkdirSync(project);
});

async function call(command: typeof run, asked: Asked) {
  const world = createCommandWorld({ ...asked, environment: { home, workingDirectory: project } });
  return { code: await command(world.context), stdout: world.stdout(), stderr: world.stderr() };
}
const make = (name: string, asked: Asked = {}) => call(run, { ...asked, operands: [name] });

describe('new', () => {
  test.each([
    ['the personal folder', {}, () => join(home, '.agents/skills')],
    ['the personal folder', { values: { scope: 'user' } }, () => join(home, '.agents/skills')],
    ['the project', { values: { scope: 'project' } }, () => join(project, '.agents/skills')],
    [
      'a project elsewhere',
      { values: { project: '../other' }, given: { project: '../other' } },
      () => join(project, '../other/.agents/skills'),
    ],
    ['--root', { values: { root: './library' }, given: { roots: ['./library'] } }, () => join(project, 'library')],
  ] as const)('makes a skill in %s %j that passes check (U11)', async (_where, asked, place) => {
    const made = await make('release-notes', asked);
    expect(made).toMatchObject({ code: 0, stderr: '' });
    const folder = join(place(), 'release-notes');
    expect(readdirSync(folder)).toEqual(['SKILL.md']);
    const checked = await call(check, { operands: [folder], flags: ['json'] });
    expect(JSON.parse(checked.stdout)).toEqual({ skills_checked: 1, problems: [], findings: [] });
    expect(checked.code).toBe(0);
  });

  test('says what to do next with commands that find it (U11)', async () => {
    const { stdout } = await make('a', { values: { root: 'some skills' }, given: { roots: ['some skills'] } });
    expect(stdout).toContain("repertoire check 'some skills/a'\n");
    expect(stdout).toContain("repertoire connect --root 'some skills'\n");
    const json = await make('b', {
      values: { root: 'some skills' },
      given: { roots: ['some skills'] },
      flags: ['json'],
    });
    expect(JSON.parse(json.stdout)).toEqual({
      name: 'b',
      kind: 'document',
      path: join(project, 'some skills/b/SKILL.md'),
      next: expect.arrayContaining(["repertoire check 'some skills/b'"]),
    });
  });

  test.each([40, 60])('fits %i columns, but for what is to be copied (U11)', async (columns) => {
    const { stdout } = await make('release-notes', { columns, isTerminal: true });
    const prose = stdout.split('\n').filter((line) => !/^ {2}~|^ {5}repertoire/.test(line));
    expect(Math.max(...prose.map(displayWidth))).toBeLessThanOrEqual(columns);
  });

  test('overwrites nothing, not even an empty folder (U11)', async () => {
    const folder = join(home, '.agents/skills/mine');
    mkdirSync(folder, { recursive: true });
    const again = await make('mine');
    expect(again).toMatchObject({ code: 1, stdout: '' });
    expect(again.stderr).toMatch(
      /^Cannot create the skill "mine" in "~\/\.agents\/skills\/mine": it already exists; .*\n$/,
    );
    expect(readdirSync(folder)).toEqual([]);
  });

  test('says that a part of the path is a file, and leaves nothing behind (U11)', async () => {
    writeFileSync(join(project, 'file'), '');
    const made = await make('a', { values: { root: 'file' }, given: { roots: ['file'] } });
    expect(made).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('is a file, not a folder') });
  });

  test('warns of another skill with the name (U11)', async () => {
    await make('a');
    const { code, stderr } = await make('a', { values: { scope: 'project' } });
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: 'Warning: another skill named "a" is in ~/.agents/skills/a; only one of the two is served\n',
    });
  });

  test.each([
    ['Release Notes', 'release-notes'],
    ['release_notes', 'release-notes'],
    ['Überblick!', 'uberblick'],
    ['../up', 'up'],
    ['技能', 'release-notes'],
    ['', 'release-notes'],
    [`${'a'.repeat(63)}-b`, 'a'.repeat(63)],
  ])('refuses the name %j and suggests another (U11)', async (name, suggested) => {
    const made = await make(name);
    expect(made).toMatchObject({ code: 2, stdout: '' });
    expect(made.stderr.trimEnd().endsWith(`for example ${suggested}`)).toBe(true);
    expect(existsSync(join(home, '.agents'))).toBe(false);
  });

  test.each([
    [{ values: { config: 'x.mjs' } }, 'Option --config needs --typed'],
    [{ flags: ['typed'], values: { root: 'x' } }, 'Option --typed cannot be combined with --root or --scope'],
    [{ flags: ['typed'], values: { config: 'x.json' } }, 'ends in .mjs, .js or .ts'],
  ] as const)('refuses %j (U11)', async (asked, sentence) => {
    expect(await make('a', asked)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(sentence) });
  });
});

describe('new --typed', () => {
  test.each(['greet_person', 'class', 'a_1'])(
    'makes the typed skill %s, which runs and passes check (U11)',
    async (name) => {
      expect(await make(name, { flags: ['typed'] })).toMatchObject({ code: 0, stderr: '' });
      const config = join(project, 'repertoire.config.mjs');
      const given = { config, noLog: true };
      const checked = await call(check, { given, flags: ['json'] });
      expect(JSON.parse(checked.stdout)).toEqual({ skills_checked: 1, problems: [], findings: [] });
      const ran = await call(invoke, { given, operands: [name], values: { input: '{"name": "Ada"}' } });
      expect(ran).toMatchObject({ code: 0, stdout: '{"greeting":"Hello, Ada!"}\n' });
    },
  );

  test('leaves a file that is there as it is (U11)', async () => {
    const config = join(project, 'my.config.ts');
    writeFileSync(config, 'mine');
    const made = await make('greet', { flags: ['typed'], values: { config: 'my.config.ts' } });
    expect(made).toMatchObject({ code: 1, stderr: expect.stringContaining('"my.config.ts": it already exists') });
    expect(readFileSync(config, 'utf8')).toBe('mine');
  });

  test.each([
    ['Greet Person', 'greet_person'],
    ['greet-person', 'greet_person'],
    ['2fast', 'fast'],
    ['技能', 'count_stock'],
  ])('refuses the name %j and suggests another (U11)', async (name, suggested) => {
    const made = await make(name, { flags: ['typed'] });
    expect(made).toMatchObject({ code: 2, stderr: expect.stringContaining(`for example ${suggested}\n`) });
  });
});

test('what is suggested is a name that is taken (U11)', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (given) => {
      expect(isValidName(suggestName(given) ?? 'release-notes')).toBe(true);
      expect(suggestTypedName(given) ?? 'count_stock').toMatch(/^[a-z][a-z0-9_]{0,63}$/);
    }),
  );
});
