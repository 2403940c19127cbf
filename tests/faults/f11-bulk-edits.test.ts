// Thousands of edits at once: the server goes on answering, and ends when it is told to (F11, D6).
import { expect, onTestFinished, test } from 'vitest';
import { World } from '../support/world.ts';
import { editInBulk } from './bulk-edits.ts';

test('while 1,500 skills are emptied at once every ping is answered, and SIGTERM ends it in the middle of edits (F11)', async () => {
  const world = new World({ apart: true });
  onTestFinished(() => world.close());
  const { pings, exitCode } = await editInBulk(world, 1_500);
  expect(pings).toBeGreaterThanOrEqual(10);
  expect(exitCode).toBe(0);
});
