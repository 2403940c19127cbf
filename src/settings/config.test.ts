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
    ['PostgreSQL with a data directory, too', { data: '/d' }, { DATABASE_URL: 'u' }, { kind: 'postgres', url: 'u' }],
    ['a named database', { data: '/d', databaseUrl: 'u' }, { DATABASE_URL: 'v' }, { kind: 'postgres', url: 'u' }],
    [
      'the directory where the variable is empty',
      { data: '/d' },
      { DATABASE_URL: '' },
      { kind: 'sqlite', dataDirectory: '/d' },
    ],
  ])('keeps the log in %s (X7) (C) (M18)', (_, given, variables, place) => {
    expect(resolveSettings({ ...nothing, ...given }, { ...environment, variables }).storePlace).toEqual(place);
  });

  test('keeps what is local in the data directory, whatever the store (C) (M18)', () => {
    const variables = { DATABASE_URL: 'postgres://x' };
    expect(resolveSettings({ ...nothing, data: '/d' }, { ...environment, variables }).dataDirectory).toBe('/d');
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
