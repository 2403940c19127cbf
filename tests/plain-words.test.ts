// The help of every command, the dashboard, what the program says, our example skills and every page of the documentation are in plain
// product English (U14).
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commandsFor } from '../src/surfaces/cli/commands.ts';
import { renderHelp } from '../src/surfaces/cli/help.ts';
import { createPaint } from '../src/surfaces/cli/terminal/colours.ts';

/** Words that read as translated. What a contract quotes is not on these pages. */
const ODD =
  /\b(mends?|whoever|nobody|somebody|otherwise|takes? back|taken back|stands? (?:in|below|beside|under)|lies? (?:in|beside)|all the same|goes with|go together|as good as|is (?:said|warned of)|are (?:said|believed)|is believed|of yours|token ends)\b/i;

const oddLines = (text: string): readonly string[] => text.split('\n').filter((line) => ODD.test(line));

const commands = await commandsFor({ command: 'help', flags: new Set() });

test.each([undefined, ...commands.keys()])('the help of %s has no odd words (U14)', (topic) => {
  const layout = { paint: createPaint(false), columns: 1_000 };
  expect(oddLines(renderHelp({ topic, commands, program: 'repertoire' }, layout))).toEqual([]);
});

const documents = readdirSync('docs').filter((name) => name.endsWith('.md'));

test.each(['README.md', 'CONTRIBUTING.md', 'SECURITY.md', ...documents.map((name) => `docs/${name}`)])(
  '%s has no odd words (U14)',
  (page) => {
    expect(oddLines(readFileSync(page, 'utf8'))).toEqual([]);
  },
);

const under = (folder: string, ending: RegExp): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => ending.test(path) && !path.includes('.test.'))
    .map((path) => join(folder, path));

test.each(under('examples/skills', /\.md$/))('%s has no odd words (U14)', (page) => {
  expect(oddLines(readFileSync(page, 'utf8'))).toEqual([]);
});

test('the dashboard has no odd words (U14)', () => {
  const pages = [...under('web/src', /\.tsx?$/), ...under('web/app', /\.tsx?$/)];
  expect(pages.length).toBeGreaterThan(100);
  expect(pages.flatMap((page) => oddLines(withoutComments(readFileSync(page, 'utf8'))))).toEqual([]);
});

/** What stands in quotation marks: messages, and names of ours that no one reads. */
const QUOTED = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g;

test('what the program says has no odd words (U14)', () => {
  const sources = under('src', /\.ts$/).filter((path) => !path.includes('fixtures'));
  expect(sources.length).toBeGreaterThan(300);
  const said = sources.flatMap((path) => withoutComments(readFileSync(path, 'utf8')).match(QUOTED) ?? []);
  expect(said.filter((text) => ODD.test(text))).toEqual([]);
});

const withoutComments = (code: string): string =>
  code.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(?:^|\s)\/\/.*$/gm, '');
