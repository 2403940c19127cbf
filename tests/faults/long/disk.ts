// No room for SQLite (F5): files that may not grow, a disk that is full and has room again. At random sizes.
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Random } from '../../../bench/random.ts';
import { StoreUnavailable } from '../../../src/skills/record/invocation-log.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import { invocationOf, logRun } from '../../contracts/stores/store-world.ts';
import { expectSound, idsAfter, startWriter } from '../store-processes.ts';
import { type FaultContext, type FaultPart, pause } from './fault-part.ts';

const ROUNDS = 15;
/** How often the disk of one round is full. */
const TIMES = 3;
const FULL = /^Cannot (?:use|write) the log: the disk /;

export const diskFaults: FaultPart = async (context) => {
  const folder = context.folder('disk');
  await context.check(`sqlite: files that may not grow, ${ROUNDS} rounds`, () => limitFiles(folder, context));
  const name = `sqlite: disk full and room again, ${ROUNDS} rounds of ${TIMES}`;
  const disk = join(folder, 'mounted');
  mkdirSync(disk);
  if (!mountDisk(disk)) return context.skip(name, 'a small file system can be mounted by root alone');
  unmountDisk(disk);
  process.once('exit', () => unmountDisk(disk));
  await context.check(name, () => fillDisks(disk, context));
};

async function limitFiles(folder: string, { random, progress }: FaultContext): Promise<string> {
  const next = random();
  let refused = 0;
  for (let round = 1; round <= ROUNDS; round += 1) {
    progress(`files that may not grow, round ${round} of ${ROUNDS}`);
    const place = { kind: 'sqlite', dataDirectory: join(folder, `limited-${round}`) } as const;
    const blocks = 200 + Math.floor(next() * 2_000);
    const writer = startWriter(place, { count: 300, together: 4 }, `ulimit -f ${blocks}; trap "" XFSZ`);
    const exit = await writer.exit;
    if (exit !== 0) throw new Error(`${blocks} blocks: the writer ended with ${exit}: ${writer.stderr()}`);
    const refusals = idsAfter(writer.words, 'refused');
    expectSentences(refusals);
    refused += refusals.length;
    await expectSound(place, writer.words);
  }
  if (refused === 0) throw new Error('nothing was ever refused');
  return `${refused} refused with a sentence, nothing acknowledged was lost`;
}

async function fillDisks(disk: string, { random, progress }: FaultContext): Promise<string> {
  const next = random();
  let written = 0;
  for (let round = 1; round <= ROUNDS; round += 1) {
    progress(`full disk, round ${round} of ${ROUNDS}`);
    if (!mountDisk(disk)) throw new Error('the file system could not be mounted again');
    try {
      written += await fillDisk(disk, next);
    } finally {
      unmountDisk(disk);
    }
  }
  return `${written} acknowledged, none lost`;
}

/** How many runs were acknowledged. */
async function fillDisk(disk: string, random: Random): Promise<number> {
  const place = { kind: 'sqlite', dataDirectory: disk } as const;
  const store = openStore(place);
  const words: string[] = [];
  try {
    await write(store, words, random);
    for (let time = 1; time <= TIMES; time += 1) {
      const ballast = join(disk, 'ballast');
      writeFileSync(ballast, Buffer.alloc(Math.max(0, freeBytes(disk) - 100_000 - Math.floor(random() * 700_000))));
      await writeUntilFull(store, words, random);
      rmSync(ballast);
      await untilReady(store);
      await write(store, words, random);
    }
  } finally {
    await store.close();
  }
  await expectSound(place, words);
  return words.length;
}

async function writeUntilFull(store: Store, words: string[], random: Random): Promise<void> {
  try {
    for (;;) await write(store, words, random);
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    expectSentences([error.message]);
  }
}

async function write(store: Store, words: string[], random: Random): Promise<void> {
  const inputPayload = { text: 'x'.repeat(Math.floor(random() * 20_000)) };
  const invocation = invocationOf({ timestamp: new Date(), inputPayload });
  await logRun(store.invocations, invocation);
  words.push(`ended ${invocation.id}`);
}

async function untilReady(store: Store): Promise<void> {
  for (let tries = 0; !(await store.health()).isReady; tries += 1) {
    if (tries === 40) throw new Error('two seconds after there was room the store was not ready');
    await pause(50);
  }
}

function expectSentences(refusals: readonly string[]): void {
  const odd = refusals.find((refusal) => !FULL.test(refusal));
  if (odd !== undefined) throw new Error(`refused for another reason: ${odd}`);
}

const freeBytes = (path: string): number => {
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize;
};

const mountDisk = (path: string): boolean =>
  spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', path]).status === 0;

const unmountDisk = (path: string) => spawnSync('umount', ['-l', path]);
