// What the menu offers, and in which order. Without a browser.
import { expect, test } from 'vitest';
import type { SearchResults } from '../model/shapes.ts';
import { destinationsFor } from './destinations.ts';

const found = (...names: readonly string[]): SearchResults => ({
  results: names.map((name) => ({ kind: 'document', name, uri: `skill://${name}/SKILL.md` })) as never,
});

const labels = (typed: string, results: SearchResults) => destinationsFor(typed, [], results).map(({ label }) => label);

test('what begins with the typed letters stands before what only has a word with them', () => {
  expect(labels(' Re', found('incident-report', 'release-notes', 'sql-review', 'request_routing'))).toEqual([
    'release-notes',
    'request_routing',
    'incident-report',
    'sql-review',
  ]);
});

test('eight skills are offered, and a request in words keeps the order of the search', () => {
  const names = Array.from({ length: 12 }, (_, at) => `skill-${at}`);
  expect(labels('clean a file', found(...names))).toEqual(names.slice(0, 8));
  expect(labels('b', found(...names, 'b-last'))[0]).toBe('b-last');
});
