// Any text as a SKILL.md: a document or the reasons why not, never an exception.

import { describe, expect, test } from 'vitest';
import fc from '../../tests/support/property.ts';
import { firstWords, parseSkillDocument } from './skill-document.ts';
import { readYamlFrontmatter } from './yaml-frontmatter.ts';

const parse = (text: string) => {
  const parsed = parseSkillDocument(text, readYamlFrontmatter);
  if (parsed === undefined) throw new Error('with a YAML reader there is always an answer');
  return parsed;
};
const skill = (block: string): string => `---\n${block}\n---\n# Body\n`;
const rules = (text: string): string[] => parse(text).issues.map(({ rule, severity }) => `${severity} ${rule}`);

describe('parseSkillDocument()', () => {
  test('gives name, description, every other field and the place of the body (D3)', () => {
    const text = skill('name: " My Skill "\ndescription: Does it\nx-custom: [1, { a: b }]');
    const { document, issues } = parse(text);
    expect(issues).toEqual([]);
    expect(document).toEqual({
      name: 'My Skill',
      description: 'Does it',
      frontmatter: { name: ' My Skill ', description: 'Does it', 'x-custom': [1, { a: 'b' }] },
      repaired: false,
      bodyOffset: text.indexOf('# Body'),
    });
  });

  test('needs no YAML reader for a plain block, and asks for one where it is not plain', () => {
    expect(parseSkillDocument(skill('name: a\ndescription: b'), undefined)?.document?.name).toBe('a');
    expect(parseSkillDocument(skill('name: a\ndescription: >-\n  b'), undefined)).toBeUndefined();
    expect(parseSkillDocument('no frontmatter', undefined)?.issues).toHaveLength(1);
  });

  test.each([
    ['', ['error empty']],
    ['# Title', ['error frontmatter-missing']],
    ['---js\nname: a\n---\n', ['error frontmatter-missing']],
    ['---\nname: a\n', ['error frontmatter-unclosed']],
    [skill(''), ['error name-missing', 'error description-missing']],
    [skill('name: a'), ['error description-missing']],
    [skill('description: a'), ['error name-missing']],
    [skill('name:\ndescription: a'), ['error name-missing']],
    [skill('name: a\ndescription: "  "'), ['error description-missing']],
    [skill('Name: a\nDescription: b'), ['error name-missing', 'error description-missing']],
    [skill('name: [a]\ndescription: { b: c }'), ['error name-not-text', 'error description-not-text']],
    [skill('name: a/../b\ndescription: b'), ['error name-like-path']],
    [skill('name: "a\\u200Bb"\ndescription: b'), ['error name-hidden-character']],
    [skill('name: "a\\nb"\ndescription: b'), ['error name-hidden-character']],
    [skill('name: a\ndescription: !!js/function "x"'), ['error frontmatter-invalid']],
  ])('has no document and says why for %j (D3)', (text, expected) => {
    expect(parse(text).document).toBeUndefined();
    expect(rules(text)).toEqual(expected);
  });

  test('says how to fix a missing field, with an example line (D3)', () => {
    const [name, description] = parse(skill('license: MIT')).issues;
    expect(name?.fix).toContain('`name: my-skill`');
    expect(description?.fix).toContain('`description: ');
  });

  test.each([
    ['123', '123'],
    ['1.0 # first', '1.0'],
    ['0x1F', '0x1F'],
    ['true', 'true'],
  ])('takes the name %s as it is written, with a warning', (written, name) => {
    const text = skill(`description: a\nname: ${written}`);
    expect(parse(text).document?.name).toBe(name);
    expect(parse(text).issues).toMatchObject([{ rule: 'name-not-text', severity: 'warning', line: 3 }]);
  });

  test('repairs an unquoted colon, and says the line and what to write', () => {
    const { document, issues } = parse(skill('name: a\ndescription: Use when: the user asks'));
    expect(document).toMatchObject({ description: 'Use when: the user asks', repaired: true });
    expect(issues).toMatchObject([{ rule: 'unquoted-colon', severity: 'warning', line: 3 }]);
    expect(issues[0]?.fix).toContain('description: "Use when: the user asks"');
  });

  test('reports bad YAML with its line in the file, as one line of text', () => {
    const { issues } = parse('---\r\nname: a\r\ndescription: b\r\nx: "un\x1b[31mclosed\r\n---\r\n');
    expect(issues).toMatchObject([{ rule: 'frontmatter-invalid', severity: 'error', line: 4 }]);
  });

  test('gives the first error of the text as written when the repair does not help', () => {
    const { document, issues } = parse(skill('name: a\ndescription: b: c\nx: [d'));
    expect(document).toBeUndefined();
    expect(issues).toMatchObject([{ rule: 'frontmatter-invalid', line: 3 }]);
  });

  test('never throws for any text, and has a document exactly when no issue is an error', () => {
    fc.assert(fc.property(anyText, expectSound), { numRuns: 1000 });
  });

  test('never throws for any bytes', () => {
    const bytes = fc.uint8Array({ maxLength: 200 });
    fc.assert(
      fc.property(bytes, fc.boolean(), (body, fenced) => {
        const text = Buffer.from(body).toString('utf8');
        expectSound(fenced ? skill(text) : text);
      }),
    );
  });
});

const pieces = fc.constantFrom(
  '---\n',
  '---',
  '\n',
  '\r\n',
  'name: ',
  'description: ',
  'a',
  ' b',
  ': ',
  '#',
  '"',
  "'",
  '[',
  '{',
  '&x ',
  '*x',
  '|',
  '>',
  '!',
  '@',
  '`',
  '\t',
  '  ',
  '\uFEFF',
  '\0',
  '\u200B',
  '\uD800',
  '123',
  '..',
  '\\',
  '/',
  'metadata:\n',
);
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(pieces, { maxLength: 25 }).map((parts) => parts.join('')),
  fc
    .array(pieces, { maxLength: 12 })
    .map((parts) => skill(`name: a${parts.join('')}\ndescription: b${parts.reverse().join('')}`)),
);

function expectSound(text: string): void {
  const { document, issues } = parse(text);
  expect(document === undefined).toBe(issues.some(({ severity }) => severity === 'error'));
  for (const issue of issues) expect(issue.message + issue.fix).not.toMatch(/[\p{Cc}\p{Surrogate}\u200B]/u);
  if (document?.repaired) expect(issues.length).toBeGreaterThan(0);
  // Without the YAML reader the answer is the same or none.
  const alone = parseSkillDocument(text, undefined);
  if (alone !== undefined) expect(alone).toEqual({ document, issues });
}

describe('firstWords()', () => {
  test.each([
    ['# Calculator Skill\n\nAdds numbers.\n', 'Calculator Skill'],
    ['\uFEFF\r\n## Closed heading ##\r\ntext', 'Closed heading'],
    ['Adds numbers. And more.\n\n# Usage\n', 'Adds numbers.'],
    ['Adds numbers\nof any size! Try it', 'Adds numbers of any size!'],
    ['Calculator\n==========\n\nAdds.', 'Calculator'],
    ['计算两个数。然后返回。', '计算两个数。'],
    ['version 1.2 of it\n', 'version 1.2 of it'],
    ['<!-- a note\n# not this -->\n\n---\n\n# This\n', 'This'],
    ['```sh\n# a comment\n```\n\n> Quoted words.\n', 'Quoted words.'],
    ['- Adds *two* numbers\n- and more', 'Adds *two* numbers'],
    ['# [Calculator](https://example.com) ![badge](b.svg)', 'Calculator badge'],
    ['---\ndescription: Adds.\n---\n\n# Title\n', 'Title'],
    ['---\nname: open\nlist:\n  - a\n\n# Title\n', 'Title'],
    ['---\nname: open\n# Title\n', 'Title'],
    ['---\nname: nothing\n---\n', ''],
    ['```\nonly code\n', ''],
    [`# ${'long '.repeat(60)}`, `${'long '.repeat(60).slice(0, 199)}…`],
    ['# red\u001b[31m \u200Bhidden\u0007', 'red hidden'],
  ])('of %j are %j (T2)', (text, words) => {
    expect(firstWords(text)).toBe(words);
  });

  test('are one line of at most 200 characters, whatever the text (T2)', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 2_000 }), (text) => {
        const words = firstWords(text);
        expect([...words].length).toBeLessThanOrEqual(200);
        expect(words).not.toMatch(/[\n\r\0]/);
      }),
    );
  });

  test.each(['<!--', '[', '```\n', '![](', '---\n', '#', '. ', '<!-- -'])(
    'take no long time over %j again and again',
    (piece) => {
      expect(firstWords(piece.repeat(200_000)).length).toBeLessThanOrEqual(200);
    },
  );
});
