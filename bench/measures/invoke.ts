// Measures a call of a typed skill without a log, beside the least that a checked call can cost. In a process of its own,
// from the built library: the loader that runs the bench makes private fields slow.
import { fileURLToPath } from 'node:url';
import type { Measure } from '../measure.ts';
import { readNode } from '../node-process.ts';
import type { Row } from '../row.ts';

const loopPath = fileURLToPath(new URL('./invoke-loop.mjs', import.meta.url));
const library = new URL('../../dist/lib/skills.js', import.meta.url).href;
const mostProcesses = 3;
const roundsEach = 15;
const callsPerRound = 10_000;

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

export const measureInvoke: Measure = async ({ workshop, rounds, progress }) => {
  const processes = Math.min(mostProcesses, rounds);
  const loops: Loop[] = [];
  for (let number = 1; number <= processes; number++) {
    progress(`invoke: process ${number} of ${processes}`);
    const words = [loopPath, library, String(roundsEach), String(callsPerRound)];
    loops.push(JSON.parse(await readNode(words, workshop.createBox())) as Loop);
  }
  return [
    rowOf('six fields and a list', loops, ({ task }) => task),
    rowOf('the same without formats and limits', loops, ({ plain }) => plain),
    rowOf('one field', loops, ({ echo }) => echo),
  ];
};

function rowOf(what: string, loops: readonly Loop[], of: (loop: Loop) => Pair): Row {
  return {
    section: 'invoke',
    what,
    unit: 'µs',
    samples: loops.map((loop) => of(loop).ours),
    floorSamples: loops.map((loop) => of(loop).floor),
  };
}
