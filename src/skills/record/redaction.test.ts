// Secrets go from payloads at any depth, through every form that a schema has, and from texts.
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { scrubShapes } from '../../text/credentials.ts';
import { createSchemaForm } from '../check/schema-form.ts';
import { secret } from '../define/secret.ts';
import { cleanDetails } from './clean-details.ts';
import { learnSecrets, redact as redactBy, secretsIn } from './redaction.ts';
import { createSecrets } from './secrets.ts';

function secrecyOf(schema: unknown) {
  const form = createSchemaForm(schema, 'input');
  if (!form.ok) throw new Error(form.failure);
  return form.value.secrecy;
}

const redact = (schema: unknown, value: unknown) => redactBy(value, secrecyOf(schema), createSecrets());

describe('redact', () => {
  const tree = z.object({
    key: secret(z.string()),
    get kids() {
      return z.array(tree).optional();
    },
  });

  test.each([
    ['a field', z.object({ v: secret(z.string()) }), { v: 's3cret' }, { v: '[redacted]' }],
    [
      'an optional field with more rules',
      z.object({ v: secret(z.string()).min(3).optional() }),
      { v: 's3cret' },
      { v: '[redacted]' },
    ],
    [
      'a field with a transform',
      z.object({ v: secret(z.string()).transform((s) => s.length) }),
      { v: 's3cret' },
      { v: '[redacted]' },
    ],
    ['a list', z.object({ v: z.array(secret(z.string())) }), { v: ['a1', 'b2'] }, { v: ['[redacted]', '[redacted]'] }],
    [
      'a whole object',
      z.object({ v: secret(z.object({ a: z.string() })) }),
      { v: { a: 's3cret' } },
      { v: '[redacted]' },
    ],
    ['a number', z.object({ v: secret(z.number()) }), { v: 1234 }, { v: '[redacted]' }],
    ['a truth value', z.object({ v: secret(z.boolean()) }), { v: true }, { v: '[redacted]' }],
    [
      'a record',
      z.object({ v: z.record(z.string(), secret(z.string())) }),
      { v: { a: 's3cret' } },
      { v: { a: '[redacted]' } },
    ],
    [
      'a tuple',
      z.object({ v: z.tuple([z.string(), secret(z.string())]) }),
      { v: ['a', 's3cret'] },
      { v: ['a', '[redacted]'] },
    ],
    [
      'a union',
      z.object({ v: z.union([z.object({ k: secret(z.string()) }), z.object({ n: z.number() })]) }),
      { v: { k: 's3cret' } },
      { v: { k: '[redacted]' } },
    ],
    [
      'an intersection',
      z.object({ v: z.object({ a: z.string() }).and(z.object({ b: secret(z.string()) })) }),
      { v: { a: 'x', b: 's3cret' } },
      { v: { a: 'x', b: '[redacted]' } },
    ],
    [
      'a recursive schema',
      z.object({ v: tree }),
      { v: { key: 'a', kids: [{ key: 'b' }] } },
      { v: { key: '[redacted]', kids: [{ key: '[redacted]' }] } },
    ],
    [
      'secret: true in JSON Schema',
      { type: 'object', properties: { v: { type: 'string', secret: true } } },
      { v: 's3cret' },
      { v: '[redacted]' },
    ],
    [
      'writeOnly',
      { type: 'object', properties: { v: { type: 'string', writeOnly: true } } },
      { v: 's3cret' },
      { v: '[redacted]' },
    ],
    [
      'format password',
      { type: 'object', properties: { v: { type: 'string', format: 'password' } } },
      { v: 's3cret' },
      { v: '[redacted]' },
    ],
    [
      'a reference',
      { type: 'object', properties: { v: { $ref: '#/$defs/p' } }, $defs: { p: { type: 'string', secret: true } } },
      { v: 's3cret' },
      { v: '[redacted]' },
    ],
    [
      'a pattern, in the fields that match it, also in those that have a rule of their own',
      {
        type: 'object',
        properties: { password: { type: 'string' }, user: { type: 'string' } },
        patternProperties: { word$: { secret: true } },
      },
      { password: 's3cret', keyword: 's3cret', user: 'ada' },
      { password: '[redacted]', keyword: '[redacted]', user: 'ada' },
    ],
  ])('hides %s', (_what, schema, value, expected) => {
    expect(redact(schema, value)).toEqual(expected);
  });

  test('hides it also where the value has the wrong type or fits no branch', () => {
    const schema = z.object({ v: z.union([secret(z.string()), z.number()]), w: secret(z.string()) });
    expect(redact(schema, { v: true, w: { a: ['s3cret'] } })).toEqual({ v: '[redacted]', w: '[redacted]' });
  });

  test('hides a text or a number that stands where a list or an object of secrets belongs', () => {
    const schema = z.object({
      list: z.array(secret(z.string())),
      map: z.record(z.string(), secret(z.string())).nullable(),
      whole: z.object({ pin: secret(z.number()) }),
      either: z.union([z.string(), z.array(secret(z.string()))]),
      tags: z.array(z.string()),
      any: z.unknown(),
      tree: z.object({ kids: z.array(tree) }),
    });
    const hidden = { list: 's3cret', map: 's3cret', whole: 1234, tree: 's3cret' };
    const shown = { either: 'open', tags: 'open', any: 'open' };
    const wrong = '[wrong type]';
    const redacted = { list: wrong, map: wrong, whole: wrong, tree: wrong };
    expect(redact(schema, { ...hidden, ...shown })).toEqual({ ...redacted, ...shown });
    // Nor does a message show it that the author wrote.
    expect(secretsIn({ ...hidden, ...shown }, secrecyOf(schema))).toEqual(['s3cret', 's3cret', '1234', 's3cret']);
  });

  test('hides fields that are called like secrets, at any depth, marked or not (X1, M12)', () => {
    const any = z.looseObject({});
    const value = {
      password: 'hunter2!',
      user: { apiKey: 'k-1', 'X-Auth-Token': 1234, nested: [{ Authorization: ['a1b2', 'c3'] }] },
      token_count: 5,
      max_tokens: 6,
      passwordless: 'yes',
      has_password: true,
      token: null,
      secret: '',
      secrets: 7,
      nextPageToken: 'A1b2C3d4E5f6G7h8',
      note: 'it is k-1 indeed',
    };
    const secrets = createSecrets();
    learnSecrets(value, secrecyOf(any), secrets);
    expect(redactBy(value, secrecyOf(any), secrets)).toEqual({
      ...value,
      password: '[redacted]',
      user: { apiKey: '[redacted]', 'X-Auth-Token': '[redacted]', nested: [{ Authorization: '[redacted]' }] },
    });
  });

  const log = (value: object) => {
    const secrets = createSecrets();
    learnSecrets(value, secrecyOf(z.looseObject({})), secrets);
    return redactBy(value, secrecyOf(z.looseObject({})), secrets);
  };

  test.each(['Sommer2026', 'hunter2!', 'Tr0ub4dor&3', 'correct-horse-battery', 'PassWort'])(
    'a password in an unmarked field is found in the other texts, too: %s (X1)',
    (password) => {
      expect(log({ data: { password }, note: `{"password":"${password}"} ${password}` })).toEqual({
        data: { password: '[redacted]' },
        note: expect.not.stringContaining(password),
      });
    },
  );

  test.each([
    'PGPASSWORD',
    'userpassword',
    'password_confirmation',
    'passwordConfirm',
    'pass',
    'githubtoken',
    'token_value',
    'creds',
    'cookies',
    'jwt',
  ])('%s is called like a secret (X1)', (name) => {
    expect(log({ a: [{ [name]: 'Zq7hunterXY' }] })).toEqual({ a: [{ [name]: '[redacted]' }] });
  });

  test.each([
    'nextPageToken',
    'pagetoken',
    'csrf_token',
    'token_count',
    'max_tokens',
    'passwordless',
    'bypass',
    'author',
  ])('%s is not (X1)', (name) => {
    expect(log({ [name]: 'Zq7hunterXY' })).toEqual({ [name]: 'Zq7hunterXY' });
  });

  test.each([
    ['a word', 'english'],
    ['a long word', 'internationalisation'],
    ['a sentence with a number', 'there are 3 of them in here'],
    ['a word with its number', 'chapter-12'],
    ['a number', '202611160000'],
  ])('%s in a field called like a secret stays in other texts (X1)', (_what, text) => {
    expect(log({ token: text, note: `in ${text}, not` })).toEqual({ token: '[redacted]', note: `in ${text}, not` });
  });

  test.each([
    ['', 'A1b2C3d4E5f6'],
    ['', '0f3a9c77d1e24b58'],
    ['', 'hunter2!hunter3?'],
    ['Token ', 'q7w8e9r0t1y2'],
  ])('what looks random in a field called like a secret is found in other texts: %s%s (X1)', (before, text) => {
    expect(log({ token: before + text, note: `it is ${text}, here` })).toEqual({
      token: '[redacted]',
      note: 'it is [redacted], here',
    });
  });

  test('however many fields are called like secrets, the rest is shown (X1)', () => {
    const items = Array.from({ length: 2_000 }, (_, index) => ({ token: `A1b2C3d4-${index}-x9Y8`, part: `p${index}` }));
    expect(log({ items, title: 'Parts' })).toEqual({
      items: items.map(({ part }) => ({ token: '[redacted]', part })),
      title: 'Parts',
    });
  });

  test('what is marked is looked for, also beside many fields that are only called like secrets (X1)', () => {
    const schema = z.looseObject({ pin: secret(z.string()) });
    const items = Array.from({ length: 600 }, (_, index) => ({ token: `A1b2C3d4-${index}-x9Y8` }));
    const value = { items, pin: 'abcd', note: 'not abcd' };
    const secrets = createSecrets();
    learnSecrets(value, secrecyOf(schema), secrets);
    expect(redactBy(value, secrecyOf(schema), secrets)).toMatchObject({ pin: '[redacted]', note: 'not [redacted]' });
  });

  test('hides fields of details that are called like secrets, at any depth (X1)', () => {
    const details = { nested: { password: 'hunter2!', token_count: 3 }, api_key: { id: 'x1' }, rows: [{ pwd: 'abc' }] };
    expect(cleanDetails(details, createSecrets())).toEqual({
      nested: { password: '[redacted]', token_count: 3 },
      api_key: '[redacted]',
      rows: [{ pwd: '[redacted]' }],
    });
  });

  test('hides the values of fields that the schema does not know', () => {
    expect(redact(z.object({ a: z.string() }), { a: 'x', pasword: 's3cret' })).toEqual({
      a: 'x',
      pasword: '[unknown field]',
    });
    expect(redact(z.looseObject({ a: z.string() }), { a: 'x', b: 1 })).toEqual({ a: 'x', b: 1 });
  });

  test('gives text that every database takes', () => {
    expect(redact(z.object({ a: z.string() }), { a: 'x\0y\ud800z' })).toEqual({ a: 'x\uFFFDy\uFFFDz' });
  });

  test('finds the copies of a secret in other fields, and leaves the original alone', () => {
    const schema = z.object({ token: secret(z.string()), note: z.string(), pin: secret(z.number()), n: z.number() });
    const value = { token: 's3cret/+', note: 'is s3cret/+ or s3cret%2F%2B', pin: 4711, n: 4711 };
    const secrecy = secrecyOf(schema);
    const secrets = createSecrets();
    secrets.add(secretsIn(value, secrecy));
    expect(redactBy(value, secrecy, secrets)).toEqual({
      token: '[redacted]',
      note: 'is [redacted] or [redacted]',
      pin: '[redacted]',
      n: '[redacted]',
    });
    expect(value.note).toContain('s3cret');
  });
});

describe('scrub', () => {
  test('takes the longer secret out first, and short ones not at all', () => {
    const secrets = createSecrets();
    secrets.add(['abcd', 'abcd-efgh', 'no']);
    expect(secrets.scrub('abcd-efgh, abcd, no')).toBe('[redacted], [redacted], no');
  });

  test('finds a secret as JSON and as base64', () => {
    const secrets = createSecrets();
    secrets.add(['pass"word']);
    expect(secrets.scrub(JSON.stringify({ v: 'pass"word' }))).toBe('{"v":"[redacted]"}');
    expect(secrets.scrub(`Authorization: ${Buffer.from('pass"word').toString('base64')}`)).not.toContain(
      'cGFzcyJ3b3Jk',
    );
  });

  test('drops whole texts when a call holds too many secrets to look for', () => {
    const secrets = createSecrets();
    secrets.add(Array.from({ length: 2_000 }, (_, index) => `secret-${index}`));
    expect(secrets.scrub('secret-1999')).toBe('[redacted]');
  });

  // Put together here, so that no scanner takes this file for a leak.
  const tail = 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8';
  test.each([
    ['a JSON Web Token', `eyJ${tail}.eyJ${tail}.${tail}`],
    ['a bearer token', `Bearer ${tail}`],
    ['an API key', `sk-${tail}`],
    ['a GitHub token', `ghp_${tail}`],
    ['an agent token', `rpa_${tail}`],
    ['a session', `rps_${tail}..${tail}.${tail}.${tail}`],
    ['an AWS key', `AKIA${'ABCDEFGH23456789'}`],
    ['a private key', `-----BEGIN RSA PRIVATE KEY-----\n${tail}\n-----END RSA PRIVATE KEY-----`],
    ['the password of an address', `postgres://user:${tail}@db/x`],
  ])('knows the shape of %s', (_kind, token) => {
    expect(scrubShapes(`before ${token} after`)).toContain('[redacted]');
    expect(scrubShapes(`before ${token} after`)).not.toContain(tail.slice(0, 8));
    expect(scrubShapes(`before ${token} after`)).toMatch(/^before .* after$/s);
  });

  test('leaves ordinary text alone', () => {
    const text = 'See https://example.org/a?b=c: the bearer of news, sk-learn, basic needs, ghp.';
    expect(scrubShapes(text)).toBe(text);
  });
});
