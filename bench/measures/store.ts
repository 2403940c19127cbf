// Measures the log of invocations: writing one that is durable before the answer, and questions to a full log. On both
// stores; PostgreSQL with fsync on.

import type { StorePlace } from '../../src/settings/store-place.ts';
import type { InvocationLog } from '../../src/skills/record/invocation-log.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { grouped } from '../../src/text/counted.ts';
import { startPostgres } from '../../tests/support/postgres.ts';
import { type Flight, type FlightPlan, fly } from '../flight.ts';
import { openBareInserts, openSingleWrites, sampleInvocation } from '../log-floors.ts';
import { type Filled, type FillLog, fillPostgres, fillSqlite, knownCorrelationId } from '../log-rows.ts';
import type { Measure, MeasureContext } from '../measure.ts';
import type { Row, Unit } from '../row.ts';
import { median, quantile } from '../statistics.ts';
import { UNHURRIED } from '../unhurried.ts';

const mostRounds = 3;
const weekMs = 7 * 86_400_000;
const one: FlightPlan = { inFlight: 1, calls: 300 };
const many: FlightPlan = { inFlight: 32, calls: 4_000 };

export const measureStore: Measure = async (context) => [
  ...(await measureSqlite(context)),
  ...(await measurePostgres(context)),
];

async function measureSqlite(context: MeasureContext): Promise<readonly Row[]> {
  const folder = context.workshop.folder('sqlite');
  return withStore({ kind: 'sqlite', dataDirectory: folder }, async (store) => {
    const bare = openBareInserts(context.workshop.folder('sqlite-floor'));
    const young = await writeYoungLogs(store, bare.insert);
    const writes = await inTurns(context, 'store: SQLite writes', async () => ({
      oneFloor: await fly(one, bare.insert),
      one: await fly(one, () => record(store.invocations)),
      many: await fly(many, () => record(store.invocations)),
    }));
    bare.close();
    return [
      row(
        'SQLite, the first 300, one at a time, p50',
        [young],
        ({ ours }) => p50(ours),
        ({ floor }) => p50(floor),
      ),
      row(
        'SQLite, one at a time, p50',
        writes,
        ({ one }) => p50(one),
        ({ oneFloor }) => p50(oneFloor),
      ),
      row(
        'SQLite, one at a time, p99',
        writes,
        ({ one }) => p99(one),
        ({ oneFloor }) => p99(oneFloor),
      ),
      row(
        'SQLite, 32 in flight, each',
        writes,
        ({ many }) => many.eachUs,
        ({ oneFloor }) => oneFloor.eachUs,
      ),
      ...(await ask(context, 'SQLite', store, (rows) => fillSqlite(folder, rows))),
    ];
  });
}

/** A log file that still grows costs the disk more: taken apart, and then both are written until they begin anew. */
async function writeYoungLogs(store: Store, insert: () => void) {
  const floor = await fly(one, insert);
  const ours = await fly(one, () => record(store.invocations));
  await fly({ inFlight: 1, calls: 1_500 }, insert);
  await fly(many, () => record(store.invocations));
  return { floor, ours };
}

async function measurePostgres(context: MeasureContext): Promise<readonly Row[]> {
  const server = await startPostgres({ fsync: true });
  try {
    return await withStore({ kind: 'postgres', url: server.url }, async (store) => {
      const single = openSingleWrites(server.url);
      const writes = await inTurns(context, 'store: PostgreSQL writes', async () => ({
        floor: await fly({ inFlight: 64, calls: 1_000 }, single.write),
        ours: await fly({ inFlight: 64, calls: 4_000 }, () => record(store.invocations)),
      }));
      await single.close();
      return [
        row(
          'PostgreSQL, 64 in flight, each',
          writes,
          ({ ours }) => ours.eachUs,
          ({ floor }) => floor.eachUs,
        ),
        row(
          'PostgreSQL, 64 in flight, p50',
          writes,
          ({ ours }) => p50(ours),
          ({ floor }) => p50(floor),
        ),
        row(
          'PostgreSQL, 64 in flight, p99',
          writes,
          ({ ours }) => p99(ours),
          ({ floor }) => p99(floor),
        ),
        ...(await ask(context, 'PostgreSQL', store, (rows) => fillPostgres(server.url, rows))),
      ];
    });
  } finally {
    await server.stop();
  }
}

async function withStore<T>(place: StorePlace, use: (store: Store) => Promise<T>): Promise<T> {
  const store = openStore(place, UNHURRIED);
  try {
    await store.migrate();
    return await use(store);
  } finally {
    await store.close();
  }
}

/** As the runtime does it: the begin is not waited for, the end is. */
async function record(log: InvocationLog): Promise<void> {
  const { invocation, ended, result } = sampleInvocation();
  await Promise.all([log.begin(invocation), log.end(ended, result)]);
}

async function ask(
  context: MeasureContext,
  name: string,
  { invocations }: Store,
  fill: FillLog,
): Promise<readonly Row[]> {
  const label = `${name}, ${grouped(context.loggedRows)} rows`;
  context.progress(`store: ${label}, writing`);
  const filled = await fill(context.loggedRows);
  const weekAgo = new Date(filled.until.getTime() - weekMs);
  let asked = 0;
  const answers = await inTurns(context, `store: ${label}, questions`, async () => ({
    // Another one each time: what was just read is quicker to read again.
    found: await fly({ inFlight: 1, calls: 200 }, () => findOne(invocations, knownCorrelationId(asked++, filled.rows))),
    counted: await fly({ inFlight: 1, calls: 10 }, () => countAll(invocations, filled)),
    week: await fly({ inFlight: 1, calls: 10 }, () => invocations.stats({ since: weekAgo, until: filled.until })),
  }));
  return [
    { ...row(`${label}: by correlation id, p50`, answers, ({ found }) => p50(found)), section: 'questions' },
    { ...row(`${label}: statistics of all, p50`, answers, ({ counted }) => p50(counted)), section: 'questions' },
    { ...row(`${label}: statistics of a week, p50`, answers, ({ week }) => p50(week)), section: 'questions' },
  ];
}

async function findOne(log: InvocationLog, correlationId: string): Promise<void> {
  const { invocations } = await log.list({ correlationId, limit: 20 });
  if (invocations.length === 0) throw new Error('the log did not find an invocation that it has');
}

async function countAll(log: InvocationLog, { since, until, rows }: Filled): Promise<void> {
  const { skills } = await log.stats({ since, until });
  const counted = skills.reduce((sum, { count }) => sum + count, 0);
  if (counted < rows) throw new Error(`the statistics count ${counted} of ${rows} invocations`);
}

async function inTurns<T>(context: MeasureContext, what: string, take: () => Promise<T>): Promise<readonly T[]> {
  const rounds = Math.min(mostRounds, context.rounds);
  const taken: T[] = [];
  for (let round = 1; round <= rounds; round++) {
    context.progress(`${what}, round ${round} of ${rounds}`);
    taken.push(await take());
  }
  return taken;
}

function row<T>(what: string, taken: readonly T[], of: (one: T) => number, floor?: (one: T) => number): Row {
  const unit: Unit = 'µs';
  return { section: 'writes', what, unit, samples: taken.map(of), floorSamples: floor ? taken.map(floor) : [] };
}

const p50 = ({ latenciesUs }: Flight): number => median(latenciesUs);
const p99 = ({ latenciesUs }: Flight): number => quantile(latenciesUs, 0.99);
