// The long loops of the store's fault tests (F2, F3): `npm run faults` calls this. Prints its seed; give it again to repeat a run.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRandom, type Random } from '../../../bench/random.ts';
import type { StorePlace } from '../../../src/store/store.ts';
import { queryPostgres } from '../../contracts/stores/store-world.ts';
import { startPostgres } from '../../support/postgres.ts';
import { examine, idsAfter, killWriter, startWriter } from '../store-processes.ts';

const ROUNDS = 20;

type NewPlace = () => Promise<StorePlace>;

const seed = Number(process.argv[2] ?? Date.now() % 1e9);
console.log(`store faults, seed ${seed}`);
const folder = mkdtempSync(join(tmpdir(), 'repertoire-faults-'));
const postgres = await startPostgres({ fsync: true });
let places = 0;
const newPlaces: Readonly<Record<'sqlite' | 'postgres', NewPlace>> = {
  sqlite: async () => ({ kind: 'sqlite', dataDirectory: join(folder, String(++places)) }),
  postgres: async () => {
    const name = `faults_${++places}`;
    await queryPostgres(postgres.url, `CREATE DATABASE ${name}`);
    return { kind: 'postgres', url: postgres.url.replace(/postgres$/, name) };
  },
};
try {
  for (const [kind, newPlace] of Object.entries(newPlaces)) {
    const random = createRandom(seed);
    await report(`${kind}: kill -9 of a writer, ${ROUNDS} rounds on one store`, () => killWriters(newPlace, random));
    await report(`${kind}: killed while it starts on nothing, ${ROUNDS} rounds`, () => killStarts(newPlace, random));
    await report(`${kind}: two processes, 1,000 runs each`, () => writeTogether(newPlace));
    await report(`${kind}: five first starts at once, ${ROUNDS} rounds`, () => startTogether(newPlace));
  }
} finally {
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function report(name: string, check: () => Promise<string>): Promise<void> {
  const started = performance.now();
  const said = await check();
  console.log(`ok  ${name}: ${said} (${((performance.now() - started) / 1_000).toFixed(1)} s)`);
}

async function killWriters(newPlace: NewPlace, random: Random): Promise<string> {
  const place = await newPlace();
  const words: string[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const writer = startWriter(place, { count: 1e6, together: 1 + Math.floor(random() * 32), slow: round % 2 === 1 });
    await killWriter(writer, random() * 300);
    words.push(...writer.words);
    await expectSound(place, words);
  }
  return `${idsAfter(words, 'ended').length} acknowledged, none lost`;
}

/** At any moment from its first instruction on: also half-way through the migrations. */
async function killStarts(newPlace: NewPlace, random: Random): Promise<string> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const place = await newPlace();
    const killed = startWriter(place, { count: 50, together: 5 });
    await new Promise((resolve) => setTimeout(resolve, 200 + random() * 500));
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

async function startTogether(newPlace: NewPlace): Promise<string> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const place = await newPlace();
    const writers = Array.from({ length: 5 }, () => startWriter(place, { count: 5, together: 5 }));
    await Promise.all(writers.map(({ exit }) => exit));
    const total = await expectSound(
      place,
      writers.flatMap(({ words }) => words),
    );
    if (total !== 25) throw new Error(`round ${round}: ${total} of 25: ${writers.map(({ stderr }) => stderr())}`);
  }
  return 'all came up';
}

/** How many runs are there. */
async function expectSound(place: StorePlace, words: readonly string[]): Promise<number> {
  const { missing, torn, total, counted } = await examine(place, words);
  if (missing.length + torn.length > 0 || counted !== total) {
    throw new Error(`lost ${missing.length}, torn ${torn.length}, ${counted} counted of ${total}`);
  }
  return total;
}
