// How a server was started, as its pages tell it: the options that other commands need to find the same things.
import { expect, test } from 'vitest';
import { createCommandWorld } from './fixtures/command-world.ts';
import { createLaunch } from './launch.ts';

test('each kind of command gets the options that lead to what this server has, and no others (U6)', () => {
  const { context } = createCommandWorld({
    flags: ['default-roots', 'show-native'],
    values: { root: '/s', config: '/w/c.ts', data: '/d', pin: 'x', port: '8000' },
    given: {
      roots: ['/s'],
      defaultRoots: true,
      config: '/w/c.ts',
      data: '/d',
      pinned: ['x'],
      showNative: true,
      port: 8000,
    },
  });
  const { options, server, program } = createLaunch(context);
  expect(program).toEqual(['repertoire']);
  expect(options).toEqual({
    store: ['--data', '/d'],
    catalog: ['--root', '/s', '--default-roots'],
    typed: ['--config', '/w/c.ts', '--data', '/d'],
    sources: ['--project', context.settings.rootRequest.project, '--data', '/d'],
  });
  expect(server.join(' ')).toBe(
    'repertoire mcp --root /s --default-roots --pin x --show-native --config /w/c.ts --data /d',
  );
});

test('nothing but the project of the lock is added to what was started without options, and no database address is shown (U6)', () => {
  const plain = createCommandWorld().context;
  const sources = ['--project', plain.settings.rootRequest.project];
  expect(createLaunch(plain).options).toEqual({ store: [], catalog: [], typed: [], sources });
  const url = 'postgres://me:secret@db/x';
  const { context } = createCommandWorld({ values: { 'database-url': url }, given: { databaseUrl: url } });
  const { options, server } = createLaunch(context);
  expect(options.store).toEqual(['--database-url', 'URL']);
  expect(JSON.stringify([options, server])).not.toContain('secret');
});

test('files of hosts are shown below the home folder, wherever the server was started (U1)', () => {
  const { context } = createCommandWorld();
  const { home } = context.environment;
  expect(createLaunch(context).showPath(`${home}/.claude.json`)).toBe('~/.claude.json');
});
