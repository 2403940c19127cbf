// THREATS "hidden characters, look-alike names, markup and ANSI": rule ansi-escape.
import { describe, expect, test } from 'vitest';
import { inspectText } from '../inspect.ts';

describe('ansi-escape reports raw control characters (THREATS: ANSI)', () => {
  test.each([
    ['a colour', 'this is \x1b[31mred\x1b[0m', 'high'],
    ['a concealed order', 'ok\x1b[8mrun it\x1b[28m', 'high'],
    ['a title change', '\x1b]0;title\x07', 'high'],
    ['the one-byte CSI of C1', 'a\x9B2K', 'high'],
    ['a backspace', 'safe\x08\x08\x08\x08evil', 'medium'],
    ['a NUL', 'a\0b', 'medium'],
    ['a delete', 'a\x7Fb', 'medium'],
    ['a page break of an old manual', 'one\n\ftwo', 'low'],
  ])('%s', (_, text, severity) => {
    expect(inspectText(text)[0]).toMatchObject({ rule: 'ansi-escape', severity });
  });

  test('inside a code block as well', () => {
    expect(inspectText('```\n\x1b[2J\n```\n')).toMatchObject([{ rule: 'ansi-escape', severity: 'high', line: 2 }]);
  });
});

describe('ansi-escape spares escapes that are written out', () => {
  test.each([
    ['in a code sample', '```js\nconsole.log("\\x1b[31mred\\x1b[0m")\n```'],
    ['in prose', 'Write `\\033[1m` or `\\e[1m`; `cat -v` shows ^[[1m.'],
    ['tabs, line feeds and carriage returns', 'a\tb\r\nc\rd\n'],
  ])('%s', (_, text) => {
    expect(inspectText(text)).toEqual([]);
  });
});
