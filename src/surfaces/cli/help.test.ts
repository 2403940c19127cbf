// The help of every command, from the tables.
import { describe, expect, test } from 'vitest';
import { commands } from './commands.ts';
import { renderHelp } from './help.ts';
import { createPaint } from './terminal/colours.ts';

const layout = { paint: createPaint(false), columns: 80 };

describe('renderHelp', () => {
  test.each([60, 80])('names every command and fits %i columns (C)', (columns) => {
    const help = renderHelp(undefined, commands, { ...layout, columns });
    for (const name of commands.keys()) expect(help).toMatch(new RegExp(`^  ${name} `, 'm'));
    expect(Math.max(...help.split('\n').map((line) => line.length))).toBeLessThanOrEqual(columns);
  });

  test.each([...commands.keys()])('explains %s with its options and an example (C)', (name) => {
    const help = renderHelp(name, commands, layout);
    for (const option of commands.get(name)?.options ?? []) expect(help).toContain(`--${option}`);
    expect(help).toContain(`Example\n  repertoire ${name}`);
  });
});
