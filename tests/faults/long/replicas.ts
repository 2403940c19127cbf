// Three replicas of the built program on one PostgreSQL (F2, F3): one killed under load, first starts at once, throughput.

import { startPostgres, type TestPostgres } from '../../support/postgres.ts';
import {
  countRunning,
  expectEachOnce,
  expectReady,
  spreadCalls,
  startReplicas,
  stopAll,
  untilSwept,
} from '../replica-load.ts';
import { createDatabase, createServeWorld, type ServeWorld } from '../serve-world.ts';
import type { FaultContext, FaultPart } from './fault-part.ts';

const REPLICAS = 3;
const CALLS = 3_000;
const STARTS = 5;
/** For each number of replicas, in turns: what else this machine does falls on both. */
const SPEED_ROUNDS = 3;
const SPEED_CALLS = 2_000;
/** Of each replica: before that it is measured how Node compiles. */
const WARM_UP = 1_500;
/** Less than this share of one replica's throughput is a fall: two cores have little to give to three servers and a database. */
const LEAST_SHARE = 0.7;
/** A new replica looks for what others left a second after its start. */
const SWEEP_LIMIT_MS = 10_000;

export const replicaFaults: FaultPart = async (context) => {
  const postgres = await startPostgres({ fsync: true });
  const world = createServeWorld(context.folder('replicas'));
  try {
    await context.check(`replicas: kill -9 of one of ${REPLICAS}, ${CALLS} calls, 32 in flight`, () =>
      killOne(world, postgres, context),
    );
    await context.check(`replicas: ${REPLICAS} first starts at once, ${STARTS} rounds`, () =>
      startTogether(world, postgres, context),
    );
    await context.check(`replicas: throughput of 1 and of ${REPLICAS}, 64 in flight`, () =>
      compareSpeed(world, postgres, context),
    );
  } finally {
    await postgres.stop();
  }
};

async function killOne(world: ServeWorld, postgres: TestPostgres, { random }: FaultContext): Promise<string> {
  const place = await createDatabase(postgres);
  const replicas = await startReplicas(world, place, REPLICAS);
  const [victim] = replicas;
  try {
    const spread = await spreadCalls(replicas, {
      count: CALLS,
      inFlight: 32,
      random: random(),
      naps: 0.15,
      halfWay: () => victim?.kill() ?? Promise.resolve(),
    });
    const running = await countRunning(place);
    replicas.push(await world.start(place));
    const sweptMs = await untilSwept(place, SWEEP_LIMIT_MS);
    const { total, unansweredThere } = await expectEachOnce(place, [spread]);
    return [
      `${spread.acknowledged.size} acknowledged, each there once`,
      `${spread.unanswered.size} unanswered, of them ${unansweredThere} there`,
      `${running} left running, closed ${Math.round(sweptMs)} ms after the next start`,
      `${total} rows, ${perSecond(CALLS, spread.ms)} a second`,
    ].join('; ');
  } finally {
    await stopAll(replicas);
  }
}

async function startTogether(world: ServeWorld, postgres: TestPostgres, context: FaultContext): Promise<string> {
  let slowestMs = 0;
  for (let round = 1; round <= STARTS; round += 1) {
    context.progress(`first starts at once, round ${round} of ${STARTS}`);
    const place = await createDatabase(postgres);
    const started = performance.now();
    const replicas = await startReplicas(world, place, REPLICAS);
    slowestMs = Math.max(slowestMs, performance.now() - started);
    try {
      await expectReady(replicas);
      const spread = await spreadCalls(replicas, { count: 30, inFlight: 6, random: context.random() });
      await expectEachOnce(place, [spread]);
    } finally {
      await stopAll(replicas);
    }
  }
  return `no error, all ready after at most ${Math.round(slowestMs)} ms`;
}

async function compareSpeed(world: ServeWorld, postgres: TestPostgres, context: FaultContext): Promise<string> {
  const best = new Map([1, REPLICAS].map((count) => [count, 0]));
  for (let round = 1; round <= SPEED_ROUNDS; round += 1) {
    for (const count of best.keys()) {
      context.progress(`throughput of ${count}, round ${round} of ${SPEED_ROUNDS}`);
      best.set(count, Math.max(best.get(count) ?? 0, await measureSpeed(world, postgres, count, context)));
    }
  }
  const [one = 0, three = 0] = best.values();
  const figures = `1 replica ${Math.round(one)} a second, ${REPLICAS} replicas ${Math.round(three)} (${(three / one).toFixed(2)} ×)`;
  if (three < LEAST_SHARE * one) throw new Error(`throughput falls: ${figures}`);
  return `${figures}, best of ${SPEED_ROUNDS}; none lost, none doubled`;
}

async function measureSpeed(world: ServeWorld, postgres: TestPostgres, count: number, context: FaultContext) {
  const place = await createDatabase(postgres);
  const replicas = await startReplicas(world, place, count);
  try {
    const random = context.random();
    const warmUp = await spreadCalls(replicas, { count: WARM_UP * count, inFlight: 64, random });
    const spread = await spreadCalls(replicas, { count: SPEED_CALLS, inFlight: 64, random });
    await expectEachOnce(place, [warmUp, spread]);
    return perSecond(SPEED_CALLS, spread.ms);
  } finally {
    await stopAll(replicas);
  }
}

const perSecond = (count: number, ms: number): number => Math.round((count * 1_000) / ms);
