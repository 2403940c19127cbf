import { expect, test } from 'vitest';
import { createRandom } from '../../bench/random.ts';
import { hasGit } from '../../src/sources/fixtures/source-world.ts';
import { skipAloud } from '../support/skip-aloud.ts';
import { killOften } from './killed-sources.ts';

test('add, update and sync that are killed leave lock and content old or new, whole (S5)', async (context) => {
  skipAloud(context, !hasGit, 'there is no git on this machine');
  const { killed } = await killOften(4, createRandom(7), () => {});
  expect(killed).toBeGreaterThan(0);
});
