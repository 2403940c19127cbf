// The words that start this program from anywhere, and their quoting.
import { describe, expect, test } from 'vitest';
import { findProgram } from './program-command.ts';

describe('findProgram', () => {
  const links: Readonly<Record<string, string>> = {
    '/usr/bin/repertoire': '/opt/repertoire/dist/cli.js',
    '/opt/repertoire/dist/cli.js': '/opt/repertoire/dist/cli.js',
    '/checkout/dist/cli.js': '/checkout/dist/cli.js',
  };
  const realPath = (path: string) => links[path];

  test('answers the bare name when the PATH leads to this very program', () => {
    expect(findProgram({ script: '/usr/bin/repertoire', path: '/bin:/usr/bin', realPath })).toEqual(['repertoire']);
  });

  test('answers Node and the script when another program has the name', () => {
    expect(findProgram({ script: '/checkout/dist/cli.js', path: '/usr/bin', realPath })).toEqual([
      'node',
      '/checkout/dist/cli.js',
    ]);
  });

  test('answers Node and the script when only npx put the name on the PATH: a host does not have it', () => {
    const script = '/app/node_modules/.bin/repertoire';
    const own = '/app/node_modules/repertoire/dist/cli.js';
    const linked = (path: string) => (path === script ? own : realPath(path));
    expect(findProgram({ script, path: '/app/node_modules/.bin:/bin', realPath: linked })).toEqual(['node', own]);
  });

  test('answers Node and the script when there is no PATH', () => {
    expect(findProgram({ script: '/checkout/dist/cli.js', path: undefined, realPath })[0]).toBe('node');
  });
});
