// How long a database is left alone after a failure (F1).
import { expect, test } from 'vitest';
import { StoreUnavailable } from '../skills/record/invocation-log.ts';
import { createRetryGate } from './guarded-sql.ts';

const away = new StoreUnavailable('away');

test('closes for longer after each failure, up to a second, and opens by itself (F1)', () => {
  let now = 0;
  const gate = createRetryGate(
    () => now,
    () => 1,
  );
  const pauses = Array.from({ length: 7 }, () => {
    gate.failed(away);
    const started = now;
    while (gate.closedBy() !== undefined) now += 1;
    return now - started;
  });
  expect(pauses).toEqual([50, 100, 200, 400, 800, 1_000, 1_000]);
});

test('two that fail together do not come back together (F1)', () => {
  const pauseFor = (random: number) => {
    let now = 0;
    const gate = createRetryGate(
      () => now,
      () => random,
    );
    gate.failed(away);
    while (gate.closedBy() !== undefined) now += 1;
    return now;
  };
  expect(pauseFor(0)).toBe(25);
  expect(pauseFor(1)).toBe(50);
});

test('a success forgets all failures', () => {
  let now = 0;
  const gate = createRetryGate(
    () => now,
    () => 1,
  );
  for (let failures = 0; failures < 9; failures += 1) gate.failed(away);
  gate.succeeded();
  expect(gate.closedBy()).toBeUndefined();
  gate.failed(away);
  expect(gate.closedBy()).toBe(away);
  now = 51;
  expect(gate.closedBy()).toBeUndefined();
});
