// Three replicas of the built program on one PostgreSQL (F2, F3): one killed under load, first starts at once, throughput.

import { median } from '../../../bench/statistics.ts';
import { startPostgres, type TestPostgres } from '../../support/postgres.ts';
import { createDatabase } from '../../support/postgres-database.ts';
import type { ServeProcess } from '../../support/serve-process.ts';
import {
  countRunning,
  expectEachOnce,
  expectReady,
  type Spread,
  type SpreadOrders,
  spreadCalls,
  startReplicas,
  stopAll,
  untilSwept,
} from '../replica-load.ts';
import { createServeWorld, type ServeWorld } from '../serve-world.ts';
import { expectWithin, type FaultContext, type FaultPart } from './fault-part.ts';

const REPLICAS = 3;
const CALLS = 3_000;
const STARTS = 5;
const SPEED_ROUNDS = 7;
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
    const spread = await spreadWithoutRefusal(replicas, {
      count: CALLS,
      inFlight: 32,
      random: random(),
      naps: 0.15,
      halfWay: () => victim?.kill() ?? Promise.resolve(),
    });
    const running = await countRunning(place);
    replicas.push(await world.start(place));
    const sweptMs = await untilSwept(place);
    expectWithin(SWEEP_LIMIT_MS, 'rows of a killed replica closed', sweptMs);
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

/** A log that is not required refuses no call. */
async function spreadWithoutRefusal(replicas: readonly ServeProcess[], orders: SpreadOrders): Promise<Spread> {
  const spread = await spreadCalls(replicas, orders);
  if (spread.refused > 0) throw new Error(`${spread.refused} calls were refused`);
  return spread;
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
      const spread = await spreadWithoutRefusal(replicas, { count: 30, inFlight: 6, random: context.random() });
      await expectEachOnce(place, [spread]);
    } finally {
      await stopAll(replicas);
    }
  }
  return `no error, all ready after at most ${Math.round(slowestMs)} ms`;
}

/** Both stay up, warm, and take turns: what else this machine does falls on both. */
async function compareSpeed(world: ServeWorld, postgres: TestPostgres, context: FaultContext): Promise<string> {
  const [alone, team] = [await openTeam(world, postgres, 1), await openTeam(world, postgres, REPLICAS)];
  const speeds: { readonly one: number; readonly three: number }[] = [];
  try {
    for (const { measure, replicas } of [alone, team]) await measure(WARM_UP * replicas.length, context);
    for (let round = 1; round <= SPEED_ROUNDS; round += 1) {
      context.progress(`throughput, round ${round} of ${SPEED_ROUNDS}`);
      speeds.push({ one: await alone.measure(SPEED_CALLS, context), three: await team.measure(SPEED_CALLS, context) });
    }
    for (const { place, spreads } of [alone, team]) await expectEachOnce(place, spreads);
  } finally {
    await stopAll([...alone.replicas, ...team.replicas]);
  }
  const share = median(speeds.map(({ one, three }) => three / one));
  const figures = [
    `1 replica ${median(speeds.map(({ one }) => one))} a second`,
    `${REPLICAS} replicas ${median(speeds.map(({ three }) => three))}`,
    `share ${share.toFixed(2)}, medians of ${SPEED_ROUNDS} turns`,
  ].join(', ');
  if (share < LEAST_SHARE) throw new Error(`throughput falls: ${figures}`);
  return `${figures}; none lost, none doubled`;
}

async function openTeam(world: ServeWorld, postgres: TestPostgres, count: number) {
  const place = await createDatabase(postgres);
  const replicas = await startReplicas(world, place, count);
  const spreads: Spread[] = [];
  /** Calls a second. */
  const measure = async (calls: number, { random }: FaultContext): Promise<number> => {
    const spread = await spreadWithoutRefusal(replicas, { count: calls, inFlight: 64, random: random() });
    spreads.push(spread);
    return perSecond(calls, spread.ms);
  };
  return { place, replicas, spreads, measure };
}

const perSecond = (count: number, ms: number): number => Math.round((count * 1_000) / ms);
