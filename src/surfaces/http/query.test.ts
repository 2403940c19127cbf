// Query strings: what is let through, and the sentences about what is not (H3).
import { expect, test } from 'vitest';
import { createQueryReader } from './query.ts';

const read = createQueryReader();

const wrong = (id: string, query: string): string => {
  const parsed = read(id, `/x?${query}`);
  if (parsed.ok) throw new Error(`let through: ${JSON.stringify(parsed.value)}`);
  return parsed.failure;
};

test('what is left out has its usual value', () => {
  expect(read('listDocuments', '/api/documents')).toEqual({ ok: true, value: { findings: false, limit: 100 } });
  expect(read('listDocuments', '/api/documents?')).toEqual({ ok: true, value: { findings: false, limit: 100 } });
  expect(read('search', '/api/search?q=pdf')).toEqual({ ok: true, value: { q: 'pdf', limit: 5 } });
  expect(read('listLoads', '/x')).toEqual({ ok: true, value: { limit: 50 } });
  expect(read('getStats', '/x')).toEqual({ ok: true, value: { window: '1h' } });
});

test.each(['0', '1001', '-1', '1.5', '1e2', '0x10', '', ' 5', 'ten', '99999999999'])('refuses limit=%s', (limit) => {
  expect(wrong('listDocuments', `limit=${encodeURIComponent(limit)}`)).toBe(
    'limit: must be a whole number from 1 to 1000',
  );
});

test.each([
  ['listDocuments', 1_000],
  ['search', 50],
  ['listInvocations', 1_000],
  ['listLoads', 1_000],
] as const)('%s takes a limit from 1 to %i', (id, most) => {
  for (const limit of [1, most])
    expect(read(id, `/x?q=a&limit=${limit}`.replace(/q=a&/, id === 'search' ? 'q=a&' : '')).ok).toBe(true);
  expect(wrong(id, `${id === 'search' ? 'q=a&' : ''}limit=${most + 1}`)).toContain(`from 1 to ${most}`);
});

test('tells of every violation at once, each with its parameter', () => {
  const text = wrong(
    'listInvocations',
    'limit=0&status=done&correlation_id=7&since=yesterday&colour=red&skill=a&skill=b',
  );
  for (const name of ['limit', 'status', 'correlation_id', 'since', 'colour', 'skill'])
    expect(text).toContain(`${name}: `);
  expect(text).toContain('colour: is not known here: known are skill, status, agent');
  expect(text).toContain('skill: is given more than once');
});

test('a route without parameters says so', () => {
  expect(wrong('listProblems', 'token=secret')).toBe('token: is not known here: nothing is');
});

test('names of parameters come back cut and plain', () => {
  const text = wrong('listProblems', `${encodeURIComponent(`a\n\u001b${'x'.repeat(500)}`)}=1`);
  expect(text.length).toBeLessThan(150);
  expect(text).not.toMatch(/\p{Cc}/u);
});

test.each(['__proto__=1', 'constructor=1', 'toString=1'])('%s is a parameter like any other unknown one', (query) => {
  expect(wrong('listDocuments', query)).toContain('is not known here');
});

test.each([
  '2026-01-31T12:00:00Z',
  '2026-01-31T12:00:00.123%2B02:00',
  '2026-01-31T12:00:00+02:00',
  '0000-02-29T00:00:00Z',
  '12h',
  '90m',
  '7d',
])('takes since=%s', (since) => {
  expect(read('listLoads', `/x?since=${since}`).ok).toBe(true);
});

test.each(['2026-01-31', '2026-01-31T12:00:00', '2026-02-31T12:00:00Z', '1w', '0h', '-1h', 'now', ''])(
  'refuses since=%s with both forms it takes',
  (since) => {
    expect(wrong('listLoads', `since=${since}`)).toMatch(/^since: must be a date-time with a zone .* or a duration/);
  },
);

test.each(['1', '1s', 'h', '1.5h', '999999d', '1h '])('refuses window=%s', (window) => {
  expect(wrong('getStats', `window=${encodeURIComponent(window)}`)).toBe(
    'window: must be a number from 1 to 99999 and m, h or d (90m, 12h, 7d)',
  );
});

test.each(['%00', '%1b', '%07a'])('refuses control characters in a filter: %s', (text) => {
  expect(wrong('listInvocations', `agent=${text}`)).toBe('agent: must not hold control characters');
});

test('search wants words', () => {
  expect(wrong('search', '')).toContain('q: is required');
  expect(wrong('search', 'q=%20')).toContain('q: must not be empty');
  // A whole request may be long.
  expect(read('search', `/x?q=${'x'.repeat(10_000)}`).ok).toBe(true);
  expect(wrong('listDocuments', `q=${'x'.repeat(2_001)}`)).toBe('q: must be a text of at most 2000 characters');
});
