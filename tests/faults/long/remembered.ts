// Starts that remember (DESIGN 15): in thousands of rounds as cold ones; writers of notes killed, side by side, on a full disk.
import { join } from 'node:path';
import fc from 'fast-check';
import { wholeNumber } from '../../../bench/random.ts';
import { type Lived, live, lives, type Pace, prepareWorlds } from '../../../src/catalog/fixtures/remembered-rounds.ts';
import { killWriters, startSideBySide } from '../remembering-processes.ts';
import type { FaultContext, FaultPart } from './fault-part.ts';

const ROUNDS = 5_000;
/** They wait for the clock together. */
const TOGETHER = 24;
const KILLS = 100;
const STORMS = 60;

export const rememberedFaults: FaultPart = async (context) => {
  for (const pace of ['hasty', 'patient'] as const) {
    const name = `remembered starts: changes before and during ${pace} starts, ${ROUNDS} rounds`;
    await context.check(name, () => liveOften(context, pace));
  }
  await context.check(`remembered starts: a writer of notes is killed, ${KILLS} rounds`, () => killOften(context));
  await context.check(`remembered starts: side by side while skills change, ${STORMS} rounds`, async () => {
    const { starts } = await startSideBySide(context.folder('side-by-side'), loopOf(context, STORMS));
    return `${starts} starts of 3 processes, as cold ones`;
  });
};

const loopOf = ({ random, progress }: FaultContext, rounds: number) => ({ rounds, random: random(), progress });

async function killOften(context: FaultContext): Promise<string> {
  const { halfWritten, notRenamed } = await killWriters(context.folder('killed'), loopOf(context, KILLS));
  if (halfWritten + notRenamed === 0) throw new Error('none was ever killed while it wrote');
  return `${halfWritten} half written, ${notRenamed} whole without their name; the note was whole every time`;
}

async function liveOften(context: FaultContext, pace: Pace): Promise<string> {
  const random = context.random();
  const home = context.folder(pace);
  let [rounds, remembered] = [0, 0];
  while (rounds < ROUNDS) {
    context.progress(`${pace} starts, round ${rounds} of ${ROUNDS}`);
    for (const each of await liveTogether(home, pace, wholeNumber(random, 2 ** 31))) {
      rounds += each.rounds;
      remembered += each.remembered;
    }
  }
  return `${rounds} rounds as cold ones, ${remembered} of them from memory`;
}

/** Each in a folder of its own. What fails is made as small as it can be, and said. */
async function liveTogether(home: string, pace: Pace, seed: number): Promise<readonly Lived[]> {
  const batch = fc.sample(lives(pace), { seed, numRuns: TOGETHER });
  const worlds = await prepareWorlds(batch.map((_, index) => join(home, String(index))));
  const outcomes: Promise<Lived>[] = [];
  for (const [index, world] of worlds.entries()) {
    const lived = live(world, batch[index] ?? []);
    outcomes.push(lived);
    // Nothing else may hold up one that is in haste.
    if (pace === 'hasty') await Promise.allSettled([lived]);
  }
  const settled = await Promise.allSettled(outcomes);
  for (const world of worlds) world.remove();
  for (const [index, { status }] of settled.entries()) {
    if (status === 'rejected') await explain(home, pace, { seed, path: String(index) });
  }
  // Where it did not go wrong again, it is told as it was.
  return Promise.all(outcomes);
}

/** Throws, with the fewest changes that go wrong. */
async function explain(home: string, pace: Pace, repeat: { readonly seed: number; readonly path: string }) {
  const property = fc.asyncProperty(lives(pace), async (life) => {
    for (const world of await prepareWorlds([join(home, 'again')])) {
      await live(world, life).finally(() => world.remove());
    }
  });
  await fc.assert(property, { ...repeat, numRuns: 1 });
}
