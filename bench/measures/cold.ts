// Measures starts, the first with an empty home and the second with what that one remembered: until the first useful answer,
// then CPU and memory once the server is quiet.
import { fileURLToPath } from 'node:url';
import type { Corpus } from '../corpus.ts';
import { type Measure, type MeasureContext, withServerIn } from '../measure.ts';
import { readNode, startNode, stopNode, timeNode } from '../node-process.ts';
import { canReadStats, waitUntilQuiet } from '../process-stats.ts';
import type { Row } from '../row.ts';
import { median } from '../statistics.ts';
import type { Workshop } from '../workshop.ts';

/** A corpus as large as this is started less often: each start takes seconds until it is quiet. */
const largeCorpus = 5_000;
const largeRounds = 3;

const readAndHash = fileURLToPath(new URL('../floors/read-and-hash.mjs', import.meta.url));

interface Starts {
  readonly corpus: Corpus;
  readonly first: StartSamples;
  readonly second: StartSamples;
  readonly bareNodeMs: number[];
  /** Stays empty where the system does not tell. */
  readonly readAndHashMs: number[];
}

interface StartSamples {
  readonly readyMs: number[];
  /** These two stay empty where the system does not tell. */
  readonly cpuMs: number[];
  readonly residentMb: number[];
}

export const measureCold: Measure = async (context) => {
  const { workshop, corpora, rounds } = context;
  const all = corpora.map((corpus) => createStarts(corpus));
  const idleMb: number[] = [];
  await timeNode(['-e', '0'], workshop.createBox()); // The first start after a while is slower: not counted.
  for (let round = 0; round < rounds; round++) {
    idleMb.push(...(await idleNodeMemory(workshop)));
    for (const starts of all) {
      if (starts.corpus.skills >= largeCorpus && round >= largeRounds) continue;
      context.progress(`cold: ${starts.corpus.label}, round ${round + 1} of ${rounds}`);
      await startOnce(starts, context);
    }
  }
  return [
    ...all.map((starts) => startRow('start', starts, starts.first)),
    ...all.map((starts) => startRow('again', starts, starts.second)),
    ...scanRows('scan', all, ({ first }) => first),
    ...scanRows('scanAgain', all, ({ second }) => second),
    ...all.map((starts) => memoryRow('memory', starts.corpus, starts.first, idleMb)),
    ...all.map((starts) => memoryRow('memoryAgain', starts.corpus, starts.second, idleMb)),
  ];
};

const createStarts = (corpus: Corpus): Starts => ({
  corpus,
  first: { readyMs: [], cpuMs: [], residentMb: [] },
  second: { readyMs: [], cpuMs: [], residentMb: [] },
  bareNodeMs: [],
  readAndHashMs: [],
});

/** The floors are taken beside each start: what else the machine does then hits both. */
async function startOnce(starts: Starts, { workshop }: MeasureContext): Promise<void> {
  const root = workshop.root(starts.corpus).path;
  const box = workshop.createBox();
  for (const samples of [starts.first, starts.second]) {
    starts.bareNodeMs.push(await timeNode(['-e', '0'], workshop.createBox()));
    await withServerIn(box, root, async (client) => {
      await client.greet();
      const { at, result } = await client.request('tools/list');
      if (result === undefined) throw new Error('tools/list was answered with an error');
      samples.readyMs.push(at - client.startedAt);
      const quiet = await waitUntilQuiet(client.pid);
      if (quiet === undefined) return;
      samples.cpuMs.push(quiet.cpuMs);
      samples.residentMb.push(quiet.residentMb);
    });
  }
  if (canReadStats()) starts.readAndHashMs.push(Number(await readNode([readAndHash, root], workshop.createBox())));
}

async function idleNodeMemory(workshop: Workshop): Promise<readonly number[]> {
  if (!canReadStats()) return [];
  const child = startNode(['-e', 'process.stdin.resume()'], workshop.createBox(), ['pipe', 'ignore', 'ignore']);
  try {
    const quiet = await waitUntilQuiet(child.pid ?? 0);
    return quiet === undefined ? [] : [quiet.residentMb];
  } finally {
    await stopNode(child);
  }
}

const startRow = (section: 'start' | 'again', { corpus, bareNodeMs }: Starts, { readyMs }: StartSamples): Row => ({
  section,
  what: corpus.label,
  unit: 'ms',
  samples: readyMs,
  floorSamples: bareNodeMs,
});

/** The scan's own share: what such a start on an empty root costs is taken off. */
function scanRows(
  section: 'scan' | 'scanAgain',
  all: readonly Starts[],
  samplesOf: (starts: Starts) => StartSamples,
): readonly Row[] {
  const none = all.find(({ corpus }) => corpus.skills === 0);
  const empty = median(none ? samplesOf(none).cpuMs : []);
  return all
    .filter(({ corpus }) => corpus.skills > 0)
    .map((starts) => ({
      section,
      what: starts.corpus.label,
      unit: 'ms',
      samples: samplesOf(starts).cpuMs.map((spent) => spent - empty),
      floorSamples: starts.readAndHashMs,
    }));
}

const memoryRow = (
  section: 'memory' | 'memoryAgain',
  { label }: Corpus,
  { residentMb }: StartSamples,
  idleMb: readonly number[],
): Row => ({ section, what: label, unit: 'MB', samples: residentMb, floorSamples: idleMb });
