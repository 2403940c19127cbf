import { describe, expect, test } from 'vitest';
import { NOTHING_GIVEN, resolveSettings, toAbsolute } from './config.ts';

const environment = { home: '/home/me', workingDirectory: '/work/here', variables: {} };
const nothing = NOTHING_GIVEN;

describe('resolveSettings', () => {
  test('uses the default roots of the working directory when nothing is given (D1)', () => {
    const { rootRequest, rescanMs } = resolveSettings(nothing, environment);
    expect(rootRequest).toEqual({
      project: '/work/here',
      home: '/home/me',
      given: [],
      withDefaults: false,
      workingDirectory: '/work/here',
      agents: [],
      variables: {},
    });
    expect(rescanMs).toBe(30_000);
  });

  test.each([
    ['the data directory', {}, {}, { kind: 'sqlite', dataDirectory: '/home/me/.repertoire' }],
    ['another one', { data: 'd' }, {}, { kind: 'sqlite', dataDirectory: '/work/here/d' }],
    ['PostgreSQL by the environment', {}, { DATABASE_URL: 'postgres://x' }, { kind: 'postgres', url: 'postgres://x' }],
    [
      'a named data directory before the environment',
      { data: '/d' },
      { DATABASE_URL: 'u' },
      { kind: 'sqlite', dataDirectory: '/d' },
    ],
    ['a named database before all', { data: '/d', databaseUrl: 'u' }, {}, { kind: 'postgres', url: 'u' }],
  ])('keeps the log in %s (X7)', (_, given, variables, place) => {
    expect(resolveSettings({ ...nothing, ...given }, { ...environment, variables }).storePlace).toEqual(place);
  });

  test('looks at everything again as often as asked for (D6)', () => {
    expect(resolveSettings({ ...nothing, rescanSeconds: 5 }, environment).rescanMs).toBe(5_000);
  });

  test('lets given roots replace the defaults (D1)', () => {
    const { rootRequest } = resolveSettings({ ...nothing, roots: ['skills'] }, environment);
    expect(rootRequest.given).toEqual(['skills']);
    expect(rootRequest.withDefaults).toBe(false);
  });

  test('adds the defaults to given roots when asked (D1)', () => {
    expect(
      resolveSettings({ ...nothing, roots: ['a'], defaultRoots: true }, environment).rootRequest.withDefaults,
    ).toBe(true);
  });

  test('makes the project and the allowed link targets absolute', () => {
    const settings = resolveSettings({ ...nothing, project: '../other', allowLinks: ['~/shared', 'x'] }, environment);
    expect(settings.rootRequest.project).toBe('/work/other');
    expect(settings.allowLinks).toEqual(['/home/me/shared', '/work/here/x']);
  });
});

describe('toAbsolute', () => {
  test.each([
    ['~', '/home/me'],
    ['~/a', '/home/me/a'],
    ['~other', '/work/here/~other'],
    ['a/../b', '/work/here/b'],
    ['/x/../y/', '/y'],
  ])('reads %s as %s', (path, expected) => {
    expect(toAbsolute(path, environment)).toBe(expected);
  });
});
