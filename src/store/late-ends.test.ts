// Ends that are written late: one that the database refuses costs no other (F3).
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { StoreUnavailable } from '../skills/record/invocation-log.ts';
import type { Ended } from './invocation-writes.ts';
import { createLateEnds } from './late-ends.ts';
import { type Sql, sqliteDialect } from './sql.ts';
import { unfitValues } from './store-errors.ts';

const endOf = (invocationId: string): Ended => ({
  record: { skillName: 'echo', invokingAgent: 'TaskAgent' },
  result: {
    invocationId,
    finalStatus: 'completed',
    outputPayload: '{}',
    failureCode: null,
    failureMessage: null,
    failureDetails: null,
    durationMs: 1,
    createdAt: new Date(0),
  },
});

function open(refuse: (ids: readonly string[]) => Error | undefined) {
  const written: string[] = [];
  const database: Sql = {
    dialect: sqliteDialect,
    read: async () => [],
    async write(steps) {
      const first = steps().next();
      // The status that they get, the code they failed with, then the ids.
      const [, , ...ids] = first.done ? [] : first.value.values.map(String);
      const refusal = refuse(ids);
      if (refusal !== undefined) throw refusal;
      written.push(...ids);
      return undefined as never;
    },
  };
  return { late: createLateEnds(database), written };
}

test('one that does not fit is given up, the others are written (F3)', async () => {
  const [first, bad, last] = [randomUUID(), randomUUID(), randomUUID()];
  const { late, written } = open((ids) => (ids.includes(bad) ? unfitValues() : undefined));
  for (const id of [first, bad, last]) late.keep(endOf(id));
  await late.write();
  expect(written).toEqual([first, last]);
  expect([first, bad, last].map(late.has)).toEqual([false, false, false]);
});

test('when the store goes away in between, what is not written is kept (F1)', async () => {
  const [first, bad, last] = [randomUUID(), randomUUID(), randomUUID()];
  const { late, written } = open((ids) => {
    if (ids.includes(bad)) return unfitValues();
    return written.length > 0 ? new StoreUnavailable('away') : undefined;
  });
  for (const id of [first, bad, last]) late.keep(endOf(id));
  await late.write();
  expect(written).toEqual([first]);
  expect([first, bad, last].map(late.has)).toEqual([false, false, true]);
});

test('so many are kept as fit, and no more (F4)', async () => {
  const ids = Array.from({ length: 20_000 }, () => randomUUID());
  const { late, written } = open(() => undefined);
  for (const id of ids) late.keep(endOf(id));
  const kept = ids.filter(late.has);
  expect(kept.length).toBeGreaterThan(10_000);
  expect(kept.length).toBeLessThan(17_000);
  expect(kept).toEqual(ids.slice(0, kept.length));
  await late.write();
  expect(written).toEqual(kept);
});
