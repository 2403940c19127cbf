import { describe, expect, test } from 'vitest';
import { addressFault, cleanPath, isLoopback, lockedName, placeOf, withoutUser } from './source-address.ts';

const base = {
  project: '/work/app',
  workingDirectory: '/work/app/sub',
  home: '/home/me',
  realPathOf: (path: string) => path,
};

describe('placeOf()', () => {
  test.each([
    ['github:owner/repo', { kind: 'git', url: 'https://github.com/owner/repo.git', isLocal: false }],
    ['https://example.com/a/b.git', { kind: 'git', url: 'https://example.com/a/b.git' }],
    ['ssh://git@example.com:2222/a.git', { kind: 'git', url: 'ssh://git@example.com:2222/a.git' }],
    ['git@example.com:a/b.git', { kind: 'git', url: 'git@example.com:a/b.git' }],
    ['file:///srv/a%20b', { kind: 'git', url: '/srv/a b', isLocal: true, directory: '/srv/a b' }],
    ['file:///srv/a b', { kind: 'git', url: '/srv/a b', isLocal: true, directory: '/srv/a b' }],
    ['vendor/skills', { kind: 'git', url: '/work/app/vendor/skills', isLocal: true }],
    ['http://localhost:8080/x.git', { kind: 'git', url: 'http://localhost:8080/x.git' }],
    ['http://[::1]:8080', { kind: 'index', origin: 'http://[::1]:8080' }],
    ['https://example.com', { kind: 'index', origin: 'https://example.com' }],
  ])('knows %s (S1)', (source, place) => {
    expect(placeOf(source, base)).toMatchObject({ ok: true, value: place });
  });
});

test.each([
  'http://127.0.0.1\\@example.com/x.git',
  'http://localhost\\@example.com/x.git',
  'https:\\\\example.com/x.git',
  'https://example.com/a b/x.git',
])('%s, which git would read otherwise, is refused (S1, S5)', (source) => {
  expect(placeOf(source, base)).toEqual({ ok: false, failure: 'it has a backslash or a blank' });
});

test.each([
  ['ssh://%2doProxyCommand=x/a.git', 'write ssh://git@HOST/PATH'],
  ['ssh://%2dx@example.com/a.git', 'write ssh://git@HOST/PATH'],
  ['ssh://git@example.com/a%0ab.git', 'it has a control character'],
  ['ssh://git@example.com/%ff.git', 'its percent-encoding is not valid UTF-8'],
  ['file:///srv/%ff', 'its percent-encoding is not valid UTF-8'],
])('%s is looked at as git decodes it: %s (S5)', (source, failure) => {
  expect(placeOf(source, base)).toEqual({ ok: false, failure });
});

test.each([
  ['https:example.com/x.git', 'https://example.com/x.git'],
  ['HTTPS:/example.com/x.git', 'https://example.com/x.git'],
  ['http://0x7f.1:8080/x.git', 'http://127.0.0.1:8080/x.git'],
])('git is told %s as it was read: %s (S1)', (source, url) => {
  expect(placeOf(source, base)).toMatchObject({ ok: true, value: { kind: 'git', url } });
});

describe('lockedName()', () => {
  test.each([
    ['../vendor/skills', 'vendor/skills'],
    ['/work/app/vendor', 'vendor'],
    ['..', '.'],
    ['/elsewhere/x', '/elsewhere/x'],
    ['/work/app-other', '/work/app-other'],
    ['~/skills', '/home/me/skills'],
    ['https://example.com/', 'https://example.com'],
    ['github:owner/repo.git', 'github:owner/repo'],
    ['https://example.com/a.git', 'https://example.com/a.git'],
  ])('%s stands in the lock as %s (S2)', (typed, name) => {
    expect(lockedName(typed, base)).toBe(name);
  });

  test.each([
    ['/link/app', '/work/app/vendor', 'vendor'],
    ['/work/app', '/link/app/vendor', 'vendor'],
    ['/link/app', '/elsewhere/x', '/elsewhere/x'],
  ])('of the project %s, %s stands in the lock as %s, whichever way leads there (S2)', (project, typed, name) => {
    const realPathOf = (path: string) => path.replace('/link/', '/work/');
    expect(lockedName(typed, { ...base, project, realPathOf })).toBe(name);
  });
});

test.each([
  ['127.0.0.1', true],
  ['127.9.9.9', true],
  ['[::1]', true],
  ['localhost', true],
  ['128.0.0.1', false],
  ['127.0.0.1.example.com', false],
  ['[::2]', false],
])('isLoopback(%s) is %s (S1)', (host, isIt) => {
  expect(isLoopback(host)).toBe(isIt);
});

test.each([
  ['./a/b/', 'a/b'],
  ['.', '.'],
  ['a/../b', undefined],
  ['/a', undefined],
  ['a\\b', undefined],
])('cleanPath(%s) is %s (S1)', (path, clean) => {
  expect(cleanPath(path)).toBe(clean);
});

const SPELLINGS = [
  'https://user:SECRET@example.com/x.git',
  ' https://user:SECRET@example.com/x.git',
  'https://SECRET@example.com/x.git',
  'https://user:a/SECRET@example.com/x.git',
  'https://user:a@SECRET@example.com/x.git',
  'https:\\\\user:SECRET@example.com\\x.git',
  '//user:SECRET@example.com/x.git',
  'user:SECRET@example.com/x.git',
  'user:SECRET@example.com:x.git',
  "'https://user:SECRET@example.com/x.git'",
  'url=https://user:SECRET@example.com/x.git',
  'git::https://user:SECRET@example.com/x.git',
  'ssh://SECRET:x@example.com/x.git',
  'ssh://git:SECRET@example.com/x.git',
  'ssh://git@example.com:SECRET@other/x.git',
  'git@user:SECRET@example.com:x.git',
  'github:user:SECRET@owner/repo',
  'github:SECRET@owner/repo',
  'https://example.com/x.git?token=SECRET',
  'https://example.com/x.git#SECRET',
] as const;

test.each(SPELLINGS)('%s is refused, and what is said of it has no credential (S1)', (source) => {
  expect(addressFault(source)).toBeDefined();
  expect(withoutUser(source)).not.toContain('SECRET');
});

test.each([
  'ssh://git@example.com/x.git',
  'git@example.com:a/b.git',
  'node_modules/@scope/skills',
  './/@scope/skills',
  '~/C#/skills',
  'github:owner/repo',
])('%s is said as it was typed (S1)', (source) => {
  expect(withoutUser(source)).toBe(source);
  expect(addressFault(source)).toBeUndefined();
});
