// The library under 10,000 random changes on three replicas of one PostgreSQL, and fewer on SQLite, with kill -9 (L1–L5). A machine that is
// too slow for so many in the time of one fault makes fewer; the figures say how many.
import { join } from 'node:path';
import type { StorePlace } from '../../../src/settings/store-place.ts';
import { startPostgres } from '../../support/postgres.ts';
import { createDatabase, makeTables } from '../../support/postgres-database.ts';
import { type Storm, weatherLibrary } from '../library-storm.ts';
import { expectWithin, type FaultContext, type FaultPart } from './fault-part.ts';

const SIZES = {
  postgres: { replicas: 3, steps: 10_000, kills: 50 },
  sqlite: { replicas: 1, steps: 1_000, kills: 10 },
} as const;

/** Of the five minutes that a fault may take: the rest is for the comparison at the end. */
const CHANGES_MS = 3.5 * 60_000;

/** What is current changes everywhere within this (L4). */
const SERVED_LIMIT_MS = 1_000;

export const libraryFaults: FaultPart = async (context) => {
  const { steps, kills } = SIZES.sqlite;
  const data = join(context.folder('library-data'), 'data');
  await context.check(`library: ${steps} changes, ${kills} kills on SQLite`, () =>
    endure(context, { kind: 'sqlite', dataDirectory: data }, SIZES.sqlite),
  );
  const postgres = await startPostgres();
  try {
    const place = await createDatabase(postgres);
    await makeTables(place);
    await context.check(
      `library: ${SIZES.postgres.steps} changes, ${SIZES.postgres.kills} kills, three replicas on PostgreSQL`,
      () => endure(context, place, SIZES.postgres),
    );
  } finally {
    await postgres.stop();
  }
};

async function endure(
  context: FaultContext,
  place: StorePlace,
  size: Pick<Storm, 'replicas' | 'steps' | 'kills'>,
): Promise<string> {
  const folder = context.folder(`library-${place.kind}`);
  const { steps, kills, entries, versions, reads, stalestMs, late } = await weatherLibrary({
    ...{ place, folder, ...size, limitMs: CHANGES_MS, random: context.random(), onProgress: context.progress },
  });
  expectWithin(SERVED_LIMIT_MS, 'read after it was current no more', stalestMs);
  const refused = [...late].map(([said, count]) => `; ${count} × ${said}`).join('');
  return `${steps} changes, ${kills} kills, ${entries} entries, ${versions} versions, ${reads} reads; read at most ${Math.round(stalestMs)} ms late${refused}`;
}
