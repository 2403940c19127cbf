// Kept answers: made once per snapshot, bounded in number and size.
import { expect, test, vi } from 'vitest';
import type { Snapshot } from '../../../catalog/view/snapshot.ts';
import { json, notFound } from '../message/reply.ts';
import { createKeptReplies } from './kept-replies.ts';

const snapshotOf = (): Snapshot => ({}) as Snapshot;

test('an answer is made once while the snapshot stays, and anew for the next', () => {
  const repertoire = { snapshot: snapshotOf() };
  const keep = createKeptReplies(repertoire);
  const make = vi.fn(() => json({ a: 1 }));
  expect(keep('a', make)).toBe(keep('a', make));
  expect(make).toHaveBeenCalledTimes(1);
  repertoire.snapshot = snapshotOf();
  keep('a', make);
  expect(make).toHaveBeenCalledTimes(2);
});

test.each([
  ['a failure', () => notFound('x')],
  ['a large answer', () => json('x'.repeat(200_000))],
])('%s is not kept', (_what, made) => {
  const keep = createKeptReplies({ snapshot: snapshotOf() });
  const make = vi.fn(made);
  keep('a', make);
  keep('a', make);
  expect(make).toHaveBeenCalledTimes(2);
});

test('however many are asked for, few are kept', () => {
  const keep = createKeptReplies({ snapshot: snapshotOf() });
  const make = vi.fn(() => json({}));
  for (let index = 0; index < 33; index += 1) keep(String(index), make);
  keep('0', make);
  expect(make).toHaveBeenCalledTimes(34);
});
