// Measures a call of a typed skill without a log, beside the least that a checked call can cost, and one of a worker skill,
// beside a bare process. In a process of its own,
// from the built library: the loader that runs the bench makes private fields slow.
import { fileURLToPath } from 'node:url';
import type { Measure } from '../measure.ts';
import { readNode } from '../node-process.ts';
import type { Row, Unit } from '../row.ts';

const loopPath = fileURLToPath(new URL('./invoke-loop.mjs', import.meta.url));
const isolatedPath = fileURLToPath(new URL('./isolated-loop.mjs', import.meta.url));
const library = new URL('../../dist/lib/skills.js', import.meta.url).href;
const mostProcesses = 3;
const roundsEach = 15;
const callsPerRound = 10_000;
const isolatedCallsPerRound = 1_000;

/** µs per call. */
interface Pair {
  readonly ours: number;
  readonly floor: number;
}

interface Loop {
  /** Six fields with a list of objects, as the skills for tasks have them. */
  readonly task: Pair;
  /** The same fields without formats, limits and defaults. */
  readonly plain: Pair;
  /** One field: nearly all of it is ours. */
  readonly echo: Pair;
}

interface IsolatedLoop {
  readonly call: Pair;
  /** In ms: it starts the process. */
  readonly first: Pair;
  /** In MB, of the process when it waits; 0 where the system does not say. */
  readonly memory: Pair;
}

export const measureInvoke: Measure = async ({ workshop, rounds, progress }) => {
  const processes = Math.min(mostProcesses, rounds);
  const loops: Loop[] = [];
  const isolated: IsolatedLoop[] = [];
  for (let number = 1; number <= processes; number++) {
    progress(`invoke: process ${number} of ${processes}`);
    const words = [loopPath, library, String(roundsEach), String(callsPerRound)];
    loops.push(JSON.parse(await readNode(words, workshop.createBox())) as Loop);
    const isolatedWords = [isolatedPath, library, String(roundsEach), String(isolatedCallsPerRound)];
    isolated.push(JSON.parse(await readNode(isolatedWords, workshop.createBox())) as IsolatedLoop);
  }
  return [
    rowOf('six fields and a list', 'µs', pairs(loops, 'task')),
    rowOf('the same without formats and limits', 'µs', pairs(loops, 'plain')),
    rowOf('one field', 'µs', pairs(loops, 'echo')),
    rowOf('a worker skill', 'µs', pairs(isolated, 'call')),
    rowOf('a worker skill, the first call', 'ms', pairs(isolated, 'first')),
    rowOf('its process while it waits', 'MB', pairs(isolated, 'memory')),
  ];
};

const pairs = <K extends string>(loops: readonly Readonly<Record<K, Pair>>[], what: K): readonly Pair[] =>
  loops.map((loop) => loop[what]).filter(({ ours }) => ours > 0);

function rowOf(what: string, unit: Unit, measured: readonly Pair[]): Row {
  return {
    section: 'invoke',
    what,
    unit,
    samples: measured.map(({ ours }) => ours),
    floorSamples: measured.map(({ floor }) => floor),
  };
}
