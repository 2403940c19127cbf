// Two servers of the built program are killed while they carry out durable runs, in short (J5); the long loop is in `npm run faults`.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createRandom } from '../../bench/random.ts';
import { useStoreWorld } from '../contracts/stores/use-store-world.ts';
import { endureKills } from './killed-runs.ts';

const world = useStoreWorld();
const folder = mkdtempSync(join(tmpdir(), 'repertoire-killed-runs-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each(['sqlite', 'postgres'] as const)(
  'on %s no run is lost by a kill -9, and none that may not run again does (J5)',
  async (kind) => {
    const place = await world.place(kind);
    const given = { place, folder: join(folder, kind), servers: 2, runs: 30, kills: 3, random: createRandom(7) };
    const { completed, interrupted } = await endureKills(given);
    expect(completed + interrupted).toBe(30);
    expect(completed).toBeGreaterThanOrEqual(15);
  },
);
