// The options as docs/cli.md tells them: which there are, and which commands take each.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { commands } from './commands.ts';
import { catalogOptions, commonOptions, type OptionName, optionNames, optionSpec } from './options.ts';

const page = readFileSync('docs/cli.md', 'utf8');
const section = page.slice(page.indexOf('\n## Options\n'), page.indexOf('\n## repertoire\n'));
const rows = section.split('\n').flatMap((line) => {
  const cells = line.split('|').slice(1, -1);
  return cells[0]?.includes('`-') ? [cells] : [];
});
const wordsIn = (cell = ''): readonly string[] => [...cell.matchAll(/`(?:--)?([a-z-]+)/g)].map(([, word = '']) => word);

test('docs/cli.md has every option in its table, once (C)', () => {
  const told = rows.flatMap(([options]) => wordsIn(options)).filter((word) => !/^-\w$/.test(word));
  expect([...told].sort()).toEqual([...optionNames].sort());
});

test('docs/cli.md names the commands that take each option (C)', () => {
  const some = rows.filter((cells) => cells.length === 3);
  for (const [options = '', takers = ''] of some) {
    const named = wordsIn(takers);
    const told = takers.includes('all but') ? [...commands.keys()].filter((name) => !named.includes(name)) : named;
    for (const option of wordsIn(options)) expect([...told].sort(), `--${option}`).toEqual(takersOf(option));
  }
});

test('docs/cli.md has what every command on document skills takes in a table of its own (C)', () => {
  const every = rows.filter((cells) => cells.length === 2).flatMap(([options]) => wordsIn(options));
  const wanted: readonly OptionName[] = [...catalogOptions, ...commonOptions];
  expect(every.filter((word) => !/^-\w$/.test(word)).sort()).toEqual([...wanted].sort());
  const [, without = ''] = /takes these \(([^)]*) do not\)/.exec(section) ?? [];
  const others = [...commands].filter(([, { options }]) => !options.includes('root')).map(([name]) => name);
  expect([...wordsIn(without)].sort()).toEqual(others.sort());
});

test('help says which words an option takes, or gives an example of many (U11)', () => {
  for (const name of optionNames) {
    const { text, choices = [] } = optionSpec(name);
    const said = choices.filter((choice) => new RegExp(`\\b${choice}\\b`).test(text));
    if (!text.includes('such as')) expect(said, `--${name}`).toEqual(choices);
  }
});

const takersOf = (option: string): readonly string[] =>
  [...commands].flatMap(([name, { options }]) => (options.some((each) => each === option) ? [name] : [])).sort();
