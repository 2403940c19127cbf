import { describe, expect, test } from 'vitest';
import { type Lock, parseLock, renderLock, withoutSource, withSource } from './lock.ts';

const digest = (digit: string) => `sha256:${digit.repeat(64)}`;
const source = (name: string, changes: object = {}) => ({
  source: name,
  ref: null,
  commit: 'a'.repeat(40),
  paths: [],
  skills: [{ name: 'one', path: 'skills/one', digest: digest('1') }],
  ...changes,
});
const textOf = (...sources: readonly object[]) => JSON.stringify({ version: 1, sources });
const failureOf = (text: string) => {
  const parsed = parseLock(text);
  return parsed.ok ? undefined : parsed.failure;
};

describe('renderLock()', () => {
  test('gives the same bytes whatever the order was: sources, paths and skills by code points (S2)', () => {
    const skills = ['b', 'a/b', 'a', '\u{1f600}', '\uff21'].map((path) => ({ digest: digest('2'), path, name: 'x' }));
    const lock: Lock = {
      sources: [
        source('github:b/b'),
        source('github:a/a', { paths: ['z', 'a'], skills }),
      ] as unknown as Lock['sources'],
    };
    const turned: Lock = {
      sources: [...lock.sources].reverse().map((each) => ({ ...each, skills: [...each.skills].reverse() })),
    };
    expect(renderLock(turned)).toBe(renderLock(lock));
    const { sources } = JSON.parse(renderLock(lock));
    expect(sources.map((each: { source: string }) => each.source)).toEqual(['github:a/a', 'github:b/b']);
    expect(sources[0].paths).toEqual(['a', 'z']);
    expect(sources[0].skills.map(({ path }: { path: string }) => path)).toEqual([
      'a',
      'a/b',
      'b',
      '\uff21',
      '\u{1f600}',
    ]);
    expect(renderLock(lock)).toMatch(/^\{\n {2}"version": 1,\n {2}"sources": \[\n {4}\{\n {6}"source"/);
    expect(renderLock(lock).endsWith('}\n')).toBe(true);
  });

  test('is read back as it was written (S2)', () => {
    const lock = withSource(withSource({ sources: [] }, source('github:b/b')), source('github:a/a'));
    const parsed = parseLock(renderLock(lock));
    expect(parsed).toEqual({ ok: true, value: lock });
    expect(withoutSource(lock, 'github:a/a').sources).toMatchObject([{ source: 'github:b/b' }]);
  });
});

describe('parseLock()', () => {
  const skill = (changes: object) =>
    textOf(source('github:a/a', { skills: [{ name: 'one', path: 'one', digest: digest('1'), ...changes }] }));

  test.each([
    ['', /no JSON/],
    ['[]', /no object/],
    ['{"version":2,"sources":[]}', /version is 2/],
    ['{"version":1}', /^sources is no list/],
    ['{"version":1,"sources":[],"more":1}', /^more is no field/],
    [textOf(source('github:a/a'), source('github:a/a')), /^sources\[1\] is there twice/],
    [textOf(source('--upload-pack=x')), /^sources\[0\]\.source: it begins with "-"/],
    [textOf(source('https://u:p@example.com/x.git')), /credential/],
    [textOf(source('github:a/a', { ref: '-x' })), /^sources\[0\]\.ref/],
    [textOf(source('github:a/a', { commit: 'main' })), /^sources\[0\]\.commit/],
    [textOf(source('github:a/a', { paths: ['../x'] })), /^sources\[0\]\.paths\[0\]/],
    [textOf(source('github:a/a', { paths: ['-x'] })), /^sources\[0\]\.paths\[0\]/],
    [skill({ path: '../x' }), /^sources\[0\]\.skills\[0\]\.path/],
    [skill({ path: '/x' }), /^sources\[0\]\.skills\[0\]\.path/],
    [skill({ path: 'a//b' }), /^sources\[0\]\.skills\[0\]\.path/],
    [skill({ digest: digest('A') }), /^sources\[0\]\.skills\[0\]\.digest/],
    [skill({ name: '' }), /^sources\[0\]\.skills\[0\]\.name/],
    [skill({ extra: 1 }), /^sources\[0\]\.skills\[0\]\.extra is no field/],
  ])('refuses %j with the place (S2)', (text, failure) => {
    expect(failureOf(text)).toMatch(failure);
  });
});
