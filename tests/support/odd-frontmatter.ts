// Frontmatter as people and programs write it, and as nobody should: the block of each, and what becomes of its skill.

/** `listed`: a host gets it whole. `unlisted`: the tools and skills/get serve it. `refused`: it is a problem alone. */
export interface OddFrontmatter {
  readonly name: string;
  /** Everything up to the body, the `---` lines included. */
  readonly head: string;
  readonly fate: 'listed' | 'unlisted' | 'refused';
  /** Of the problem, where it is not listed. */
  readonly rule?: string;
}

const fenced = (...lines: readonly string[]): string => `---\n${lines.join('\n')}\n---\n`;

const listed = (name: string, ...lines: readonly string[]): OddFrontmatter => ({
  name,
  head: fenced(`name: ${name}`, ...lines),
  fate: 'listed',
});

const kept = (
  fate: 'unlisted' | 'refused',
  rule: string,
  name: string,
  ...lines: readonly string[]
): OddFrontmatter => ({
  name,
  head: fenced(`name: ${name}`, ...lines),
  fate,
  rule,
});

const accepted: readonly OddFrontmatter[] = [
  listed('yaml-folded', 'description: >-', '  Folds two', '  lines into one,', '', '  and keeps a break.'),
  listed(
    'yaml-literal',
    'description: |+',
    '  First line',
    '    indented',
    '',
    '  last line',
    '',
    '',
    'license: |-',
    '  MIT',
  ),
  listed(
    'yaml-anchors',
    'description: &d Has anchors.',
    'metadata:',
    '  owner: &who Team A',
    '  reviewer: *who',
    '  text: *d',
  ),
  listed('yaml-quoted', 'description: "Spans', '  several \\', '  lines,', '', '  with \\"quotes\\""'),
  listed('yaml-single', "description: 'It''s quoted: # no comment'"),
  listed('yaml-flow', 'description: Has flow maps.', 'metadata: { version: "1.0", "odd key": \'x: y\', plain: word }'),
  { name: 'yaml-flow-top', head: fenced('{ name: yaml-flow-top, description: "All in braces" }'), fate: 'listed' },
  listed('yaml-comments', '# a comment', 'description: Has comments. # and one here', '   # indented', 'license: MIT'),
  listed('yaml-escapes', 'description: "caf\\u00e9 \\x41 \\U0001F389 tab\\tend \\_ \\N"'),
  listed(
    'yaml-empty-values',
    'description: Has empty values.',
    'other:',
    'list: []',
    'map: {}',
    'tilde: ~',
    'text: ""',
  ),
  listed(
    'yaml-scalars',
    'description: Has scalars.',
    'numbers: [1, -2.50, 0x1F, 0o17, 1e3, 12345678901234567890, 007]',
    'truths: [true, False, yes, off, null, ~]',
    'date: 2024-01-31',
    'time: 12:30:45',
  ),
  listed(
    'yaml-nested',
    'description: Nests.',
    'a:',
    '  - b:',
    '      - c: { d: [ { e: "f" } ] }',
    '    g: |',
    '      h',
  ),
  listed('yaml-merge', 'description: Has merge keys.', 'base: &base { a: "1" }', 'derived:', '  <<: *base', '  b: "2"'),
  listed('yaml-unicode', 'description: Schöne Grüße 🎉 日本語', 'metadata:', '  "ключ": значение', '  émoji: 👩‍👩‍👧'),
  listed('yaml-long', `description: ${'é'.repeat(1_024)}`),
  listed('yaml-blanks', 'description:    Blanks around it.   ', '', '', 'license:\tMIT'),
  listed(
    'yaml-keys',
    'description: Has odd keys.',
    '"quoted key": 1',
    "'': empty",
    '? asked',
    ': answered',
    'constructor: x',
  ),
  {
    name: 'yaml-crlf',
    head: '---\r\nname: yaml-crlf\r\ndescription: >\r\n  Windows\r\n  lines\r\n---\r\n',
    fate: 'listed',
  },
  { name: 'yaml-bom', head: `\ufeff${fenced('name: yaml-bom', 'description: Starts with a mark.')}`, fate: 'listed' },
  {
    name: 'yaml-fences',
    head: '---  \nname: yaml-fences\ndescription: Blanks after fences.\n--- \t\n',
    fate: 'listed',
  },
];

const rejected: readonly OddFrontmatter[] = [
  kept('unlisted', 'description-too-long', 'too-long', `description: ${'x'.repeat(1_025)}`),
  kept('unlisted', 'metadata-invalid', 'metadata-number', 'description: Counts.', 'metadata:', '  version: 1.0'),
  kept('unlisted', 'metadata-invalid', 'metadata-truth', 'description: Is true.', 'metadata: { draft: false }'),
  kept('unlisted', 'metadata-invalid', 'metadata-null', 'description: Is null.', 'metadata:', '  author:'),
  kept('unlisted', 'metadata-invalid', 'metadata-list', 'description: Lists.', 'metadata:', '  tags: [a, b]'),
  kept('unlisted', 'field-name-reserved', 'metadata-proto', 'description: Poisons.', 'metadata:', '  __proto__: "x"'),
  kept('unlisted', 'field-name-reserved', 'proto-key', 'description: Poisons.', '__proto__: { polluted: "yes" }'),
  kept('unlisted', 'field-name-reserved', 'proto-deep', 'description: Poisons.', 'a: [{ b: { __proto__: 1 } }]'),
  kept('unlisted', 'unquoted-colon', 'repaired', 'description: Use it: always'),
  kept('unlisted', 'license-invalid', 'license-list', 'description: Is free.', 'license: [MIT]'),
  kept('refused', 'frontmatter-invalid', 'twice', 'description: One.', 'description: Two.'),
  kept('refused', 'frontmatter-invalid', 'tagged', 'description: !!js/function "function () {}"'),
  kept('refused', 'frontmatter-invalid', 'bomb', 'description: Grows.', 'a: &a [x, x]', ...bombLines()),
  kept('refused', 'description-missing', 'undescribed', 'license: MIT'),
];

export const oddFrontmatters: readonly OddFrontmatter[] = [...accepted, ...rejected];

function bombLines(): readonly string[] {
  const letters = 'abcdefgh'.split('');
  return letters.slice(1).map((letter, index) => `${letter}: &${letter} [${`*${letters[index]}, `.repeat(20)}x]`);
}
