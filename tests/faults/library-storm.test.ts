// Random changes of the library over replicas that are killed, in short (L1–L5); the long loop is in `npm run faults`.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createRandom } from '../../bench/random.ts';
import { useStoreWorld } from '../contracts/stores/use-store-world.ts';
import { weatherLibrary } from './library-storm.ts';

const world = useStoreWorld();
const folder = mkdtempSync(join(tmpdir(), 'repertoire-library-storm-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each([
  ['sqlite', 1, 40],
  ['postgres', 3, 100],
] as const)(
  'on %s nothing is read that was never current, nothing is lost, and the trail says what happened (L1, L4, L5)',
  async (kind, replicas, steps) => {
    const place = await world.place(kind);
    const given = { place, folder: join(folder, kind), replicas, steps, kills: 2, random: createRandom(11) };
    const { entries, versions, late, reads } = await weatherLibrary(given);
    // On a machine with much else to do the store refuses some: nothing happened then.
    const refused = [...late.values()].reduce((sum, count) => sum + count, 0);
    expect(entries + refused).toBeGreaterThan(steps / 2);
    expect(versions + refused).toBeGreaterThan(steps / 4);
    expect(entries).toBeGreaterThan(0);
    expect(reads).toBeGreaterThan(0);
  },
);
