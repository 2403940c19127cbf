// Words that a shell reads back as they were given.
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { toShellLine } from './shell-line.ts';

test('toShellLine() quotes what a shell would take apart', () => {
  expect(toShellLine(['node', '/a b/c.js', "it's", '$x'])).toBe(`node '/a b/c.js' 'it'\\''s' '$x'`);
});

test.skipIf(process.platform === 'win32')('a shell reads back the words that toShellLine() was given', () => {
  const words = ['', ' ', "'", '";', '$(x)', '`x`', 'a\nb', '*', '~', '#', '\\', "http://a';echo b;'/mcp"];
  const printed = execFileSync('sh', ['-c', `printf '%s\\0' ${toShellLine(words)}`], { encoding: 'utf8' });
  expect(printed.split('\0').slice(0, -1)).toEqual(words);
});
