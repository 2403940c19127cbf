// Which directories are searched, in which order.
import { describe, expect, test } from 'vitest';
import { createSkillWorld } from './fixtures/skill-world.ts';
import { type RootRequest, resolveRoots } from './roots.ts';

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
      { label: '~/mine', path: '/nowhere/home/mine', boundary: undefined },
      { label: 'here', path: '/nowhere/work/here', boundary: undefined },
      { label: '/abs/./x/', path: '/abs/x', boundary: undefined },
      { label: '~', path: '/nowhere/home', boundary: undefined },
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
