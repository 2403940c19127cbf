// Starts processes that remember skills, kills them, and checks what they leave (DESIGN 15). Used by a short test and long loops.
import { deepStrictEqual } from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Random } from '../../bench/random.ts';
import { applyBetween, betweenStarts, PLACES_BEFORE } from '../../src/catalog/fixtures/between-starts.ts';
import { startCold, startFrom } from '../../src/catalog/fixtures/remembered-start.ts';
import { SkillWorld } from '../../src/catalog/fixtures/skill-world.ts';
import fc from '../support/property.ts';

export interface RememberingOrders {
  readonly data: string;
  readonly root: string;
  /** `writes`: one note, over and over. `starts`: reads, scans, and writes where something changed. */
  readonly work: 'writes' | 'starts';
  /** It kills itself when the file of its first note is empty, half there, or whole and not yet renamed. */
  readonly dieAt?: Moment;
}

const MOMENTS = ['empty', 'half', 'whole'] as const;
type Moment = (typeof MOMENTS)[number];

interface Rememberer {
  /** Resolves when it has begun with what it does. */
  readonly ready: Promise<void>;
  /** How many starts it has made. */
  starts(): number;
  /** Throws when it was gone before. */
  kill(): Promise<void>;
  /** Resolves with the signal or the code that ended it. */
  readonly ended: Promise<string | number>;
  /** Whatever became of it. */
  end(): void;
}

const script = fileURLToPath(new URL('./remembering-process.ts', import.meta.url));

function startRememberer(orders: RememberingOrders): Rememberer {
  const command = ['--import', 'tsx', script, JSON.stringify(orders)];
  const child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'pipe'] });
  let [said, stderr] = ['', ''];
  child.stderr.on('data', (chunk) => {
    stderr = (stderr + chunk).slice(-5_000);
  });
  const gone = once(child, 'close');
  const ready = new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      said += chunk;
      resolve();
    });
    gone.then(() => reject(new Error(`it ended before it was ready: ${stderr}`)));
  });
  // Who waits for it hears of it; who does not, does not need to.
  ready.catch(() => undefined);
  return {
    ready,
    starts: () => said.split('\n').length - 1,
    kill: () => killAlive(child, gone, () => stderr),
    ended: gone.then(([code, signal]) => signal ?? code),
    end: () => child.kill('SIGKILL'),
  };
}

async function killAlive(child: ChildProcess, gone: Promise<unknown>, stderr: () => string): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) {
    throw new Error(`it ended by itself with ${child.exitCode ?? child.signalCode}: ${stderr()}`);
  }
  child.kill('SIGKILL');
  await gone;
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

export interface Loop {
  readonly rounds: number;
  readonly random: Random;
  readonly progress?: (text: string) => void;
}

export interface Killed {
  /** Files of writers that were killed before they were whole, and between that and their new name. */
  readonly halfWritten: number;
  readonly notRenamed: number;
}

const HOUR_MS = 3_600_000;
const SKILLS = 150;

/** Writers are killed, each in another moment; the note is whole all the same, and the next start sees what is there. */
export async function killWriters(folder: string, loop: Loop): Promise<Killed> {
  const { rounds, random, progress } = loop;
  const world = await describedWorld(folder);
  for (let round = 1; round <= rounds; round += 1) {
    progress?.(`a writer of notes is killed, round ${round} of ${rounds}`);
    await (round % 2 === 0 ? killAtRandom(world, random) : killAt(world, MOMENTS[(round >> 1) % 3] ?? 'half'));
    const { view, misses } = await startFrom(requestFor(world));
    if (misses === undefined) throw new Error(`round ${round}: the note is not whole`);
    deepStrictEqual(view, await startCold(requestFor(world).roots));
    world.skill(`root/s${Math.floor(random() * SKILLS)}`, { body: `round ${round}\n` });
  }
  return sweepLeftovers(world);
}

/** With a note. */
async function describedWorld(folder: string): Promise<SkillWorld> {
  const world = new SkillWorld(folder);
  const description = 'long '.repeat(150);
  for (let index = 0; index < SKILLS; index += 1) {
    world.write(`root/s${index}/SKILL.md`, `---\nname: s${index}\ndescription: ${description}\n---\n`);
  }
  await pause(60);
  await startFrom(requestFor(world));
  world.skill('root/s0');
  return world;
}

const requestFor = (world: SkillWorld) => ({ data: world.at('data'), roots: [world.at('root')] });
const ordersFor = (world: SkillWorld) => ({ data: world.at('data'), root: world.at('root') });

async function killAtRandom(world: SkillWorld, random: Random): Promise<void> {
  const writer = startRememberer({ ...ordersFor(world), work: 'writes' });
  try {
    await writer.ready;
    await pause(random() * 20);
    await writer.kill();
  } finally {
    writer.end();
  }
}

async function killAt(world: SkillWorld, dieAt: Moment): Promise<void> {
  const ended = await startRememberer({ ...ordersFor(world), work: 'starts', dieAt }).ended;
  if (ended !== 'SIGKILL') throw new Error(`it was to die when its file was ${dieAt}, and ended with ${ended}`);
}

/** Counts what the dead left, and sees that it goes. */
async function sweepLeftovers(world: SkillWorld): Promise<Killed> {
  const directory = world.at('data/remembered');
  const names = readdirSync(directory).filter((name) => name.endsWith('.tmp'));
  const sizes = names.map((name) => statSync(join(directory, name)).size);
  const longAgo = new Date(Date.now() - 2 * HOUR_MS);
  for (const name of names) utimesSync(join(directory, name), longAgo, longAgo);
  world.skill('root/new');
  await startFrom(requestFor(world));
  const left = readdirSync(directory).filter((name) => !name.endsWith('.note'));
  if (left.length > 0) throw new Error(`${left.length} leftovers of dead writers stayed`);
  const notRenamed = sizes.filter((size) => size > Math.max(...sizes) * 0.8).length;
  return { halfWritten: sizes.length - notRenamed, notRenamed };
}

/** Several processes start side by side, and write the same note, while skills change; whenever they rest, a start is right. */
export async function startSideBySide(folder: string, { rounds, random, progress }: Loop, processes = 3) {
  const world = new SkillWorld(folder);
  for (const place of PLACES_BEFORE) {
    world.skill(`root/${place}`);
    world.skill(`spare/${place}`, { body: 'of the spare one\n' });
  }
  const request = requestFor(world);
  const others = Array.from({ length: processes }, () => startRememberer({ ...ordersFor(world), work: 'starts' }));
  try {
    await Promise.all(others.map(({ ready }) => ready));
    for (let round = 1; round <= rounds; round += 1) {
      progress?.(`${processes} processes start while skills change, round ${round} of ${rounds}`);
      const seed = Math.floor(random() * 2 ** 31);
      for (const changes of fc.sample(betweenStarts, { numRuns: 6, seed })) {
        for (const change of changes) applyBetween(world, change);
        await pause(random() * 40);
      }
      const { view } = await startFrom(request);
      deepStrictEqual(view, await startCold(request.roots));
    }
    const starts = others.reduce((sum, other) => sum + other.starts(), 0);
    await Promise.all(others.map((other) => other.kill()));
    return { starts };
  } finally {
    for (const other of others) other.end();
  }
}
