// Which lists may have changed since a session was opened that this replica did not know (N2).
import { expect, test } from 'vitest';
import { stopTime } from '../../../../tests/support/stopped-time.ts';
import { SeenChanges } from './seen-changes.ts';

test('lists that changed within the time, and none of those that changed before (N2)', async () => {
  const { pass } = stopTime();
  const seen = new SeenChanges();
  await pass(10_000);
  seen.note({ kind: 'tools' });
  await pass(1_000);
  seen.note({ kind: 'resource', uri: 'skill://a/SKILL.md' });
  await pass(1_000);
  expect(seen.within(500)).toEqual([]);
  expect(seen.within(1_500)).toEqual(['resources']);
  expect(seen.within(2_500)).toEqual(['tools', 'resources']);
});

test('what changed before the replica started, it cannot know: all may have (N2)', async () => {
  const { pass } = stopTime();
  const seen = new SeenChanges();
  await pass(1_000);
  expect(seen.within(900)).toEqual([]);
  expect(seen.within(1_100)).toEqual(['tools', 'prompts', 'resources']);
});
