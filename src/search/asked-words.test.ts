// What of a request is prose, what is code, and when "Go" is the language.
import { describe, expect, test } from 'vitest';
import { type AskedKind, forEachAsked } from './asked-words.ts';

function wordsOf(query: string): Readonly<Record<AskedKind, readonly string[]>> {
  const words: Record<AskedKind, string[]> = { word: [], code: [], go: [] };
  forEachAsked(query, (word, kind) => void words[kind].push(word));
  return words;
}

describe('"Go" is the language (T13)', () => {
  test.each(['Write a Go function', 'a worker in Go.', 'Go', 'Go error handling', 'a Go-routine', 'Is it (Go)?'])(
    'in "%s"',
    (query) => expect(wordsOf(query).go).toEqual(query.includes('-') ? [] : ['Go']),
  );

  test.each([
    'go to the page',
    'Go to the page',
    'Done. Go ahead',
    'Go through my mail',
    'GO',
    'Google',
    'Let it Go on',
  ])('not in "%s"', (query) => expect(wordsOf(query).go).toEqual([]));
});

describe('code (T13)', () => {
  test('is what stands between fences', () => {
    const words = wordsOf('Make this fast:\n```go\nfunc Load() {}\n```\nwithout a cache.');
    expect(words.word.join(' ')).toBe('Make this fast without a cache');
    expect(words.code.join(' ')).toBe('go func Load');
  });

  test('ends with the request where it is not closed', () => {
    expect(wordsOf('Why?\n~~~\nlet x').code.join(' ')).toBe('let x');
  });

  test('has no Go: what is a type there is no language', () => {
    expect(wordsOf('```\nGo\n```')).toEqual({ word: [], code: ['Go'], go: [] });
  });

  test('is read once, however many fences are opened', () => {
    expect(wordsOf('```\n'.repeat(20_001)).word).toEqual([]);
  });
});
