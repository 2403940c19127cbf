// Rows that come by pages and by events, and the bars of a trace. Without a browser.
import { describe, expect, test } from 'vitest';
import { parseAnswer } from '../../web/app/answer.ts';
import { type ActivityRow, addressOf, fits, MOST_ROWS, mergeRows } from '../../web/src/model/activity-rows.ts';
import { distinctByUri, documentRows, foundRows } from '../../web/src/model/skill-rows.ts';

const rowAt = (second: number, given: Partial<ActivityRow> = {}): ActivityRow => ({
  kind: 'run',
  id: `id-${second}`,
  skill: 'greet',
  status: 'completed',
  agent: 'local',
  path: undefined,
  correlationId: 'c',
  at: new Date(Date.UTC(2026, 0, 1) + second * 1_000).toISOString(),
  durationMs: 500,
  failureCode: undefined,
  ...given,
});

describe('mergeRows()', () => {
  test('keeps the newest 500, however many come', () => {
    let rows: readonly ActivityRow[] = [];
    for (let second = 0; second < 2 * MOST_ROWS; second++) rows = mergeRows(rows, [rowAt(second)]);
    expect(rows).toHaveLength(MOST_ROWS);
    expect(rows[0]?.id).toBe(`id-${2 * MOST_ROWS - 1}`);
  });

  test('keeps the order of reads that were noted in one moment (U7)', () => {
    const ids = ['9', '10', '11'];
    const rows = mergeRows(
      [],
      ids.map((id) => rowAt(0, { kind: 'read', id })),
    );
    expect(rows.map(({ id }) => id)).toEqual(['11', '10', '9']);
  });

  test('replaces a row by its newer form', () => {
    const rows = mergeRows([rowAt(2), rowAt(1, { status: 'running' })], [rowAt(1)]);
    expect(rows.map(({ id, status }) => [id, status])).toEqual([
      ['id-2', 'completed'],
      ['id-1', 'completed'],
    ]);
  });
});

test.each([
  [{}, true],
  [{ skill: 'greet', status: 'completed', agent: 'local', correlation_id: 'C' }, true],
  [{ kind: 'run' }, true],
  [{ kind: 'read' }, false],
  [{ skill: 'other' }, false],
  [{ status: 'failed' }, false],
  [{ since: '1h' }, true],
  [{ since: '1h', until: '2026-01-01T00:00:00Z' }, false],
])('fits() says of the filter %j: %s', (filter, expected) => {
  expect(fits(rowAt(0), filter)).toBe(expected);
});

test('addressOf() leads from a run to its page, from a read to the document, and from a file to that file (U7)', () => {
  const read = rowAt(0, { id: '7', kind: 'read', skill: 'sql review' });
  expect([rowAt(0), read, { ...read, kind: 'file' as const, path: 'a/b.md' }].map(addressOf)).toEqual([
    '/invocations/id-0',
    '/documents/sql%20review',
    '/documents/sql%20review?file=a%2Fb.md',
  ]);
});

test('distinctByUri() leaves each document once, where it came first', () => {
  const documentAt = (uri: string, name: string) => ({ uri, name }) as Parameters<typeof distinctByUri>[0][number];
  const documents = [
    documentAt('a', 'one'),
    documentAt('b', 'two'),
    documentAt('a', 'again'),
    documentAt('c', 'three'),
  ];
  expect(distinctByUri(documents).map(({ name }) => name)).toEqual(['one', 'two', 'three']);
});

test('foundRows() keeps the order of the search and says why each was found, whatever else is known of it', () => {
  const hit = { description: 'Does it.', score: 1 };
  const results = [
    { kind: 'document' as const, name: 'b', uri: 'skill://b/SKILL.md', why: 'name: b', ...hit },
    { kind: 'typed' as const, name: 't', why: 'description: does', ...hit },
    { kind: 'document' as const, name: 'a', uri: 'skill://a/SKILL.md', why: 'body: a', ...hit },
  ];
  const known = foundRows({ results: results.slice(2) }, []).map((row) => ({ ...row, source: '~/skills' }));
  const rows = foundRows({ results }, known);
  expect(rows.map(({ name, why, source }) => [name, why, source])).toEqual([
    ['b', 'name: b', ''],
    ['t', 'description: does', ''],
    ['a', 'body: a', '~/skills'],
  ]);
});

test('documentRows() shows a document without a name by its folder, and leads to it by its URI (M2)', () => {
  const shared = { description: 'd', source: 'home', availability: 'available', problems: 0 } as const;
  const uri = (folder: string) => `skill://${folder}/SKILL.md`;
  const rows = documentRows(
    [
      { ...shared, name: null, folder: 'notes', uri: uri('notes') },
      { ...shared, name: 'notes', uri: uri('x') },
      { ...shared, name: 'Notes', uri: uri('y') },
    ],
    new Map(),
  );
  expect(rows.map(({ name, isUnnamed, address }) => [name, isUnnamed, decodeURIComponent(address)])).toEqual([
    ['notes', true, `/documents/${uri('notes')}`],
    ['notes', false, '/documents/notes'],
    ['Notes', false, `/documents/${uri('y')}`],
  ]);
});

test('the viewer lists documents without a name, and opens them by their folder (M2)', () => {
  const structuredContent = {
    skills: [{ name: 'a', description: 'd', uri: 'skill://a/SKILL.md' }],
    by_folder: [{ skill_name: 'calculator', description: 'Calculator Skill' }],
    problems: [],
    next_cursor: null,
  };
  expect(parseAnswer({ content: [], structuredContent })).toMatchObject({
    kind: 'list',
    skills: [
      { name: 'a', address: { uri: 'skill://a/SKILL.md' } },
      { name: 'calculator', description: 'Calculator Skill', address: { skill_name: 'calculator' } },
    ],
  });
});
