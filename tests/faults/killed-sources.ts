// `add`, `update` and `sync`, killed at random moments: lock and content are the old or the new ones, whole (S5).
import { spawn } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Random } from '../../bench/random.ts';
import { checkSource } from '../../src/sources/check-source.ts';
import { contentPlace } from '../../src/sources/content.ts';
import { type Files, SourceWorld, skillText } from '../../src/sources/fixtures/source-world.ts';
import { parseLock } from '../../src/sources/lock.ts';
import { program } from '../support/world.ts';

const SKILLS = 12;
/** Some end before they can be killed: then there is another round. */
const MOST_ROUNDS = 4;

const filesOf = (round: number): Files =>
  Object.fromEntries(
    Array.from({ length: SKILLS }, (_, index) => [
      [`skills/s-${index}/SKILL.md`, skillText(`s-${index}`, `Round ${round}\n`.repeat(40))],
      [`skills/s-${index}/data/${round}.txt`, `${round}\n`.repeat(2_000)],
    ]).flat(),
  );

export interface KilledSources {
  readonly killed: number;
  /** Of the others: they had ended before. */
  readonly ended: number;
}

/** Throws what is wrong. */
export async function killOften(
  kills: number,
  random: Random,
  progress: (text: string) => void,
): Promise<KilledSources> {
  const world = new SourceWorld();
  try {
    const repository = world.repository('origin');
    repository.commit(filesOf(0));
    const tookMs = Number(await run(world, ['add', repository.path, '--yes'], undefined));
    let [killed, ended] = [0, 0];
    for (let round = 1; killed < kills && round <= MOST_ROUNDS * kills; round += 1) {
      progress(`sources, ${killed} of ${kills} killed`);
      const words = prepare(world, round, () => repository.commit(filesOf(round)), repository.path);
      const before = lockTextOf(world);
      if ((await run(world, words, random() * tookMs)) === 'killed') killed += 1;
      else ended += 1;
      await expectWhole(world, { before, isSync: words[0] === 'sync' });
      await run(world, ['sync'], undefined);
      await expectWhole(world, { before: lockTextOf(world), isSync: false });
    }
    return { killed, ended };
  } finally {
    world.remove();
  }
}

/** Empty while there is none. */
const lockTextOf = (world: SourceWorld): string => (existsSync(world.lockPath) ? world.lockText() : '');

/** What is killed next, with a state that it has something to do in. */
function prepare(world: SourceWorld, round: number, commit: () => void, source: string): readonly string[] {
  if (round % 3 === 0) {
    rmSync(join(world.data, 'sources'), { recursive: true, force: true });
    return ['sync'];
  }
  commit();
  if (round % 3 === 1) return ['update', '--yes'];
  rmSync(world.lockPath, { force: true });
  return ['add', source, '--yes'];
}

interface Expected {
  readonly before: string;
  /** Then content may be missing: it was. */
  readonly isSync: boolean;
}

async function expectWhole(world: SourceWorld, { before, isSync }: Expected): Promise<void> {
  const text = lockTextOf(world);
  if (text === '') {
    if (before !== '') throw new Error('The lock is gone');
    return;
  }
  const lock = parseLock(text);
  if (!lock.ok) throw new Error(`The lock is neither the old nor the new one: ${lock.failure}`);
  if (isSync && text !== before) throw new Error('sync changed the lock');
  for (const source of lock.value.sources) {
    const { state, differences } = await checkSource(source, contentPlace(world.data));
    const isFine = state === 'ready' || (isSync && state === 'missing');
    if (!isFine) throw new Error(`Content is neither the old nor the new: ${JSON.stringify(differences.slice(0, 3))}`);
  }
}

/** After `killMs`, if it has not ended by itself. Answers how long it took, or that it was killed. */
function run(world: SourceWorld, words: readonly string[], killMs: number | undefined): Promise<number | 'killed'> {
  const started = performance.now();
  const child = spawn(process.execPath, [program, ...words], {
    cwd: world.project,
    env: world.variables,
    stdio: 'ignore',
  });
  const timer = killMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killMs);
  return new Promise((resolve, reject) => {
    child.once('exit', (code, signal) => {
      clearTimeout(timer);
      if (signal === 'SIGKILL') resolve('killed');
      else if (code === 0 || killMs !== undefined) resolve(performance.now() - started);
      else reject(new Error(`${words[0]} ended with ${code ?? signal}`));
    });
  });
}
