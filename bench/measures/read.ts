// Measures reading one skill over stdio: alone, and with 32 calls in flight; the replay floor takes turns with us.
import { thousandSkills } from '../corpus.ts';
import { type Measure, type MeasureContext, withReplay, withServer } from '../measure.ts';
import { findStats, waitUntilQuiet } from '../process-stats.ts';
import { readSkillCall, recordCalls, type ToolCall } from '../recorded.ts';
import type { Row, Unit } from '../row.ts';
import { quantile } from '../statistics.ts';
import { requestLine, type StdioClient } from '../stdio-client.ts';

const inFlight = 32;
const skillsInTurn = 64;
/** CPU time comes in steps of 10 ms: as many calls as make a step small. */
const burstsPerCall = 4;
const mostRounds = 5;

interface Speed {
  readonly p50Us: number;
  readonly p99Us: number;
  readonly callsPerSecond: number;
  readonly cpuUs: number | undefined;
}

interface Pair {
  readonly ours: Speed;
  readonly floor: Speed;
}

export const measureRead: Measure = async (context) => {
  const rounds = Math.min(mostRounds, context.rounds);
  const pairs: Pair[] = [];
  for (let round = 0; round < rounds; round++) {
    context.progress(`read: round ${round + 1} of ${rounds}`);
    pairs.push(await measureOnce(context));
  }
  return [
    createRow('server CPU, 32 in flight', 'µs', pairs, ({ cpuUs }) => cpuUs),
    createRow('throughput, 32 in flight', 'calls/s', pairs, ({ callsPerSecond }) => callsPerSecond),
    createRow('one at a time, p50', 'µs', pairs, ({ p50Us }) => p50Us),
    createRow('one at a time, p99', 'µs', pairs, ({ p99Us }) => p99Us),
  ];
};

function measureOnce({ workshop, calls }: MeasureContext): Promise<Pair> {
  const { path, names } = workshop.root(thousandSkills);
  return withServer(workshop, path, async (server) => {
    await server.greet();
    await waitUntilQuiet(server.pid);
    const inTurn = spread(names, skillsInTurn).map(readSkillCall);
    const recorded = await recordCalls(workshop, server, inTurn);
    return withReplay(workshop, recorded, async (replay) => {
      await replay.greet();
      return takeTurns(server, replay, inTurn, calls);
    });
  });
}

/** Both warm up, then both answer one at a time, then both in bursts: never far apart in time. */
async function takeTurns(
  server: StdioClient,
  replay: StdioClient,
  inTurn: readonly ToolCall[],
  calls: number,
): Promise<Pair> {
  const warmUp = linesFor(inTurn, Math.ceil(calls / 4));
  for (const client of [server, replay]) await client.burst(warmUp, 1);
  const alone = linesFor(inTurn, calls);
  const [oursAlone, floorAlone] = [await server.burst(alone, 1), await replay.burst(alone, 1)];
  const many = linesFor(inTurn, calls * burstsPerCall);
  const [ours, floor] = [await measureBurst(server, many), await measureBurst(replay, many)];
  return {
    ours: { ...ours, ...percentiles(oursAlone.latencies) },
    floor: { ...floor, ...percentiles(floorAlone.latencies) },
  };
}

async function measureBurst(
  client: StdioClient,
  lines: readonly string[],
): Promise<Pick<Speed, 'callsPerSecond' | 'cpuUs'>> {
  const before = findStats(client.pid);
  const { ms } = await client.burst(lines, inFlight);
  const after = findStats(client.pid);
  const cpuUs = before && after ? ((after.cpuMs - before.cpuMs) * 1000) / lines.length : undefined;
  return { callsPerSecond: (lines.length / ms) * 1000, cpuUs };
}

const percentiles = (latencies: readonly number[]): Pick<Speed, 'p50Us' | 'p99Us'> => ({
  p50Us: quantile(latencies, 0.5) * 1000,
  p99Us: quantile(latencies, 0.99) * 1000,
});

/** Ids that no other request of this client has. */
const firstId = 1_000_000;

const linesFor = (inTurn: readonly ToolCall[], count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) =>
    requestLine(firstId + index, 'tools/call', inTurn[index % inTurn.length] ?? {}),
  );

/** `count` of the values, evenly far apart. */
const spread = (values: readonly string[], count: number): readonly string[] =>
  values.filter((_, index) => index % Math.floor(values.length / count) === 0).slice(0, count);

function createRow(what: string, unit: Unit, pairs: readonly Pair[], of: (speed: Speed) => number | undefined): Row {
  const known = (value: number | undefined): value is number => value !== undefined;
  return {
    section: 'read',
    what,
    unit,
    samples: pairs.map(({ ours }) => of(ours)).filter(known),
    floorSamples: pairs.map(({ floor }) => of(floor)).filter(known),
  };
}
