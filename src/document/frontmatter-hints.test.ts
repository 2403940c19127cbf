// Broken frontmatter is told by what was probably meant.
import { describe, expect, test } from 'vitest';
import { parseSkillDocument } from './skill-document.ts';
import { readYamlFrontmatter } from './yaml-frontmatter.ts';

const issuesOf = (text: string) => parseSkillDocument(text, readYamlFrontmatter)?.issues ?? [];
const skill = (...lines: readonly string[]): string => `---\n${lines.join('\n')}\n---\n# Body\n`;

describe('a key that is misspelt', () => {
  test.each([
    ['descripton', 'description', skill('name: a', 'descripton: b')],
    ['Description', 'description', skill('name: a', 'Description: b')],
    ['nmae', 'name', skill('description: b', 'nmae: a')],
  ])('%s: asks whether %s was meant, with the line (D3)', (written, meant, text) => {
    expect(issuesOf(text)).toMatchObject([
      {
        rule: `${meant}-missing`,
        message: expect.stringContaining(`has no "${meant}", but line 3 has "${written}"`),
        fix: `Did you mean "${meant}"? Correct line 3`,
        line: 3,
      },
    ]);
  });

  test.each(['date', 'tags', 'lang'])('%s is another word than name', (key) => {
    expect(issuesOf(skill('description: b', `${key}: c`))[0]?.fix).toContain('Add a line');
  });
});

describe('a bracket that is not closed', () => {
  test.each([
    ['[', 'name', skill('name: [a', 'description: b'), 2],
    ['{', 'description', skill('name: a', 'description: {x'), 3],
    ['[', 'tools', skill('name: a', 'tools: [x,', '  y', 'description: b'), 3],
  ])('%s of %s is named (D3)', (bracket, key, text, line) => {
    expect(issuesOf(text)).toMatchObject([
      { message: `Cannot read the frontmatter: the bracket "${bracket}" in the value of "${key}" is not closed`, line },
    ]);
  });

  test('is not blamed for a fault that comes before it', () => {
    const [issue] = issuesOf(skill('name: a', '"x" y: c', 'license: b', 'description: [d'));
    expect(issue?.message).not.toContain('the bracket');
  });
});

describe('a key that is indented', () => {
  test.each([
    ['description', skill('name: a', ' description: b'), 3],
    ['description', skill('name: a', '  description: b: c', 'license: MIT'), 3],
    ['name', skill(' name: a', 'description: b'), 2],
  ])('%s: the line is named (D3)', (key, text, line) => {
    expect(issuesOf(text)).toMatchObject([
      { message: expect.stringContaining(`the line of "${key}" is indented`), fix: expect.stringContaining(key), line },
    ]);
  });

  test('below a bare key is where it belongs', () => {
    const [issue] = issuesOf(skill('name: a', 'metadata:', '  author: b', 'description: "c'));
    expect(issue?.message).toContain('a closing quote');
  });
});

describe('only the opening line missing', () => {
  test('says to put it there (D3)', () => {
    expect(issuesOf('name: a\ndescription: b\nmetadata:\n  x: y\n---\n# Body\n')).toMatchObject([
      {
        rule: 'frontmatter-missing',
        message: expect.stringContaining('only line 5 is'),
        fix: 'Put a line `---` above line 1',
      },
    ]);
  });

  test.each(['# Title\nname: a\nSome text\n---\n', 'name: a\ndescription: b\n', 'Some text\n---\nMore\n'])(
    'is not the case in %j',
    (text) => {
      expect(issuesOf(text)[0]?.fix).toContain('start the file with the lines');
    },
  );
});
