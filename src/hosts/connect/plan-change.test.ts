// One entry put into a configuration or taken out of it, in every format: all else stays as it was, byte for byte (C).
import { describe, expect, test } from 'vitest';
import fc from '../../../tests/support/property.ts';
import type { Result } from '../../values/result.ts';
import type { FormatName } from './config-format.ts';
import { openConfig } from './open-config.ts';
import { type PlannedChange, type PresentConfig, planPut, planRemoval } from './plan-change.ts';

const keys = ['servers', 'repertoire'];
const entry = { command: 'node', args: ['mcp'] };

const planned = (
  format: FormatName,
  text: string | undefined,
  plan: (config: PresentConfig) => Result<PlannedChange, string>,
) => {
  const open = openConfig(text ?? '', format);
  return open.ok ? plan({ format, keys, text, open: open.value }) : open;
};
const planPutIn = (format: FormatName, text: string | undefined) =>
  planned(format, text, (config) => planPut(config, () => entry));
const planRemovalIn = (format: FormatName, text: string, backup?: string) =>
  planned(format, text, (config) => planRemoval(config, backup));
const textOf = (plan: Result<PlannedChange, string>) => (plan.ok ? plan.value.text : plan.failure);
const put = (format: FormatName, text: string | undefined) => textOf(planPutIn(format, text));
const remove = (format: FormatName, text: string, backup?: string) => textOf(planRemovalIn(format, text, backup));

describe('planPut', () => {
  const inline = '"repertoire": { "command": "node", "args": ["mcp"] }';
  const block = '"repertoire": {\n      "command": "node",\n      "args": [\n        "mcp"\n      ]\n    }';

  test.each([
    ['{ "servers": {} }', `{ "servers": {${inline}} }`],
    ['{ "servers": { "a": 1 } }', `{ "servers": { "a": 1, ${inline} } }`],
    ['{"servers":{"a":1}}', '{"servers":{"a":1,"repertoire":{"command":"node","args":["mcp"]}}}'],
    ['{\n  "servers": {\n    "a": 1 // last\n  }\n}', `{\n  "servers": {\n    "a": 1, // last\n    ${block}\n  }\n}`],
    ['{\n  "servers": {\n    "a": 1,\n  }\n}', `{\n  "servers": {\n    "a": 1,\n    ${block},\n  }\n}`],
    ['{\n  "servers": {}\n}', `{\n  "servers": {\n    ${block}\n  }\n}`],
    ['{\n  "x": 1\n}', `{\n  "x": 1,\n  "servers": {\n    ${block}\n  }\n}`],
  ])('JSON: %j', (before, after) => {
    expect(put('json', before)).toBe(after);
  });

  const table = '[servers.repertoire]\ncommand = "node"\nargs = ["mcp"]\n';

  test.each([
    ['a = 1 # c\n', `a = 1 # c\n\n${table}`],
    ['a = 1', `a = 1\n\n${table}`],
    ['[servers.repertoire]\ncommand = "old"\n# next\n[b]\n', `${table}# next\n[b]\n`],
    ['[servers]\nrepertoire = { command = "old" }\nx = 1\n', `[servers]\nx = 1\n\n${table}`],
  ])('TOML: %j', (before, after) => {
    expect(put('toml', before)).toBe(after);
  });

  const lines = (indent: string) =>
    `${indent}repertoire:\n${indent}  command: node\n${indent}  args:\n${indent}    - mcp\n`;

  test.each([
    ['a: 1 # c\n', `a: 1 # c\nservers:\n${lines('  ')}`],
    ['servers: # mine\n    x: {}\n', `servers: # mine\n${lines('    ')}    x: {}\n`],
    ['servers: {} # none\nb: 1\n', `servers: # none\n${lines('  ')}b: 1\n`],
    ['servers:\nb: 1\n', `servers:\n${lines('  ')}b: 1\n`],
    ['servers: {a: 1}\n', 'servers: {"repertoire":{"command":"node","args":["mcp"]}, a: 1}\n'],
    ['servers:\n  repertoire:\n    command: old\n  # x\n  z: 1\n', `servers:\n${lines('  ')}  # x\n  z: 1\n`],
  ])('YAML: %j', (before, after) => {
    expect(put('yaml', before)).toBe(after);
  });

  // With each key compared to all others this takes many times as long.
  test('YAML: among tens of thousands of entries (A11)', () => {
    const others = Array.from({ length: 20_000 }, (_, index) => `  entry-${index}: {a: 1}\n`).join('');
    expect(put('yaml', `servers:\n${others}`)).toBe(`servers:\n${lines('  ')}${others}`);
  });

  test.each([
    ['json', '{"servers": {"repertoire": 1}}', '"servers.repertoire" is not an object'],
    ['toml', 'servers = 1', '"servers" is not a table'],
    ['toml', 'servers = { a = 1 }', 'its layout cannot be edited safely'],
    ['yaml', 'servers: [a]', '"servers" is not a map'],
    ['yaml', 'a: 1\n---\nb: 1\n', 'line 2: it contains several documents'],
    ['yaml', 'a: *b', 'it has aliases that cannot be resolved'],
    ['yaml', 'a: [1', 'line 1: it is not valid YAML'],
    ['yaml', 'a: 1\nb:\n  c: 1\n  "c": 2\n', 'line 4: a key appears twice'],
    ['yaml', 'a: {1: x, 1: y}', 'line 1: a key appears twice'],
    ['json', '{"servers": {"repertoire": {}}, "servers": 5}', '"servers" is not an object'],
  ] as const)('refuses in %s: %j (C)', (format, text, failure) => {
    expect(put(format, text)).toBe(failure);
  });

  test.each([
    ['json', '\ufeff{\r\n  "a": 1\r\n}\r\n'],
    ['json', '// a\r\n// b\r\n'],
    ['json', '// a\r\n// b'],
    ['json', '{\r\n  // a\r\n  "servers": {\r\n    "a": 1 // b\r\n  }\r\n}\r\n'],
    ['toml', '# a\r\n# b\r\n'],
    ['toml', '# a\r\nx = """\r\ny\r\n"""\r\n[servers.a]\r\nb = 1\r\n'],
    ['yaml', '# a\r\n# b\r\n'],
    ['yaml', '# a\r\nservers:\r\n  # b\r\n  a: 1\r\nx: |\r\n  y\r\n'],
  ] as const)('keeps the line ends and the byte order mark in %s: %j (C)', (format, before) => {
    const text = put(format, before) ?? '';
    expect(text).toContain('repertoire');
    expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    // Only a comma may have come to an old line.
    const lines = text.split('\r\n').map((line) => line.replace(/,(?= \/\/|$)/, ''));
    for (const line of before.split('\r\n')) expect(lines).toContain(line);
    expect(remove(format, text, before)).toBe(before);
  });

  test('begins a line of its own below a comment (C)', () => {
    expect(put('json', '// x')).toMatch(/^\/\/ x\n\{\n {2}"servers"/);
    expect(put('json', '')).toMatch(/^\{\n {2}"servers"/);
  });
});

describe('planRemoval', () => {
  test('takes the entry with its line, and the comma that came with it', () => {
    expect(remove('json', '{\n  "servers": {\n    "a": 1, // c\n    "repertoire": {}\n  }\n}')).toBe(
      '{\n  "servers": {\n    "a": 1 // c\n  }\n}',
    );
    expect(remove('json', '{"servers":{"repertoire":{},"a":1}}')).toBe('{"servers":{"a":1}}');
    expect(remove('toml', 'a = 1\n\n[servers.repertoire]\nb = 1\n[servers.repertoire.env]\nc = 1\n# d\n')).toBe(
      'a = 1\n# d\n',
    );
    expect(remove('yaml', 'servers:\n  repertoire:\n    a: 1 # x\nb: 1\n')).toBe('servers: {}\nb: 1\n');
  });

  test('takes nothing from a comment that ends where the entry begins', () => {
    expect(remove('json', '{"servers":{ // c\n"repertoire":{},"a":1}}')).toBe('{"servers":{ // c\n"a":1}}');
  });

  test('refuses a double entry as putting one in does (C)', () => {
    const text = '{"servers":{"repertoire":{"a":1},"repertoire":{}}}';
    expect(remove('json', text)).toBe('"servers.repertoire" appears twice; delete one of them');
    expect(put('json', text)).toBe(remove('json', text));
  });
});

// What people write between two words of JSON.
const gap = fc.constantFrom('', ' ', '\n', '\n  ', '\r\n\t', ' // c "x" {\n', '/* } */', '\n  // l\n  ');
const members = (value: fc.Arbitrary<string>, keys: readonly string[]): fc.Arbitrary<string> =>
  fc
    .tuple(fc.uniqueArray(fc.constantFrom(...keys)), fc.array(fc.tuple(gap, gap, value, gap), { minLength: 3 }), gap)
    .map(([used, parts, end]) => {
      const pairs = used.map((key, index) => {
        const [a, b, inner, c] = parts[index] ?? ['', '', '1', ''];
        return `${a}"${key}"${b}:${inner}${c}`;
      });
      return `{${pairs.join(',')}${end}}`;
    });
const scalar = fc.constantFrom('1', '"s // no"', 'null', '[1, 2 ,]', '{"deep": {"repertoire": 1}}');
const document = members(fc.oneof(scalar, members(scalar, ['a', 'b', 'c'])), ['servers', 'x', 'y']);

test('any file that takes the entry gives its bytes back (C)', () => {
  fc.assert(
    fc.property(document, (text) => {
      const plan = planPutIn('json', text);
      if (!plan.ok) return /"servers" is not an object/.test(plan.failure);
      const added = plan.value.text ?? '';
      const again = planPutIn('json', added);
      const bare = planRemovalIn('json', added);
      return again.ok && again.value.action === 'unchanged' && bare.ok && remove('json', added, text) === text;
    }),
    { numRuns: 500 },
  );
});
