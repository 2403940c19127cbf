// Tests of bytes → lines.
import { describe, expect, test } from 'vitest';
import fc from '../../../../tests/support/property.ts';
import { LineSplitter, MAX_LINE_BYTES } from './line-splitter.ts';

function splitAll(splitter: LineSplitter, chunks: readonly (Buffer | string)[]): (string | undefined)[] {
  const lines: string[] = [];
  const drain = () => {
    for (let line = splitter.next(); line !== undefined; line = splitter.next()) {
      lines.push(line.kind === 'text' ? line.text : `<${line.kind}>`);
    }
  };
  for (const chunk of chunks) {
    splitter.push(Buffer.from(chunk));
    drain();
  }
  splitter.end();
  drain();
  return lines;
}

describe('LineSplitter', () => {
  test('joins what comes in pieces and splits what comes together', () => {
    expect(splitAll(new LineSplitter(), ['on', 'e\ntwo\n\nth', 'ree', '\n'])).toEqual(['one', 'two', '', 'three']);
  });

  test('counts what is left at the end as the last line', () => {
    expect(splitAll(new LineSplitter(), ['one\ntw', 'o'])).toEqual(['one', 'two']);
    expect(splitAll(new LineSplitter(), ['one\n'])).toEqual(['one']);
  });

  test('gives lines only when asked, in order, while more chunks arrive', () => {
    const splitter = new LineSplitter();
    splitter.push(Buffer.from('1\n2\n3'));
    expect(splitter.next()).toEqual({ kind: 'text', text: '1' });
    splitter.push(Buffer.from('4\n'));
    splitter.push(Buffer.from('5\n'));
    expect(splitAll(splitter, [])).toEqual(['2', '34', '5']);
  });

  test('joins a character that was cut between two chunks', () => {
    const bytes = Buffer.from('é€😀\n');
    const single = [...bytes].map((byte) => Buffer.from([byte]));
    expect(splitAll(new LineSplitter(), single)).toEqual(['é€😀']);
  });

  test('refuses bytes that are not UTF-8 and goes on', () => {
    const chunks = [Buffer.from([0x7b, 0xff, 0x7d, 10]), 'next\n'];
    expect(splitAll(new LineSplitter(), chunks)).toEqual(['<not-utf8>', 'next']);
  });

  test.each([
    ['in one chunk', ['123456789\nnext\n']],
    ['over several chunks', ['12345', '6789', 'more', 'and more\nne', 'xt\n']],
    ['up to the end', ['next\n', '123456789', 'more']],
  ])('reports a line that is too long once: %s', (_where, chunks) => {
    const lines = splitAll(new LineSplitter(8), chunks);
    expect([...lines].sort()).toEqual(['<too-long>', 'next']);
  });

  test('takes a line of exactly the limit', () => {
    expect(splitAll(new LineSplitter(8), ['12345678\n', '1234', '5678\n'])).toEqual(['12345678', '12345678']);
  });

  test('reports a line that is too long before its end has come', () => {
    const splitter = new LineSplitter(8);
    splitter.push(Buffer.from('123456789'));
    expect(splitter.next()).toEqual({ kind: 'too-long' });
    expect(splitter.next()).toBeUndefined();
  });

  test('copies each byte of a long line a few times at most, in large chunks and in tiny ones', () => {
    const line = Buffer.alloc(MAX_LINE_BYTES, 0x61);
    const chunks: Buffer[] = [];
    for (let at = 0; at < line.length; at += 64 * 1024) chunks.push(line.subarray(at, at + 64 * 1024));
    // Copying all that came before with each of these would move 6 TB, which takes many minutes: beyond the limit of a test.
    const tiny = new Array<Buffer>(2_000_000).fill(Buffer.from('abc'));
    expect(splitAll(new LineSplitter(), [...chunks, '\n'])[0]?.length).toBe(MAX_LINE_BYTES);
    expect(splitAll(new LineSplitter(), [...tiny, '\n'])[0]?.length).toBe(6_000_000);
  });

  test('gives the same lines however the bytes are cut', () => {
    const cut = fc.array(fc.nat(6), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', 'é', '\n', '😀'), maxLength: 60 }), cut, (text, sizes) => {
        const bytes = Buffer.from(text);
        const chunks: Buffer[] = [];
        for (let at = 0, i = 0; at < bytes.length; i += 1) {
          const size = 1 + (sizes[i % sizes.length] ?? 0);
          chunks.push(bytes.subarray(at, at + size));
          at += size;
        }
        const expected = text.split('\n');
        if (expected.at(-1) === '') expected.pop();
        expect(splitAll(new LineSplitter(), chunks)).toEqual(expected);
      }),
    );
  });
});
