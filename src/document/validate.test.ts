// Each Agent Skills rule and each host's limit, at its edge.
import { describe, expect, test } from 'vitest';
import type { SkillDocument } from './skill-document.ts';
import { adviseDocument, type SkillFacts, validateDocument } from './validate.ts';

const documentOf = (fields: Record<string, unknown> = {}): SkillDocument => {
  const frontmatter = { name: 'my-skill', description: 'Does it', ...fields };
  return {
    name: String(frontmatter.name).trim(),
    description: frontmatter.description.trim(),
    frontmatter,
    repaired: false,
    bodyOffset: 0,
  };
};
const rulesOf = (fields: Record<string, unknown>, folder = String(fields.name ?? 'my-skill')): string[] =>
  validateDocument(documentOf(fields), folder).map(({ rule }) => rule);

describe('validateDocument()', () => {
  test.each([
    {},
    { name: 'a' },
    { name: '0-a-1' },
    { name: 'a'.repeat(64) },
    { description: '🎉'.repeat(1024) },
    {
      compatibility: 'x'.repeat(500),
      license: 'MIT',
      'allowed-tools': 'Read Grep',
      metadata: { version: '1' },
      other: [1],
    },
  ])('accepts %j', (fields) => {
    expect(rulesOf(fields)).toEqual([]);
  });

  test.each<[string, Record<string, unknown>]>([
    ['name-length', { name: 'a'.repeat(65) }],
    ['name-characters', { name: 'My-skill' }],
    ['name-characters', { name: 'my skill' }],
    ['name-characters', { name: 'my_skill' }],
    ['name-characters', { name: 'prüfen' }],
    ['name-hyphens', { name: '-a' }],
    ['name-hyphens', { name: 'a-' }],
    ['name-hyphens', { name: 'a--b' }],
    ['description-too-long', { description: 'x'.repeat(1025) }],
    ['description-too-long', { description: `${'x'.repeat(1024)}\n` }],
    ['compatibility-invalid', { compatibility: 'x'.repeat(501) }],
    ['compatibility-invalid', { compatibility: '' }],
    ['compatibility-invalid', { compatibility: null }],
    ['metadata-invalid', { metadata: 'x' }],
    ['frontmatter-not-unicode', { description: 'half \ud83d a smile' }],
    ['frontmatter-not-unicode', { metadata: { mood: '\udc00' } }],
    ['metadata-invalid', { metadata: ['x'] }],
    ['metadata-invalid', { metadata: null }],
    ['metadata-invalid', { metadata: { version: 1.0 } }],
    ['metadata-invalid', { metadata: { author: 'x', tags: [] } }],
    ['metadata-invalid', { metadata: { none: null } }],
    ['field-name-reserved', { ['__proto__']: 'x' }],
    ['field-name-reserved', { a: [{ b: { ['__proto__']: 1 } }] }],
    ['allowed-tools-invalid', { 'allowed-tools': ['Read'] }],
    ['license-invalid', { license: 1 }],
  ])('reports %s alone for %j', (rule, fields) => {
    expect(rulesOf(fields)).toEqual([rule]);
  });

  test('wants the name of the folder, letter case included', () => {
    expect(rulesOf({ name: 'my-skill' }, 'My-Skill')).toEqual(['name-folder-mismatch']);
    expect(rulesOf({ name: 'my-skill' }, 'other')).toEqual(['name-folder-mismatch']);
  });

  test('sees blanks around a name, which other hosts do not trim', () => {
    expect(rulesOf({ name: ' my-skill ' }, 'my-skill')).toEqual(['name-characters']);
  });

  test('gives warnings with what is the case and how to fix it, on one line', () => {
    const [issue] = validateDocument(documentOf({ name: 'a' }), 'b\n\x1b[31mc');
    expect(issue).toEqual({
      rule: 'name-folder-mismatch',
      severity: 'warning',
      message: 'Cannot serve "a" to every host: the name is not that of its folder "b c"',
      fix: 'Rename the folder to "a"',
    });
  });
});

const KIB = 1024;
const small: SkillFacts = { skillBytes: 100, files: [{ path: 'SKILL.md', size: 100 }] };
const adviceOf = (fields: Record<string, unknown>, facts = small): string[] =>
  adviseDocument(documentOf(fields), facts).map(({ rule, severity }) => `${severity} ${rule}`);

describe('adviseDocument()', () => {
  test.each([
    {},
    { license: 'MIT', compatibility: 'x', 'allowed-tools': 'Read', metadata: { version: '1.0' } },
    { description: 'Use it when a < b or b > a, with -> arrows, <3 and x <= y' },
  ])('has nothing to say about %j', (fields) => {
    expect(adviceOf(fields)).toEqual([]);
  });

  test.each<[string, Record<string, unknown>]>([
    ['unknown-field', { version: '1.0', author: 'x' }],
    ['xml-tags', { description: 'Wraps it in <result> tags' }],
    ['xml-tags', { description: 'Ends with </result>' }],
    ['xml-tags', { name: '<b>x</b>' }],
  ])('gives %s for %j', (rule, fields) => {
    expect(adviceOf(fields)).toEqual([`advice ${rule}`]);
  });

  test('names the fields and the host', () => {
    const [issue] = adviseDocument(documentOf({ version: '1', author: 'x' }), small);
    expect(issue?.message).toBe(
      'Cannot use "my-skill" with the reference validator skills-ref: it does not know "version", "author"',
    );
  });

  const many = (count: number, size: number) =>
    Array.from({ length: count }, (_, index) => ({ path: `f${index}`, size }));
  test.each<[string, SkillFacts, SkillFacts]>([
    ['chatgpt-files', { skillBytes: 1, files: many(100, 1) }, { skillBytes: 1, files: many(101, 1) }],
    ['chatgpt-skill-md-size', { ...small, skillBytes: 256 * KIB }, { ...small, skillBytes: 256 * KIB + 1 }],
    ['chatgpt-file-size', { ...small, files: many(1, 1024 * KIB) }, { ...small, files: many(1, 1024 * KIB + 1) }],
    [
      'chatgpt-skill-size',
      { ...small, files: many(5, 1024 * KIB) },
      { ...small, files: [...many(5, 1024 * KIB), { path: 'x', size: 1 }] },
    ],
  ])("knows ChatGPT's limit %s to the unit", (rule, at, beyond) => {
    expect(adviceOf({}, at)).toEqual([]);
    expect(adviceOf({}, beyond)).toEqual([`advice ${rule}`]);
  });
});
