// Measures starts: until the first useful answer, then CPU and memory once the server is quiet.
import { fileURLToPath } from 'node:url';
import type { Corpus } from '../corpus.ts';
import { type Measure, type MeasureContext, withServer } from '../measure.ts';
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
  readonly readyMs: number[];
  readonly bareNodeMs: number[];
  /** These three stay empty where the system does not tell. */
  readonly cpuMs: number[];
  readonly residentMb: number[];
  readonly readAndHashMs: number[];
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
  return [...all.map(startRow), ...scanRows(all), ...all.map((starts) => memoryRow(starts, idleMb))];
};

const createStarts = (corpus: Corpus): Starts => ({
  corpus,
  readyMs: [],
  bareNodeMs: [],
  cpuMs: [],
  residentMb: [],
  readAndHashMs: [],
});

/** The floors are taken beside each start: what else the machine does then hits both. */
async function startOnce(starts: Starts, { workshop }: MeasureContext): Promise<void> {
  const root = workshop.root(starts.corpus).path;
  starts.bareNodeMs.push(await timeNode(['-e', '0'], workshop.createBox()));
  await withServer(workshop, root, async (client) => {
    await client.greet();
    const { at, result } = await client.request('tools/list');
    if (result === undefined) throw new Error('tools/list was answered with an error');
    starts.readyMs.push(at - client.startedAt);
    const quiet = await waitUntilQuiet(client.pid);
    if (quiet === undefined) return;
    starts.cpuMs.push(quiet.cpuMs);
    starts.residentMb.push(quiet.residentMb);
  });
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

const startRow = ({ corpus, readyMs, bareNodeMs }: Starts): Row => ({
  section: 'start',
  what: corpus.label,
  unit: 'ms',
  samples: readyMs,
  floorSamples: bareNodeMs,
});

/** The scan's own share: what a start on an empty root costs is taken off. */
function scanRows(all: readonly Starts[]): readonly Row[] {
  const empty = median(all.find(({ corpus }) => corpus.skills === 0)?.cpuMs ?? []);
  return all
    .filter(({ corpus }) => corpus.skills > 0)
    .map(({ corpus, cpuMs, readAndHashMs }) => ({
      section: 'scan',
      what: corpus.label,
      unit: 'ms',
      samples: cpuMs.map((spent) => spent - empty),
      floorSamples: readAndHashMs,
    }));
}

const memoryRow = ({ corpus, residentMb }: Starts, idleMb: readonly number[]): Row => ({
  section: 'memory',
  what: corpus.label,
  unit: 'MB',
  samples: residentMb,
  floorSamples: idleMb,
});
