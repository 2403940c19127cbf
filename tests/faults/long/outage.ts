// The store is taken away under load and comes back (F1, F4): PostgreSQL stopped, or hanging, for a random while.

import type { Random } from '../../../bench/random.ts';
import { StoreUnavailable } from '../../../src/skills/record/invocation-log.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import { failureOf, invocationOf } from '../../contracts/stores/store-world.ts';
import { startPostgres, type TestPostgres } from '../../support/postgres.ts';
import { createDatabase } from '../../support/postgres-database.ts';
import { backendsOf, signalAll } from '../postgres-backends.ts';
import { examine, idsAfter } from '../store-processes.ts';
import { type FaultContext, type FaultPart, pause } from './fault-part.ts';
import { type Load, startLoad } from './load.ts';

const ROUNDS = 10;
const FLOOD = 20_000;
/** The store's own limit is two seconds; the rest is this machine's. */
const LONGEST_WAIT_MS = 4_000;
/** The connections that the store opens at most. */
const POOL = 4;

interface Outage {
  begin(url: string): Promise<void>;
  end(): Promise<void>;
}

export const outageFaults: FaultPart = async (context) => {
  const postgres = await startPostgres({ fsync: true });
  try {
    await context.check(`PostgreSQL stopped and back under load, ${ROUNDS} rounds`, () =>
      endure(postgres, stopping(postgres), context),
    );
    await context.check(`PostgreSQL hanging and awake under load, ${ROUNDS} rounds`, () =>
      endure(postgres, hanging(postgres), context),
    );
  } finally {
    await postgres.stop();
  }
};

const stopping = ({ halt, start }: TestPostgres): Outage => ({ begin: halt, end: start });

function hanging(postgres: TestPostgres): Outage {
  let halted: readonly number[] = [];
  return {
    async begin(url) {
      halted = [postgres.pid(), ...(await backendsOf(url))];
      signalAll(halted, 'SIGSTOP');
    },
    end: async () => signalAll(halted, 'SIGCONT'),
  };
}

async function endure(postgres: TestPostgres, outage: Outage, context: FaultContext): Promise<string> {
  const place = await createDatabase(postgres);
  const { url } = place;
  const store = openStore(place);
  const random = context.random();
  const load = startLoad(store);
  const recoveries: number[] = [];
  try {
    for (let round = 1; round <= ROUNDS; round += 1) {
      context.progress(`PostgreSQL away, round ${round} of ${ROUNDS}`);
      recoveries.push(await loseAndRegain({ store, load, url, outage, random }));
    }
    await load.stop();
    await expectNothingRunning(store);
  } finally {
    await load.stop();
    await store.close();
  }
  await expectAllThere(url, load);
  return [
    `${idsAfter(load.words, 'ended').length} acknowledged, none lost`,
    `${load.refused.size} refused, the slowest after ${Math.round(load.slowestMs())} ms`,
    `back at most ${Math.round(Math.max(...recoveries))} ms after the server`,
    'pool as before',
  ].join('; ');
}

interface Scene {
  readonly store: Store;
  readonly load: Load;
  readonly url: string;
  readonly outage: Outage;
  readonly random: Random;
}

/** How long the first acknowledgement took after the server was back. */
async function loseAndRegain({ store, load, url, outage, random }: Scene): Promise<number> {
  await load.nextAcknowledgement(LONGEST_WAIT_MS);
  await pause(random() * 300);
  await outage.begin(url);
  try {
    await expectBoundedFlood(store);
    await pause(random() * 1_000);
  } finally {
    await outage.end();
  }
  const recoveredMs = await load.nextAcknowledgement(LONGEST_WAIT_MS);
  if (load.slowestMs() > LONGEST_WAIT_MS) throw new Error(`a caller waited ${Math.round(load.slowestMs())} ms`);
  await expectWholePool(store, url);
  return recoveredMs;
}

/** Everybody is refused, most of them at once: what waits is bounded. */
async function expectBoundedFlood(store: Store): Promise<void> {
  let answered = 0;
  const answers = Array.from({ length: FLOOD }, async () => {
    await expectRefusal(store);
    answered += 1;
  });
  const started = performance.now();
  await new Promise((resolve) => setImmediate(resolve));
  const atOnce = answered;
  await Promise.all(answers);
  const tookMs = performance.now() - started;
  if (atOnce < FLOOD / 2) throw new Error(`only ${atOnce} of ${FLOOD} were refused at once`);
  if (tookMs > LONGEST_WAIT_MS) throw new Error(`a flood was refused only after ${Math.round(tookMs)} ms`);
}

/** As the runtime does it where the log is required: what was refused is closed, without waiting for that. */
async function expectRefusal({ invocations }: Store): Promise<void> {
  const invocation = invocationOf({ timestamp: new Date() });
  try {
    await invocations.begin(invocation);
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    invocations.end(invocation, failureOf(invocation, 'PERSISTENCE_ERROR')).catch(() => {});
    return;
  }
  throw new Error('a beginning was acknowledged while the server was away');
}

/** Although this process lives: beginnings that were written after they were refused, ends that were lost (X2). */
async function expectNothingRunning(store: Store): Promise<void> {
  await store.sweep();
  const { invocations } = await store.invocations.list({ status: 'running', limit: 1_000 });
  if (invocations.length > 0) throw new Error(`${invocations.length} runs that are over are still called running`);
}

/** As many as before, all usable: none is held by a refused caller, none that was cut stays open. */
async function expectWholePool({ invocations }: Store, url: string): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    await Promise.all(Array.from({ length: 4 * POOL }, () => invocations.list({ limit: 1 })));
    const connections = (await backendsOf(url)).length - 1;
    if (connections === POOL) return;
    if (tries === 50) throw new Error(`there are ${connections} connections instead of ${POOL}`);
    await pause(100);
  }
}

async function expectAllThere(url: string, { words }: Load): Promise<void> {
  const { missing, torn, total, counted } = await examine({ kind: 'postgres', url }, words);
  const lost = missing.length + torn.length;
  if (lost > 0) throw new Error(`${lost} of ${words.length} acknowledged runs are not there`);
  if (counted !== total) throw new Error(`${counted} counted of ${total}`);
}
