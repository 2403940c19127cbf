// The help of every command, from the tables.
import { describe, expect, test } from 'vitest';
import { commandsFor } from './commands.ts';
import { renderHelp } from './help.ts';
import { catalogOptions, type OptionName, optionNames } from './options.ts';
import { createPaint } from './terminal/colours.ts';

const commands = await commandsFor({ command: 'help', flags: new Set() });
const helpOf = (topic: string | undefined, columns = 80, program = 'repertoire') =>
  renderHelp({ topic, commands, program }, { paint: createPaint(false), columns });
const widest = (text: string) => Math.max(...text.split('\n').map((line) => line.length));

/** As they stand at the beginning of their lines. */
const listedIn = (help: string) =>
  [...help.matchAll(/^ {2}(?:-\w, )?--([a-z-]+)/gm)].map(([, name]) => name as OptionName);

describe('renderHelp', () => {
  test('says of runs and schedules what holds for them (C, J2, J7)', () => {
    const text = (name: string) => helpOf(name, 200);
    expect(text('runs')).toMatch(/--limit N +At most N, from 1 to 1000\. Default: 20\./);
    expect(text('runs')).toMatch(/--message TEXT +With approve and reject: why\./);
    expect(text('schedules')).toMatch(/--builtin NAMES .*Default: all\./);
  });

  test.each([40, 60, 80])('names every command and fits %i columns (C, U11)', (columns) => {
    const help = helpOf(undefined, columns);
    for (const name of commands.keys()) expect(help).toMatch(new RegExp(`^  ${name}( |$)`, 'm'));
    expect(widest(help)).toBeLessThanOrEqual(columns);
  });

  test('has the commands in groups, each in one line of 100 columns (U11)', () => {
    const help = helpOf(undefined, 100);
    for (const name of commands.keys()) expect(help).toMatch(new RegExp(`^  ${name} +\\S.*\\n(?:  [a-z]|\\n)`, 'm'));
    expect(help.match(/^Skills$/m)).not.toBeNull();
  });

  test.each([...commands.keys()])(
    'explains %s with its own options, the own ones first, and an example (C, U11)',
    (name) => {
      const help = helpOf(name);
      const { options = [] } = commands.get(name) ?? {};
      const listed = listedIn(help);
      expect([...listed].sort()).toEqual([...options, 'help', 'version'].sort());
      const isShared = listed.map((option) => catalogOptions.includes(option));
      const isOwn = listed.map(
        (option) => ![...catalogOptions, 'data', 'database-url', 'help', 'version'].includes(option),
      );
      if (isOwn.includes(true) && isShared.includes(true))
        expect(isOwn.lastIndexOf(true)).toBeLessThan(isShared.indexOf(true));
      expect(help).toContain(`Example\n  repertoire ${name}`);
    },
  );

  test.each([...commands.keys()])('says of %s nothing that belongs to another command (U11)', (name) => {
    const help = helpOf(name);
    const taken = new Set<string>(listedIn(help));
    // The example may show more than one command's options only if the command takes them.
    for (const [, option] of help.matchAll(/--([a-z-]+)/g)) expect(taken).toContain(option);
    for (const other of commands.keys()) {
      // `agent add` is no other command.
      const isOwnAction = commands.get(name)?.operands[0]?.split('|').includes(other);
      if (other !== name && !isOwnAction)
        expect(help).not.toMatch(new RegExp(`\\b${other}(?: add)?: |\\bwith ${other}\\b`));
    }
  });

  test.each([...commands.keys()])('of %s fits 40 and 60 columns, but for what is to be copied (U11)', (name) => {
    for (const columns of [40, 60]) {
      const lines = helpOf(name, columns).split('\n');
      const prose = lines.filter(
        (line) => !line.startsWith('  repertoire ') && !/^ {2}(-\w, )?--\S+( \S+)?$/.test(line),
      );
      expect(widest(prose.join('\n'))).toBeLessThanOrEqual(columns);
    }
  });

  test('says how the program is called where it has no name, and only there (U11)', () => {
    expect(helpOf('log')).not.toContain('Here, repertoire is');
    expect(helpOf('log', 80, 'node /opt/dist/cli.js')).toMatch(
      /\n\nHere, repertoire is: `node \/opt\/dist\/cli\.js`\n$/,
    );
  });

  test('every option is explained by some command (U11)', () => {
    const explained = new Set([...commands.keys(), undefined].flatMap((name) => listedIn(helpOf(name))));
    expect(optionNames.filter((name) => !explained.has(name))).toEqual([]);
  });
});
