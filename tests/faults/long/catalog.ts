// Skills that change in bulk and in storms (F7, F11, F12): how soon the list is right again, and what waits meanwhile.
import { realpathSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import type { Random } from '../../../bench/random.ts';
import type { Catalog } from '../../../src/catalog/catalog.ts';
import { fullViewOf, testRoot } from '../../../src/catalog/fixtures/open-test-catalog.ts';
import { SkillWorld } from '../../../src/catalog/fixtures/skill-world.ts';
import { openLiveCatalog } from '../../../src/catalog/live-catalog.ts';
import { World } from '../../support/world.ts';
import { editInBulk } from '../bulk-edits.ts';
import { areSeen, canLimitWatchers, NO_NAMESPACE, startWithFewWatchers, writeManySkills } from '../few-watchers.ts';
import { untilHolds } from '../serve-world.ts';
import { changeAtRandom } from '../skill-storm.ts';
import { expectWithin, type FaultContext, type FaultPart } from './fault-part.ts';

const ROUNDS = 10;
const SKILLS = 1_500;
const ANSWER_LIMIT_MS = 1_000;
const STOP_LIMIT_MS = 3_000;
const QUIET_LIMIT_MS = 5_000;
const CHANGE_LIMIT_MS = 1_500;
const HOUR = 3_600_000;

export const catalogFaults: FaultPart = async (context) => {
  await context.check(`skills: ${SKILLS} edited at once, pings and SIGTERM meanwhile`, pingAndStop);
  await context.check(`skills: storms of 400 changes, ${ROUNDS} rounds`, () => endureStorms(context));
  await context.check('skills: changes while the clock jumps', () => jumpClocks(context));
  const name = 'skills: more folders than watchers';
  if (canLimitWatchers()) await context.check(name, () => lackWatchers(context));
  else context.skip(name, NO_NAMESPACE);
};

async function pingAndStop(): Promise<string> {
  const world = new World({ apart: true });
  try {
    const { pings, slowestAnswerMs, exitCode, stopMs } = await editInBulk(world, SKILLS);
    if (exitCode !== 0) throw new Error(`ended with ${exitCode}`);
    expectWithin(ANSWER_LIMIT_MS, 'an answer', slowestAnswerMs);
    expectWithin(STOP_LIMIT_MS, 'stopped', stopMs);
    return `${pings} pings, the slowest answer ${Math.round(slowestAnswerMs)} ms; exit 0 after ${Math.round(stopMs)} ms`;
  } finally {
    await world.close();
  }
}

const worldIn = (context: FaultContext, name: string) => new SkillWorld(realpathSync(context.folder(name)));

async function endureStorms(context: FaultContext): Promise<string> {
  const random: Random = context.random();
  const world = worldIn(context, 'storms');
  for (let index = 0; index < 30; index += 1) world.skill(`root/g${index % 3}/s${index}`);
  let slowestMs = 0;
  await withCatalog(world, {}, async (catalog) => {
    for (let round = 1; round <= ROUNDS; round += 1) {
      context.progress(`storm, round ${round} of ${ROUNDS}`);
      await changeAtRandom(world, random, 400);
      slowestMs = Math.max(slowestMs, await untilAsCold(catalog, world));
    }
  });
  expectWithin(QUIET_LIMIT_MS, 'right after a storm', slowestMs);
  return `as a cold scan after at most ${Math.round(slowestMs)} ms`;
}

async function jumpClocks(context: FaultContext): Promise<string> {
  const world = worldIn(context, 'clocks');
  world.skill('root/a');
  let [offset, slowestMs] = [0, 0];
  await withCatalog(world, { now: () => new Date(Date.now() + offset) }, async (catalog) => {
    for (const jump of [-HOUR, 24 * HOUR, -1, 0, -1_000 * HOUR, 50]) {
      offset = jump;
      world.skill('root/a', { body: `clock at ${jump}\n` });
      world.skill(`root/new${jump}`);
      slowestMs = Math.max(slowestMs, await untilAsCold(catalog, world));
    }
  });
  expectWithin(CHANGE_LIMIT_MS, 'a change', slowestMs);
  return `seen after at most ${Math.round(slowestMs)} ms`;
}

async function lackWatchers(context: FaultContext): Promise<string> {
  const world = worldIn(context, 'few-watchers');
  writeManySkills(world, 'first');
  const server = await startWithFewWatchers(world);
  let slowestMs = 0;
  try {
    for (const body of ['second', 'third', 'fourth']) {
      writeManySkills(world, body);
      slowestMs = Math.max(slowestMs, await untilHolds(`${body} is seen`, () => areSeen(server, body)));
    }
  } finally {
    server.kill();
  }
  expectWithin(QUIET_LIMIT_MS, 'a change', slowestMs);
  return `seen after at most ${Math.round(slowestMs)} ms`;
}

const openRoot = (world: SkillWorld, watch: boolean, now = () => new Date()): Promise<Catalog> =>
  openLiveCatalog({
    roots: [testRoot(world.at('root'))],
    allowLinks: [],
    without: [],
    watch,
    // Without the regular look at everything: what is seen was watched.
    rescanMs: HOUR,
    now,
    log: () => undefined,
  });

async function withCatalog(
  world: SkillWorld,
  { now }: { readonly now?: () => Date },
  work: (catalog: Catalog) => Promise<void>,
): Promise<void> {
  const catalog = await openRoot(world, true, now);
  try {
    await work(catalog);
  } finally {
    catalog.close();
  }
}

/** Milliseconds until it answers what one that starts now answers. */
async function untilAsCold(catalog: Catalog, world: SkillWorld): Promise<number> {
  const started = performance.now();
  const fresh = await openRoot(world, false);
  const cold = await fullViewOf(fresh);
  fresh.close();
  await untilHolds('the list is right', async () => isDeepStrictEqual(await fullViewOf(catalog), cold));
  return performance.now() - started;
}
