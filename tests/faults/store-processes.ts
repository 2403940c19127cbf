// Starts processes that write to a store, kills them, and checks what they leave behind (F2, F3). Used by short tests and long loops.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { StorePlace } from '../../src/settings/store-place.ts';
import { openStore, type StoreOptions } from '../../src/store/store.ts';
import { PATIENT } from '../support/patience.ts';

export interface Writer {
  readonly child: ChildProcess;
  /** What it said so far: `ended ID`. */
  readonly words: readonly string[];
  /** Resolves with its exit code or the signal that ended it. */
  readonly exit: Promise<number | string>;
  stderr(): string;
}

export interface WriterOrders {
  readonly count: number;
  readonly together: number;
  readonly slow?: boolean;
  /** The product's unless given. */
  readonly limits?: Pick<StoreOptions, 'operationLimitMs'>;
}

/** `before`: a shell command that sets limits. */
export function startWriter(place: StorePlace, given: WriterOrders, before = ':'): Writer {
  const script = fileURLToPath(new URL('./store-writer.ts', import.meta.url));
  return startScript(script, { slow: false, limits: {}, ...given, place }, before);
}

/** `orders`: its only argument, as JSON. */
export function startScript(script: string, orders: object, before = ':'): Writer {
  const own = ['--import', 'tsx', script, JSON.stringify(orders)];
  const command = ['-c', `${before}; exec "$@"`, 'sh', process.execPath, ...own];
  const child = spawn('sh', command, { stdio: ['ignore', 'pipe', 'pipe'] });
  const words: string[] = [];
  let rest = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    words.push(...lines);
  });
  child.stderr.on('data', (chunk) => {
    stderr = (stderr + chunk).slice(-5_000);
  });
  const exit = once(child, 'close').then(([code, signal]) => code ?? signal);
  return { child, words, exit, stderr: () => stderr };
}

export const idsAfter = (words: readonly string[], word: string): readonly string[] =>
  words.filter((each) => each.startsWith(`${word} `)).map((each) => each.slice(word.length + 1));

/** Kills the writer so many milliseconds after it has acknowledged so many runs. */
export async function killWriter({ child, words, exit, stderr }: Writer, afterMs: number, runs = 1): Promise<void> {
  while (idsAfter(words, 'ended').length < runs) {
    if (child.exitCode !== null) throw new Error(`the writer ended by itself: ${stderr()}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await new Promise((resolve) => setTimeout(resolve, afterMs));
  child.kill('SIGKILL');
  await exit;
}

export interface Leftovers {
  /** Acknowledged, but not in the log. */
  readonly missing: readonly string[];
  /** Ended without a result, or the other way round. */
  readonly torn: readonly string[];
  readonly total: number;
  /** Of them by the roll-ups. */
  readonly counted: number;
}

/** Sweeps first, so that nothing runs any more. */
export async function examine(place: StorePlace, words: readonly string[]): Promise<Leftovers> {
  const store = openStore(place, PATIENT);
  try {
    await store.sweep();
    const found = new Map<string, boolean>();
    let cursor: string | undefined;
    do {
      const page = await store.invocations.list({ limit: 1_000, ...(cursor !== undefined && { cursor }) });
      for (const { invocation, result } of page.invocations) {
        const isEnded = !['pending', 'running'].includes(invocation.status);
        found.set(invocation.id, isEnded === (result !== undefined) && isEnded);
      }
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    const until = new Date(Date.now() + 60_000);
    const stats = await store.invocations.stats({ since: new Date(until.getTime() - 10_800_000), until });
    const acknowledged = [...idsAfter(words, 'ended'), ...idsAfter(words, 'begun')];
    return {
      missing: acknowledged.filter((id) => !found.has(id)),
      torn: [...found].filter(([, isSound]) => !isSound).map(([id]) => id),
      total: found.size,
      counted: stats.skills.reduce((sum, { count }) => sum + count, 0),
    };
  } finally {
    await store.close();
  }
}

/** Throws when something acknowledged is missing, half there or counted wrongly. Answers how many runs are there. */
export async function expectSound(place: StorePlace, words: readonly string[]): Promise<number> {
  const { missing, torn, total, counted } = await examine(place, words);
  if (missing.length + torn.length > 0 || counted !== total) {
    throw new Error(`lost ${missing.length}, torn ${torn.length}, ${counted} counted of ${total}`);
  }
  return total;
}
