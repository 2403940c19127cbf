// Measures the largest SKILL.md that is served: the first reading by a fresh server, and later ones (T7).
import { skillText, writeSkill } from '../corpus.ts';
import { type Measure, type MeasureContext, withReplay, withServer } from '../measure.ts';
import { waitUntilQuiet } from '../process-stats.ts';
import { createRandom } from '../random.ts';
import { readSkillCall, recordCalls } from '../recorded.ts';
import type { Row } from '../row.ts';
import { median } from '../statistics.ts';
import { requestLine, type StdioClient } from '../stdio-client.ts';
import { sentence } from '../words.ts';

const megabyte = 1_048_576;
const laterCalls = 20;
const mostRounds = 3;
const name = 'big-skill';

interface Reading {
  readonly firstMs: number;
  readonly laterMs: number;
}

export const measureBig: Measure = async (context) => {
  const root = context.workshop.folder('big');
  const random = createRandom(megabyte);
  writeSkill(root, name, skillText(random, name, sentence(random), megabyte));
  const rounds = Math.min(mostRounds, context.rounds);
  const readings: { readonly ours: Reading; readonly floor: Reading }[] = [];
  for (let round = 0; round < rounds; round++) {
    context.progress(`big: round ${round + 1} of ${rounds}`);
    readings.push(await measureOnce(context, root));
  }
  const row = (what: string, of: (reading: Reading) => number): Row => ({
    section: 'big',
    what,
    unit: 'ms',
    samples: readings.map(({ ours }) => of(ours)),
    floorSamples: readings.map(({ floor }) => of(floor)),
  });
  return [row('first call', ({ firstMs }) => firstMs), row('later calls', ({ laterMs }) => laterMs)];
};

function measureOnce({ workshop }: MeasureContext, root: string): Promise<{ ours: Reading; floor: Reading }> {
  return withServer(workshop, root, async (server) => {
    await server.greet();
    await waitUntilQuiet(server.pid);
    const ours = await readRepeatedly(server);
    const recorded = await recordCalls(workshop, server, [readSkillCall(name)]);
    const floor = await withReplay(workshop, recorded, async (replay) => {
      await replay.greet();
      return readRepeatedly(replay);
    });
    return { ours, floor };
  });
}

async function readRepeatedly(client: StdioClient): Promise<Reading> {
  const firstMs = await readOnce(client, 0);
  const later: number[] = [];
  for (let call = 1; call <= laterCalls; call++) later.push(await readOnce(client, call));
  return { firstMs, laterMs: median(later) };
}

/** Ids that no other request of this client has. */
const firstId = 1_000_000;

/** As a burst of one: the time ends with the last byte, and parsing a megabyte is not the server's. */
async function readOnce(client: StdioClient, call: number): Promise<number> {
  const { ms, bytes } = await client.burst([requestLine(firstId + call, 'tools/call', readSkillCall(name))], 1);
  if (bytes < megabyte) throw new Error(`the 1 MB skill was answered with ${bytes} bytes`);
  return ms;
}
