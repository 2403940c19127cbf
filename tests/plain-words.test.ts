// The help of every command and the pages that new users read say things in plain product English (U14).
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { commandsFor } from '../src/surfaces/cli/commands.ts';
import { renderHelp } from '../src/surfaces/cli/help.ts';
import { createPaint } from '../src/surfaces/cli/terminal/colours.ts';

/** Words that read as translated. What a contract quotes is not on these pages. */
const ODD =
  /\b(mends?|whoever|nobody|somebody|otherwise|takes? back|taken back|stands? (?:in|below|beside|under)|lies? (?:in|beside)|all the same|goes with|go together|as good as|is (?:said|warned of)|are (?:said|believed)|is believed|of yours)\b/i;

const oddLines = (text: string): readonly string[] => text.split('\n').filter((line) => ODD.test(line));

const commands = await commandsFor({ command: 'help', flags: new Set() });

test.each([undefined, ...commands.keys()])('the help of %s has no odd words (U14)', (topic) => {
  const layout = { paint: createPaint(false), columns: 1_000 };
  expect(oddLines(renderHelp({ topic, commands, program: 'repertoire' }, layout))).toEqual([]);
});

test.each(['README.md', ...['getting-started', 'connect', 'cli', 'troubleshooting'].map((name) => `docs/${name}.md`)])(
  '%s has no odd words (U14)',
  (page) => {
    expect(oddLines(readFileSync(page, 'utf8'))).toEqual([]);
  },
);
