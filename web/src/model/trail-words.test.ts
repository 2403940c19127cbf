// Entries of the trail as sentences, by days (L5, U8).
import { expect, test } from 'vitest';
import type { TrailEntry } from './shapes.ts';
import { dayHeading, trailDays, trailWords } from './trail-words.ts';

const NOW = new Date(2026, 10, 18, 12, 0, 0);

const entryOf = (given: Partial<TrailEntry>): TrailEntry => ({
  seq: 1,
  actor: 'local',
  time: NOW.toISOString(),
  action: 'agent.add',
  subject: 'build-bot',
  digest: null,
  details: null,
  hash: 'a'.repeat(64),
  ...given,
});

const sentence = (given: Partial<TrailEntry>): string => {
  const { who, did, subject, how } = trailWords(entryOf(given));
  return [who, did, subject, how].filter((part) => part !== undefined && part !== '').join(' ');
};

test.each<[Partial<TrailEntry>, string]>([
  [
    { details: { roles: ['Builder'], scopes: [], expires_at: null } },
    'The operator added agent build-bot with the role Builder',
  ],
  [
    { details: { roles: ['A', 'B', 'C'], scopes: ['log:read'], expires_at: new Date(2027, 2, 1, 12).toISOString() } },
    'The operator added agent build-bot with the roles A, B and C and the scope log:read, until 1 Mar 2027',
  ],
  [{ details: { roles: 'x', expires_at: 'never' } }, 'The operator added agent build-bot'],
  [{ actor: 'agent:chief', action: 'agent.revoke' }, 'Agent chief revoked agent build-bot'],
  [{ action: 'token.rotate', subject: 'operator' }, 'The operator rotated the operator token'],
  [
    { actor: 'user:ada@example.org', action: 'user.ungrant', subject: 'b@example.org' },
    'ada@example.org took rights from b@example.org',
  ],
  [
    { action: 'user.ungrant', subject: 'b@example.org', details: { roles: ['A', 'B'], scopes: ['log:read'] } },
    'The operator took rights from b@example.org (the roles A and B and the scope log:read)',
  ],
  [{ actor: 'other', action: 'skill.sing', subject: 'pdf' }, 'other skill.sing pdf'],
  [{ action: 'constructor' }, 'The operator constructor build-bot'],
])('%j is "%s" (L5)', (given, text) => {
  expect(sentence(given)).toBe(text);
});

test.each([
  [new Date(2026, 10, 18, 0, 0, 0), 'Today'],
  [new Date(2026, 10, 17, 23, 59, 59), 'Yesterday'],
  [new Date(2026, 10, 16, 23, 59, 59), 'Monday 16 November'],
  [new Date(2025, 11, 31), '31 December 2025'],
])('%s has the heading "%s" (U8)', (moment, heading) => {
  expect(dayHeading(moment, NOW)).toBe(heading);
});

test('entries are put together by days, in their order (L5)', () => {
  const at = (day: number, seq: number) => entryOf({ seq, time: new Date(2026, 10, day, 9).toISOString() });
  const days = trailDays([at(18, 4), at(18, 3), at(17, 2), at(18, 1)], NOW);
  expect(days.map(({ heading, entries }) => [heading, entries.map(({ seq }) => seq)])).toEqual([
    ['Today', [4, 3]],
    ['Yesterday', [2]],
    ['Today', [1]],
  ]);
});
