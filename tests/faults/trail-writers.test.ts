// Three processes that write one trail at once, one of them killed: one unbroken chain, and every change has its entry (L5).
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import type { StorePlace } from '../../src/settings/store-place.ts';
import { createDatabase } from '../support/postgres-database.ts';
import { idsAfter, killWriter } from './store-processes.ts';
import { expectWholeTrail, startTrailWriter } from './trail-processes.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'repertoire-trail-faults-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test.each(['sqlite', 'postgres'] as const)(
  'three processes that start at once on %s, one killed with kill -9, leave one whole chain (L5)',
  async (kind) => {
    const data = join(folder, 'data');
    const place: StorePlace =
      kind === 'sqlite' ? { kind, dataDirectory: data } : await createDatabase({ url: inject('postgresUrl') });
    const killed = startTrailWriter(place, data, { count: 1e6, together: 4 });
    const others = [1, 2].map(() => startTrailWriter(place, data, { count: 40, together: 4 }));
    await killWriter(killed, 20, 10);
    for (const { exit, stderr } of others) expect(await exit, stderr()).toBe(0);
    const words = [killed, ...others].flatMap((writer) => writer.words);
    expect(idsAfter(words, 'refused')).toEqual([]);
    expect(await expectWholeTrail(place, data, words)).toBeGreaterThanOrEqual(2 * (80 + 10));
  },
);
