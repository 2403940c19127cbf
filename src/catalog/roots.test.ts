// Which directories are searched, in which order.
import { describe, expect, test } from 'vitest';
import { selectHosts } from '../hosts/select-hosts.ts';
import { openTestCatalog } from './fixtures/open-test-catalog.ts';
import { createSkillWorld, type SkillWorld } from './fixtures/skill-world.ts';
import { nativeFolders, type RootRequest, resolveRoots } from './roots.ts';

const request = (given: Partial<RootRequest>): RootRequest => ({
  project: '/nowhere/project',
  home: '/nowhere/home',
  given: [],
  withDefaults: false,
  workingDirectory: '/nowhere/work',
  agents: [],
  variables: {},
  ...given,
});
const paths = (given: Partial<RootRequest>): string[] => resolveRoots(request(given)).map(({ path }) => path);

describe('resolveRoots() without --root', () => {
  test('gives the six default roots in order of precedence, missing ones too (D1)', () => {
    expect(resolveRoots(request({})).map(({ label, path }) => `${label} = ${path}`)).toEqual([
      './.agents/skills = /nowhere/project/.agents/skills',
      './.agent/skills = /nowhere/project/.agent/skills',
      '~/.agents/skills = /nowhere/home/.agents/skills',
      '~/.agent/skills = /nowhere/home/.agent/skills',
      './.claude/skills = /nowhere/project/.claude/skills',
      '~/.claude/skills = /nowhere/home/.claude/skills',
    ]);
  });

  test('inside a repository each ./ entry also stands for the parents up to its top, nearest first (D1)', () => {
    const world = createSkillWorld();
    world.folder('outer/.git');
    world.folder('outer/repo/.git');
    const project = world.folder('outer/repo/packages/web');
    const found = paths({ project }).map((path) => path.replace(world.path, ''));
    expect(found.slice(0, 6)).toEqual([
      '/outer/repo/packages/web/.agents/skills',
      '/outer/repo/packages/.agents/skills',
      '/outer/repo/.agents/skills',
      '/outer/repo/packages/web/.agent/skills',
      '/outer/repo/packages/.agent/skills',
      '/outer/repo/.agent/skills',
    ]);
    expect(found).not.toContain('/outer/.agents/skills');
    expect(found).toHaveLength(3 * 3 + 3);
  });

  test('knows a work tree, whose .git is a file', () => {
    const world = createSkillWorld();
    world.write('repo/.git', 'gitdir: elsewhere\n');
    expect(paths({ project: world.folder('repo/a') })).toContain(world.at('repo/.agents/skills'));
  });

  test('trusts the roots of a project as far as the top of its repository, those of the user without end', () => {
    const world = createSkillWorld();
    world.folder('repo/.git');
    const roots = resolveRoots(request({ project: world.folder('repo/a') }));
    const boundaries = new Set(roots.filter(({ label }) => label.startsWith('./')).map(({ boundary }) => boundary));
    expect([...boundaries]).toEqual([world.at('repo')]);
    expect(roots.filter(({ label }) => label.startsWith('~/')).every(({ boundary }) => boundary === undefined)).toBe(
      true,
    );
    expect(resolveRoots(request({}))[0]?.boundary).toBe('/nowhere/project');
  });

  test('trusts the link of a root that is also one of the home directory', () => {
    const boundaries = resolveRoots(request({ project: '/nowhere/home' })).map(({ boundary }) => boundary);
    expect(boundaries).toEqual([undefined, undefined, undefined]);
  });

  test('names a root once when the project is the home directory', () => {
    expect(paths({ project: '/nowhere/home' })).toEqual([
      '/nowhere/home/.agents/skills',
      '/nowhere/home/.agent/skills',
      '/nowhere/home/.claude/skills',
    ]);
  });
});

describe('resolveRoots() with --root', () => {
  test('gives those alone, in their order, labelled as given (D1, D4)', () => {
    const roots = resolveRoots(request({ given: ['~/mine', 'here', '/abs/./x/', '~'] }));
    expect(roots).toEqual([
      { label: '~/mine', path: '/nowhere/home/mine', boundary: undefined, isGiven: true },
      { label: 'here', path: '/nowhere/work/here', boundary: undefined, isGiven: true },
      { label: '/abs/./x/', path: '/abs/x', boundary: undefined, isGiven: true },
      { label: '~', path: '/nowhere/home', boundary: undefined, isGiven: true },
    ]);
  });

  test('adds the defaults after them with --default-roots (D1)', () => {
    const found = paths({ given: ['/a', '/b'], withDefaults: true });
    expect(found.slice(0, 3)).toEqual(['/a', '/b', '/nowhere/project/.agents/skills']);
    expect(found).toHaveLength(8);
  });

  test('takes the first mention of a directory that is named twice', () => {
    expect(resolveRoots(request({ given: ['/a', 'x', '/a/', '/nowhere/work/x'] })).map(({ label }) => label)).toEqual([
      '/a',
      'x',
    ]);
    const both = resolveRoots(request({ given: ['/nowhere/home/.claude/skills'], withDefaults: true }));
    expect(both.filter(({ path }) => path === '/nowhere/home/.claude/skills').map(({ label }) => label)).toEqual([
      '/nowhere/home/.claude/skills',
    ]);
  });

  test('takes a name that merely starts with a tilde for a folder', () => {
    expect(paths({ given: ['~other/x'] })).toEqual(['/nowhere/work/~other/x']);
  });
});

describe('resolveRoots() with --agents', () => {
  const labels = (given: Partial<RootRequest>): string[] => resolveRoots(request(given)).map(({ label }) => label);
  const defaults = labels({});

  test('adds the folders of those agents after the defaults, in the order of the table (D1)', () => {
    expect(labels({ agents: ['cursor', 'codex'] })).toEqual([
      ...defaults,
      './.codex/skills',
      '~/.codex/skills',
      './.cursor/skills',
      '~/.cursor/skills',
    ]);
  });

  test('adds them after given roots, where the defaults are left out unless asked for (D1)', () => {
    const cursor = { given: ['/mine'], agents: ['cursor'] };
    expect(labels(cursor)).toEqual(['/mine', ...labels({ given: ['/none'], agents: ['cursor'] }).slice(1)]);
    expect(labels(cursor)).not.toContain('./.agent/skills');
    expect(labels({ ...cursor, withDefaults: true }).slice(0, 7)).toEqual(['/mine', ...defaults]);
  });

  test('all names every folder once', () => {
    const all = paths({ agents: ['all'] });
    expect(new Set(all).size).toBe(all.length);
    for (const label of ['./.github/skills', '~/.gemini/skills', '~/.config/opencode/skills', './.goose/skills'])
      expect(labels({ agents: ['all'] })).toContain(label);
  });

  test('adds nothing for a name that it does not know', () => {
    expect(labels({ agents: ['curser'] })).toEqual(defaults);
  });

  test('looks in the parents up to the top of the repository, and trusts links as far as that', () => {
    const world = createSkillWorld();
    world.folder('repo/.git');
    const project = world.folder('repo/a');
    const roots = resolveRoots(request({ project, given: ['/mine'], agents: ['junie'] }));
    expect(roots.slice(1)).toEqual([
      { label: './.junie/skills', path: world.at('repo/a/.junie/skills'), boundary: world.at('repo'), ofHost: true },
      { label: './.junie/skills', path: world.at('repo/.junie/skills'), boundary: world.at('repo'), ofHost: true },
      { label: '~/.junie/skills', path: '/nowhere/home/.junie/skills', boundary: undefined, ofHost: true },
    ]);
  });

  test('names a folder that a variable has moved by that variable', () => {
    const roots = resolveRoots(request({ agents: ['codex'], variables: { CODEX_HOME: '/elsewhere' } }));
    expect(roots.at(-1)).toEqual({
      label: '$CODEX_HOME/skills',
      path: '/elsewhere/skills',
      boundary: undefined,
      ofHost: true,
    });
  });
});

describe('nativeFolders()', () => {
  test('gives every place where the agent looks by itself (D10)', () => {
    const world = createSkillWorld();
    world.folder('repo/.git');
    const [claude] = selectHosts(['claude-code']);
    if (claude === undefined) throw new Error('no such agent');
    const places = { project: world.folder('repo/a'), home: '/home/me', variables: { CLAUDE_CONFIG_DIR: '/other' } };
    expect(nativeFolders(claude, places)).toEqual([
      world.at('repo/a/.claude/skills'),
      world.at('repo/.claude/skills'),
      '/other/skills',
    ]);
  });
});

describe('the folders of several agents on disk', () => {
  const open = async (world: SkillWorld) => {
    const roots = resolveRoots(request({ project: world.at('repo'), home: world.at('home'), agents: ['all'] }));
    const { current } = await openTestCatalog(roots);
    return {
      skills: current.skills.map(({ name, source }) => `${name} from ${source}`),
      problems: current.problems.map(({ rule, source, path }) => `${rule} ${source}/${path}`),
    };
  };
  const createRepository = (): SkillWorld => {
    const world = createSkillWorld();
    world.folder('repo/.git');
    return world;
  };

  test('serve each skill once where one folder is a link to another', async () => {
    const world = createRepository();
    world.skill('repo/.claude/skills/pdf');
    world.skill('repo/.claude/skills/charts');
    world.link('repo/.cursor/skills', '../.claude/skills');
    world.link('repo/.github/skills/pdf', '../../.claude/skills/pdf');
    expect(await open(world)).toEqual({
      skills: ['charts from ./.claude/skills', 'pdf from ./.claude/skills'],
      problems: [],
    });
  });

  test('serve a copy with the same text once, and say nothing (D5)', async () => {
    const world = createRepository();
    for (const folder of ['repo/.agents', 'repo/.cursor', 'repo/.github']) world.skill(`${folder}/skills/pdf`);
    for (const folder of ['home/.codex', 'home/.gemini']) world.skill(`${folder}/skills/charts`);
    expect(await open(world)).toEqual({
      skills: ['charts from ~/.codex/skills', 'pdf from ./.agents/skills'],
      problems: [],
    });
  });

  test('report a copy in the default folders as ever (D5)', async () => {
    const world = createRepository();
    for (const folder of ['repo/.agents', 'repo/.claude']) world.skill(`${folder}/skills/pdf`);
    expect(await open(world)).toEqual({
      skills: ['pdf from ./.agents/skills'],
      problems: ['shadowed ./.claude/skills/pdf/SKILL.md'],
    });
  });

  test('report one whose text differs, and a project’s text in the place of the user’s (D5)', async () => {
    const world = createRepository();
    world.skill('repo/.agents/skills/pdf');
    world.skill('repo/.cursor/skills/pdf', { body: '# Other steps\n' });
    world.skill('home/.codex/skills/pdf');
    expect(await open(world)).toEqual({
      skills: ['pdf from ./.agents/skills'],
      problems: ['shadowed ~/.codex/skills/pdf/SKILL.md', 'shadowed ./.cursor/skills/pdf/SKILL.md'],
    });
  });

  test('do not follow a project’s folder that is a link out of the repository', async () => {
    const world = createRepository();
    world.skill('elsewhere/secret');
    world.link('repo/.cursor/skills', world.at('elsewhere'));
    const { skills, problems } = await open(world);
    expect(skills).toEqual([]);
    expect(problems).toHaveLength(1);
  });
});
