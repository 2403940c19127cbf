// The commands that pages show: as the program was started, with the options that lead to what this server has.
import { expect, test } from 'vitest';
import { commandLine } from './command-line.ts';

const commands = {
  program: 'node /opt/cli.js',
  store: '--data /d',
  catalog: '--root /s',
  typed: '',
  sources: '--project /p',
};

test.each([
  ['serve --root DIR', undefined, 'node /opt/cli.js serve --root DIR'],
  ['agent add NAME', 'store', 'node /opt/cli.js agent add NAME --data /d'],
  ['sync', 'sources', 'node /opt/cli.js sync --project /p'],
  ['check', 'catalog', 'node /opt/cli.js check --root /s'],
  ["invoke NAME --input '{}'", 'typed', "node /opt/cli.js invoke NAME --input '{}'"],
] as const)('commandLine() of %s, to reach the %s (U6)', (words, reach, line) => {
  expect(commandLine(commands, words, reach)).toBe(line);
});
