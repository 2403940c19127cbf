// Measures search_skills: the first search of a fresh process, how long others wait while the index is built, then short
// and long queries, and what the index weighs.
import { now } from '../clock.ts';
import type { Corpus } from '../corpus.ts';
import { type Measure, type MeasureContext, withServer } from '../measure.ts';
import { findStats, waitUntilQuiet } from '../process-stats.ts';
import { createRandom, wholeNumber } from '../random.ts';
import type { Row } from '../row.ts';
import { quantile } from '../statistics.ts';
import { requestLine, type StdioClient } from '../stdio-client.ts';
import { words } from '../words.ts';

const fewestSkills = 1_000;
/** As many as a large public collection has. */
const collection: Corpus = { label: '1,454 skills', skills: 1_454 };
/** No skill has it, so that its search is answered by the index. */
const unknownWord = 'qxzvwk';
const queriesPerKind = 200;
const mostRounds = 3;
const requestWords = 300;

interface Searching {
  readonly firstMs: number;
  /** Until a search that needs the index was answered, and the longest wait of other calls meanwhile. */
  readonly indexedMs: number;
  readonly pauseMs: number;
  readonly short: readonly number[];
  readonly long: readonly number[];
  /** A call that only looks a name up: what the wire itself costs. */
  readonly lookUps: readonly number[];
  readonly indexMb: number | undefined;
}

export const measureSearch: Measure = async (context) => {
  const rows: Row[] = [];
  const large = context.corpora.filter(({ skills }) => skills >= fewestSkills);
  for (const corpus of large.length === 0 ? [] : [collection, ...large]) {
    const rounds = Math.min(mostRounds, context.rounds);
    const taken: Searching[] = [];
    for (let round = 0; round < rounds; round++) {
      context.progress(`search: ${corpus.label}, round ${round + 1} of ${rounds}`);
      taken.push(await measureOnce(context, corpus));
    }
    rows.push(...rowsOf(corpus, taken));
  }
  return rows;
};

function measureOnce({ workshop }: MeasureContext, corpus: Corpus): Promise<Searching> {
  const { path, names } = workshop.root(corpus);
  return withServer(workshop, path, async (server) => {
    await server.greet();
    const before = await waitUntilQuiet(server.pid);
    const random = createRandom(corpus.skills);
    const shortQueries = Array.from({ length: queriesPerKind }, () => words(random, 1 + wholeNumber(random, 4)));
    const longQueries = Array.from({ length: queriesPerKind }, () => words(random, requestWords));
    const [firstMs = Number.NaN] = await latenciesOf(server, [searchCall('report')]);
    const building = await watchIndexing(server, names);
    await waitUntilQuiet(server.pid);
    const after = findStats(server.pid);
    return {
      firstMs,
      ...building,
      short: await latenciesOf(server, shortQueries.map(searchCall)),
      long: await latenciesOf(server, longQueries.map(searchCall)),
      lookUps: await latenciesOf(server, names.slice(0, queriesPerKind).map(missingFileCall)),
      indexMb: before && after ? after.residentMb - before.residentMb : undefined,
    };
  });
}

/** One call after the other, until the index answers. */
async function watchIndexing(
  server: StdioClient,
  names: readonly string[],
): Promise<Pick<Searching, 'indexedMs' | 'pauseMs'>> {
  const begun = now();
  let indexedMs: number | undefined;
  const indexed = server.callTool('search_skills', { query: unknownWord }).then(({ at }) => {
    indexedMs = at - begun;
  });
  let pauseMs = 0;
  for (let turn = 0; indexedMs === undefined; turn += 1) {
    const { name, arguments: input } = missingFileCall(names[turn % names.length] ?? '');
    const asked = now();
    const { at } = await server.callTool(name, input);
    pauseMs = Math.max(pauseMs, at - asked);
  }
  await indexed;
  return { indexedMs, pauseMs };
}

const searchCall = (query: string) => ({ name: 'search_skills', arguments: { query } });

/** Answers a line or two, as a search does: what it costs is the way there and back. */
const missingFileCall = (name: string) => ({
  name: 'read_skill_file',
  arguments: { uri: `skill://${name}/no-such-file` },
});

let nextId = 1_000_000;

async function latenciesOf(server: StdioClient, calls: readonly object[]): Promise<readonly number[]> {
  const lines = calls.map((call) => {
    nextId += 1;
    return requestLine(nextId, 'tools/call', call);
  });
  return (await server.burst(lines, 1)).latencies;
}

function rowsOf({ label }: Corpus, taken: readonly Searching[]): readonly Row[] {
  const row = (what: string, of: (one: Searching) => number | undefined, floor?: (one: Searching) => number): Row => ({
    section: 'search',
    what: `${label}: ${what}`,
    unit: what === 'index in memory' ? 'MB' : 'ms',
    samples: taken.map(of).filter((value) => value !== undefined),
    floorSamples: floor ? taken.map(floor) : [],
  });
  const at = (share: number) => (latencies: readonly number[]) => quantile(latencies, share);
  return [
    row('first search', ({ firstMs }) => firstMs),
    row('index complete', ({ indexedMs }) => indexedMs),
    row('longest wait of other calls until then', ({ pauseMs }) => pauseMs),
    ...([0.5, 0.99] as const).flatMap((share) => [
      row(
        `few words, p${share * 100}`,
        ({ short }) => at(share)(short),
        ({ lookUps }) => at(share)(lookUps),
      ),
      row(
        `300 words, p${share * 100}`,
        ({ long }) => at(share)(long),
        ({ lookUps }) => at(share)(lookUps),
      ),
    ]),
    row('index in memory', ({ indexMb }) => indexMb),
  ];
}
