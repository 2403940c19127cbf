// By what processes of one machine know each other (X2).
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { isGone, machineOf, readProcessOwner } from './process-owner.ts';

test('two looks from one machine see the same machine (X2)', () => {
  const [first, second] = [readProcessOwner(randomUUID()), readProcessOwner(randomUUID())];
  expect(first.machine).toBeDefined();
  expect(second.machine).toBe(first.machine);
  expect(isGone(first)).toBe(false);
});

test('without /proc a machine is its name and the minute of its boot, which a corrected clock leaves (X2)', () => {
  const bootedAt = Date.UTC(2026, 10, 15, 10, 0, 5);
  expect(machineOf('den', bootedAt + 900)).toBe(machineOf('den', bootedAt));
  expect(machineOf('den', bootedAt + 600_000)).not.toBe(machineOf('den', bootedAt));
  expect(machineOf('attic', bootedAt)).not.toBe(machineOf('den', bootedAt));
});

test('what is kept of a long name fits its column', () => {
  expect(machineOf('h'.repeat(255), Date.now()).length).toBeLessThanOrEqual(200);
});
