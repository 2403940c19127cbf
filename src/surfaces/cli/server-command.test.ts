// The words that start a server with the same options.
import { expect, test } from 'vitest';
import { createServerCommand } from './server-command.ts';

test('createServerCommand() repeats what was asked for', () => {
  const settings = {
    rootRequest: {
      project: '/p',
      home: '/h',
      given: ['a'],
      withDefaults: true,
      workingDirectory: '/w',
      agents: ['codex', 'cursor'],
      variables: {},
    },
    allowLinks: ['/l'],
    without: ['x'],
    visible: [],
    pinned: ['y', 'z'],
    showNative: true,
    configFile: undefined,
    dataDirectory: '/h/.repertoire',
    storePlace: { kind: 'sqlite' as const, dataDirectory: '/h/.repertoire' },
    isLogged: true,
    isRemembered: true,
    ai: undefined,
    builtin: undefined,
    logPolicy: 'best_effort' as const,
    keepMs: 1,
    agent: undefined,
    rescanMs: 1,
  };
  const options = '--without x --allow-links /l --agents codex,cursor --pin y --pin z --show-native';
  const given = { roots: ['/w/a'], project: '..', rescan: '9' };
  expect(createServerCommand(['repertoire'], settings, given)).toEqual(
    `repertoire mcp --root /w/a --default-roots --project /p ${options} --rescan 9`.split(' '),
  );
  const typed = { data: 'd', log: 'required', noLog: true, keep: '7d' };
  const withTyped = { ...settings, configFile: '/w/c.ts', dataDirectory: '/w/d', agent: 'ada' };
  expect(createServerCommand(['repertoire'], withTyped, { ...given, typed }).join(' ')).toMatch(
    / --rescan 9 --config \/w\/c\.ts --agent ada --data \/w\/d --log required --no-log --keep 7d$/,
  );
  const nothing = { roots: [], project: undefined, rescan: undefined };
  expect(createServerCommand(['repertoire'], settings, nothing)).toEqual(`repertoire mcp ${options}`.split(' '));
});
