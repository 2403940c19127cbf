// Measures durable runs from start to end on both stores, PostgreSQL with fsync on: what one costs, how long it waits for its turn,
// and what ordinary calls pay for a process that carries runs out.
import { createLocalBus } from '../../src/async/bus.ts';
import { LOCAL_OPERATOR } from '../../src/identity/caller.ts';
import type { StorePlace } from '../../src/settings/store-place.ts';
import { defineSkill } from '../../src/skills/define/define-skill.ts';
import { createRuns, type OpenRuns } from '../../src/skills/durable/create-runs.ts';
import { createLookingQueue } from '../../src/skills/durable/run-queue.ts';
import { createRuntime } from '../../src/skills/run/runtime.ts';
import { openStore } from '../../src/store/store.ts';
import { startPostgres } from '../../tests/support/postgres.ts';
import { now } from '../clock.ts';
import { fly } from '../flight.ts';
import { openBareInserts, openSingleWrites } from '../log-floors.ts';
import type { Measure, MeasureContext } from '../measure.ts';
import type { Row, Unit } from '../row.ts';
import { median, quantile } from '../statistics.ts';
import { UNHURRIED } from '../unhurried.ts';

const mostRounds = 3;
const many = { inFlight: 16, calls: 600 };
const alone = { inFlight: 1, calls: 100 };
const plain = { inFlight: 8, calls: 600 };

export const measureRuns: Measure = async (context) => [
  ...(await measureSqlite(context)),
  ...(await measurePostgres(context)),
];

async function measureSqlite(context: MeasureContext): Promise<readonly Row[]> {
  const bare = openBareInserts(context.workshop.folder('runs-floor'));
  try {
    const place: StorePlace = { kind: 'sqlite', dataDirectory: context.workshop.folder('runs-sqlite') };
    return await measureStore(context, 'SQLite', place, async () => bare.insert());
  } finally {
    bare.close();
  }
}

async function measurePostgres(context: MeasureContext): Promise<readonly Row[]> {
  const server = await startPostgres({ fsync: true });
  const single = openSingleWrites(server.url);
  try {
    return await measureStore(context, 'PostgreSQL', { kind: 'postgres', url: server.url }, single.write);
  } finally {
    await single.close();
    await server.stop();
  }
}

async function measureStore(
  context: MeasureContext,
  name: string,
  place: StorePlace,
  write: () => Promise<unknown>,
): Promise<readonly Row[]> {
  const rounds = Math.min(mostRounds, context.rounds);
  const taken: Taken[] = [];
  for (let round = 1; round <= rounds; round++) {
    context.progress(`runs: ${name}, round ${round} of ${rounds}`);
    const engine = await openEngine(place);
    taken.push(await takeOnce(engine, write).finally(engine.close));
  }
  return [
    row(`${name}, 16 in flight, each`, 'µs', taken, ({ each, floor }) => [each, floor]),
    row(`${name}, from stored to begun, p50`, 'µs', taken, ({ delays }) => [median(delays)]),
    row(`${name}, from stored to begun, p99`, 'µs', taken, ({ delays }) => [quantile(delays, 0.99)]),
    row(`${name}, an ordinary call beside open runs`, 'µs', taken, ({ beside, before }) => [beside, before]),
  ];
}

interface Taken {
  readonly each: number;
  readonly floor: number;
  readonly delays: readonly number[];
  readonly beside: number;
  readonly before: number;
}

async function takeOnce({ run, call, runs }: Engine, write: () => Promise<unknown>): Promise<Taken> {
  const before = await fly(plain, call);
  await runs.open();
  const beside = await fly(plain, call);
  const floor = await fly(many, write);
  const ours = await fly(many, run);
  const delays: number[] = [];
  await fly(alone, async () => delays.push(await run()));
  return { each: ours.eachUs, floor: floor.eachUs, delays, beside: beside.eachUs, before: before.eachUs };
}

interface Engine {
  readonly runs: OpenRuns;
  /** To its end; answers how long it waited for its begin, in microseconds. */
  readonly run: () => Promise<number>;
  readonly call: () => Promise<void>;
  readonly close: () => Promise<void>;
}

const input = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] } as const;

async function openEngine(place: StorePlace): Promise<Engine> {
  const begun = new Map<number, number>();
  const skill = (name: string, durable: object) =>
    defineSkill({
      name,
      description: 'Does nothing.',
      category: 'execution',
      input,
      output: input,
      ...durable,
      run: (given) => {
        // As the schema says.
        begun.set(given.n as number, now());
        return given;
      },
    });
  const store = openStore(place, { ...UNHURRIED, trailKey: { dataDirectory: '', secret: 's'.repeat(43) } });
  await store.migrate();
  const runtime = createRuntime({
    skills: [skill('lasting', { durable: {} }), skill('ordinary', {})],
    invocationLog: store.invocations,
  });
  const runs = createRuns({
    runtime,
    store: store.runs,
    queue: createLookingQueue(),
    bus: createLocalBus((error) => {
      throw error;
    }),
    secret: async () => 's'.repeat(43),
    log: () => undefined,
    now: () => new Date(),
    random: Math.random,
  });
  let n = 0;
  return {
    runs,
    run: async () => {
      const own = n++;
      const started = await runs.start({ name: 'lasting', input: { n: own }, caller: LOCAL_OPERATOR });
      const storedAt = now();
      if (started.state !== 'stored') throw new Error('a run was not stored');
      const ended = await runs.wait(started.run.invocation.id, LOCAL_OPERATOR, { ms: 60_000 });
      if (ended?.result?.success !== true) throw new Error('a run did not end well');
      return Math.max(0, ((begun.get(own) ?? 0) - storedAt) * 1_000);
    },
    call: async () => {
      const answer = await runtime.invoke({ name: 'ordinary', input: { n: n++ }, caller: LOCAL_OPERATOR });
      if (!answer.success) throw new Error('a call did not end well');
    },
    close: async () => {
      await runs.close(0);
      await runtime.close();
      await store.close();
    },
  };
}

/** `of`: what was measured, and its floor. */
function row(what: string, unit: Unit, taken: readonly Taken[], of: (one: Taken) => readonly [number, number?]): Row {
  const figures = taken.map(of);
  return {
    section: 'runs',
    what,
    unit,
    samples: figures.map(([ours]) => ours),
    floorSamples: figures.flatMap(([, floor]) => (floor === undefined ? [] : [floor])),
  };
}
