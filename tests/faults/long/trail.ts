// Writers of one trail that are killed at random moments, on SQLite and on PostgreSQL (L5).
import { join } from 'node:path';
import type { Random } from '../../../bench/random.ts';
import type { StorePlace } from '../../../src/settings/store-place.ts';
import { startPostgres } from '../../support/postgres.ts';
import { createDatabase } from '../../support/postgres-database.ts';
import { killWriter } from '../store-processes.ts';
import { expectWholeTrail, startTrailWriter } from '../trail-processes.ts';
import type { FaultContext, FaultPart } from './fault-part.ts';

const ROUNDS = 12;

export const trailFaults: FaultPart = async (context) => {
  const postgres = await startPostgres({ fsync: true });
  const data = join(context.folder('trail'), 'data');
  const places = {
    sqlite: async (): Promise<StorePlace> => ({ kind: 'sqlite', dataDirectory: data }),
    postgres: () => createDatabase(postgres),
  };
  try {
    for (const [kind, newPlace] of Object.entries(places)) {
      await context.check(`${kind}: three writers of one trail, each killed, ${ROUNDS} rounds`, async () =>
        killAll(await newPlace(), data, context.random(), context),
      );
    }
  } finally {
    await postgres.stop();
  }
};

async function killAll(place: StorePlace, data: string, random: Random, { progress }: FaultContext): Promise<string> {
  const words: string[] = [];
  let entries = 0;
  for (let round = 1; round <= ROUNDS; round += 1) {
    progress(`${place.kind}, writers of the trail killed, round ${round} of ${ROUNDS}`);
    const orders = { count: 1e6, together: 1 + Math.floor(random() * 8) };
    const writers = Array.from({ length: 3 }, () => startTrailWriter(place, data, orders));
    await Promise.all(writers.map((writer) => killWriter(writer, random() * 500)));
    words.push(...writers.flatMap((writer) => writer.words));
    entries = await expectWholeTrail(place, data, words);
  }
  return `${entries} entries in one whole chain`;
}
