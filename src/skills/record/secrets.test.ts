// Secrets are found in one pass: no text, however it is made, takes longer than its length (THREATS: regular expressions).
import { describe, expect, test } from 'vitest';
import { scrubShapes } from '../../text/credentials.ts';
import { ASSIGNED_PIECES, FRAME_PIECES, KNOWN_SECRETS, OPENINGS, WORST_PIECES } from '../fixtures/hostile-secrets.ts';
import { cleanText } from './clean-details.ts';
import { createKnownTexts, createSecrets } from './secrets.ts';

/**
 * So long that a shape that begins anew inside of what it has read, a square, takes many minutes: beyond the limit of a
 * test. Known secrets and places in the code would take less: how the time of all three grows is measured in
 * bench/measures/growth.ts.
 */
const LENGTH = 400_000;

const repeated = (piece: string, before: string, after: string) =>
  before + piece.repeat(Math.ceil(LENGTH / piece.length)) + after;

describe.each(Object.entries<readonly string[]>({ ...WORST_PIECES, assigned: ASSIGNED_PIECES }))(
  'the shape %s',
  (_shape, pieces) => {
    test.each(pieces)('reads a text of %j once', (piece) => {
      for (const opening of OPENINGS) {
        expect(scrubShapes(repeated(piece, opening, ' eyJ ://'))).toMatch(/( eyJ :\/\/|\[redacted\])$/);
      }
    });
  },
);

describe('known secrets', () => {
  test.each(KNOWN_SECRETS)('%s are found in a long text', (_what, known, piece) => {
    const secrets = createSecrets();
    secrets.add(known);
    const [first = ''] = known;
    expect(secrets.scrub(repeated(piece, '', ` ${first}`)).endsWith(' [redacted]')).toBe(true);
  });

  test.each([
    ['that overlap become one', ['abcdef', 'defghi'], '-abcdefghi-', '-*-'],
    ['that touch become one', ['abcd', 'efgh'], 'abcdefgh', '*'],
    ['within another go with it', ['abcdefgh', 'cdef'], '-abcdefgh-cdef-', '-*-*-'],
    ['at both ends are found', ['abcd'], 'abcd - abcd', '* - *'],
    ['beside what only begins like them', ['abcd'], 'abc abcabcd', 'abc abc*'],
    [
      'of which a long part is there',
      [`${'k'.repeat(20)}${'v'.repeat(40)}`],
      `x${'k'.repeat(20)}${'v'.repeat(30)}y`,
      'x*y',
    ],
    ['that are long and whole', [`${'0123456789'.repeat(9)}`], `x${'0123456789'.repeat(9)}y`, 'x*y'],
  ])('%s', (_what, texts, text, expected) => {
    const known = createKnownTexts();
    known.add(texts);
    expect(known.takeOut(text, '*')).toBe(expected);
  });
});

test('a long text that was read once is read again when there is another secret (X1)', () => {
  const secrets = createSecrets();
  const long = `${'words of no importance, '.repeat(1_000)}first-secret second-secret`;
  expect(secrets.scrub(long)).toBe(long);
  secrets.add(['first-secret']);
  expect(secrets.scrub(long)).toBe(long.replace('first-secret', '[redacted]'));
  secrets.addNamed(['second-secret']);
  for (let round = 0; round < 2; round++) expect(secrets.scrub(long)).toMatch(/ \[redacted\] \[redacted\]$/);
  secrets.add(Array.from({ length: 600 }, (_, index) => `secret-${index}`));
  expect(secrets.scrub(long)).toBe('[redacted]');
});

describe('a known secret in another spelling', () => {
  const value = 'p+a/s s"w&o\\rd=ü<1>\'#?';
  const address = new URL('https://example.com/a');
  address.searchParams.set('q', value);
  address.password = value;
  const query = new URL(`https://example.com/?${value.replace('#', '')}`).search.slice(1);
  test.each([
    ['URLSearchParams', new URLSearchParams({ q: value }).toString()],
    ['encodeURIComponent', encodeURIComponent(value)],
    ['lower-case codes', encodeURIComponent(value).replace(/%../g, (code) => code.toLowerCase())],
    ['the query of a URL', address.search],
    ['the password of a URL', address.href],
    ['JSON', JSON.stringify({ value })],
    ['JSON inside JSON', JSON.stringify({ body: JSON.stringify({ value }) })],
    ['base64', Buffer.from(value).toString('base64')],
    ['base64url', Buffer.from(value).toString('base64url')],
    ['base64 inside of something, at 1', Buffer.from(`u:${value}.`).toString('base64')],
    ['base64 inside of something, at 2', Buffer.from(`ur:${value}..`).toString('base64')],
    ['base64url inside of something', Buffer.from(`user:${value}`).toString('base64url')],
    ['hex', Buffer.from(value).toString('hex')],
    ['HEX', Buffer.from(value).toString('hex').toUpperCase()],
  ])('%s is found (A12)', (_how, text) => {
    const secrets = createSecrets();
    secrets.add([value]);
    expect(secrets.scrub(`before ${text} after`)).toMatch(/^before .*\[redacted\].* after$/);
    // Not one long piece of it is left.
    const left = secrets.scrub(`before ${text} after`).replaceAll('[redacted]', '\n');
    for (const piece of left.split('\n')) expect(text.includes(piece) && piece.length > 30).toBe(false);
  });

  test('what new URL makes of a path, a query and a fragment is found (A12)', () => {
    const parts = { path: 'a b"<c>{d}`e', query: 'a b"<c>\'d', fragment: 'a b"<c>`d' };
    const texts = {
      path: new URL(`https://example.com/${parts.path}`).href,
      query: new URL(`https://example.com/?${parts.query}`).href,
      fragment: new URL(`https://example.com/#${parts.fragment}`).href,
    };
    for (const part of ['path', 'query', 'fragment'] as const) {
      const secrets = createSecrets();
      secrets.add([parts[part]]);
      expect(secrets.scrub(texts[part])).toMatch(/^https:\/\/example\.com\/[?#]?\[redacted\]$/);
    }
    expect(query).toContain('%22');
  });

  test('every spelling of many secrets is found in a long text, and other texts stay (A12)', () => {
    const known = Array.from({ length: 480 }, (_, index) => `${'key/'.repeat(8)}${index}`);
    const secrets = createSecrets();
    secrets.add(known);
    const filler = 'words of no importance, '.repeat(40_000);
    for (const spell of [
      (text: string) => Buffer.from(text).toString('hex'),
      (text: string) => encodeURIComponent(text),
    ]) {
      expect(secrets.scrub(`${filler}${spell(known[479] ?? '')}`)).toBe(`${filler}[redacted]`);
    }
    expect(secrets.scrub(filler)).toBe(filler);
  });
});

describe('what stands where a word has begun', () => {
  const tail = 'A1b2C3d4E5f6G7h8';
  test.each([`token-eyJ${tail}.${tail}.${tail}`, `token_eyJ${tail}.${tail}.`, `eyJ-${tail}.${tail}.${tail}`])(
    'a web token is found: %s',
    (token) => {
      expect(scrubShapes(`before ${token} after`)).toBe('before [redacted] after');
    },
  );

  test('names that look like one are left alone', () => {
    const text = 'call keyJsonSchemaOf.propertiesOf.value, or monkeyJohnson12.somebody.else';
    expect(scrubShapes(text)).toBe(text);
  });
});

describe('a text for the log', () => {
  const clean = (text: string) => cleanText(text, createSecrets(), 2_000);

  test.each(FRAME_PIECES)('of a million of %j is cut', (piece) => {
    expect(clean(repeated(piece, '', ' at (/x')).length).toBeLessThanOrEqual(2_000);
  });

  test.each([
    ['Error: x\n    at run (file:///home/me/a b/x.ts:1:2)\n    at node:internal/x:3:4', 'Error: x'],
    ['x at /home/me/x.js:10:20, and then', 'x, and then'],
    ['x at Object.y (C:\\me\\x.js:1:2) at z (/a/b.js:3:4) done', 'x done'],
    ['meet at noon, at 10:30:15', 'meet at noon, at 10:30:15'],
    ['look at /etc/hosts', 'look at /etc/hosts'],
  ])('does not say where in the code it happened: %j', (text, expected) => {
    expect(clean(text)).toBe(expected);
  });
});
