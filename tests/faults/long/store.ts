// Writers that are killed, that start together, that share a store (F2, F3), on SQLite and on PostgreSQL.

import { join } from 'node:path';
import type { Random } from '../../../bench/random.ts';
import type { StorePlace } from '../../../src/settings/store-place.ts';
import { startPostgres, type TestPostgres } from '../../support/postgres.ts';
import { createDatabase } from '../../support/postgres-database.ts';
import { expectSound, idsAfter, killWriter, startWriter } from '../store-processes.ts';
import { type FaultContext, type FaultPart, pause } from './fault-part.ts';

const ROUNDS = 20;
/** Of five processes each. */
const STARTS = 10;

type NewPlace = () => Promise<StorePlace>;

export const storeFaults: FaultPart = async (context) => {
  const postgres = await startPostgres({ fsync: true });
  try {
    for (const [kind, newPlace] of Object.entries(createPlaces(context.folder('store'), postgres))) {
      await context.check(`${kind}: kill -9 of a writer, ${ROUNDS} rounds on one store`, () =>
        killWriters(newPlace, context.random(), context),
      );
      await context.check(`${kind}: killed while it starts on nothing, ${ROUNDS} rounds`, () =>
        killStarts(newPlace, context.random(), context),
      );
      await context.check(`${kind}: two processes, 1,000 runs each`, () => writeTogether(newPlace));
      await context.check(`${kind}: five first starts at once, ${STARTS} rounds`, () =>
        startTogether(newPlace, context),
      );
    }
  } finally {
    await postgres.stop();
  }
};

function createPlaces(folder: string, postgres: TestPostgres): Readonly<Record<'sqlite' | 'postgres', NewPlace>> {
  let places = 0;
  return {
    sqlite: async () => ({ kind: 'sqlite', dataDirectory: join(folder, String(++places)) }),
    postgres: () => createDatabase(postgres),
  };
}

async function killWriters(newPlace: NewPlace, random: Random, { progress }: FaultContext): Promise<string> {
  const place = await newPlace();
  const words: string[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    progress(`${place.kind}, writers killed, round ${round} of ${ROUNDS}`);
    const writer = startWriter(place, { count: 1e6, together: 1 + Math.floor(random() * 32), slow: round % 2 === 0 });
    await killWriter(writer, random() * 300);
    words.push(...writer.words);
    await expectSound(place, words);
  }
  return `${idsAfter(words, 'ended').length} acknowledged, none lost`;
}

/** At any moment from its first instruction on: also half-way through the migrations. */
async function killStarts(newPlace: NewPlace, random: Random, { progress }: FaultContext): Promise<string> {
  for (let round = 1; round <= ROUNDS; round += 1) {
    const place = await newPlace();
    progress(`${place.kind}, starts killed, round ${round} of ${ROUNDS}`);
    const killed = startWriter(place, { count: 50, together: 5 });
    await pause(200 + random() * 500);
    killed.child.kill('SIGKILL');
    await killed.exit;
    const next = startWriter(place, { count: 5, together: 5 });
    if ((await next.exit) !== 0) throw new Error(`round ${round}: the next start failed: ${next.stderr()}`);
    await expectSound(place, [...killed.words, ...next.words]);
  }
  return 'the next start always came up';
}

async function writeTogether(newPlace: NewPlace): Promise<string> {
  const place = await newPlace();
  const writers = [1, 2].map(() => startWriter(place, { count: 1_000, together: 16 }));
  await Promise.all(writers.map(({ exit }) => exit));
  const words = writers.flatMap((writer) => writer.words);
  const total = await expectSound(place, words);
  if (total !== 2_000) throw new Error(`${total} of 2,000 runs are there: ${writers.map(({ stderr }) => stderr())}`);
  return 'all there';
}

async function startTogether(newPlace: NewPlace, { progress }: FaultContext): Promise<string> {
  for (let round = 1; round <= STARTS; round += 1) {
    const place = await newPlace();
    progress(`${place.kind}, five starts at once, round ${round} of ${STARTS}`);
    const writers = Array.from({ length: 5 }, () => startWriter(place, { count: 5, together: 5 }));
    await Promise.all(writers.map(({ exit }) => exit));
    const words = writers.flatMap((writer) => writer.words);
    const total = await expectSound(place, words);
    if (total !== 25) throw new Error(`round ${round}: ${total} of 25: ${writers.map(({ stderr }) => stderr())}`);
  }
  return 'all came up';
}
