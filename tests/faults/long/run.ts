// `npm run faults`: the faults that take minutes, each with random moments. Arguments, order, exit code; a line per fault.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createRandom } from '../../../bench/random.ts';
import { createPaint } from '../../../src/surfaces/cli/terminal/colours.ts';
import { startProgress } from '../../../src/surfaces/cli/terminal/progress.ts';
import { catalogFaults } from './catalog.ts';
import { diskFaults } from './disk.ts';
import type { FaultContext, FaultPart } from './fault-part.ts';
import { httpOutageFaults } from './http-outage.ts';
import { httpStopFaults } from './http-stop.ts';
import { httpStormFaults } from './http-storm.ts';
import { libraryFaults } from './library.ts';
import { outageFaults } from './outage.ts';
import { propertyFaults } from './properties.ts';
import { refusalFaults } from './refusals.ts';
import { rememberedFaults } from './remembered.ts';
import { replicaFaults } from './replicas.ts';
import { runFaults } from './runs.ts';
import { sourceFaults } from './sources.ts';
import { storeFaults } from './store.ts';
import { taskFaults } from './tasks.ts';
import { trailFaults } from './trail.ts';

const parts: Readonly<Record<string, FaultPart>> = {
  store: storeFaults,
  outage: outageFaults,
  refusals: refusalFaults,
  catalog: catalogFaults,
  disk: diskFaults,
  remembered: rememberedFaults,
  replicas: replicaFaults,
  'http-outage': httpOutageFaults,
  'http-stop': httpStopFaults,
  'http-storm': httpStormFaults,
  tasks: taskFaults,
  trail: trailFaults,
  runs: runFaults,
  properties: propertyFaults,
  sources: sourceFaults,
  library: libraryFaults,
};

const usage = `npm run faults -- [--only ${Object.keys(parts).join(',')}] [--seed NUMBER]\n`;

/** A fault that takes longer hangs. On a busy machine two hundred kills take eight minutes. */
const FAULT_LIMIT_MS = 15 * 60_000;

const isTerminal = process.stderr.isTTY === true;
const errors = { isTerminal, columns: 100, paint: createPaint(isTerminal), write: (text: string) => write(text) };

// Not only the code: what a fault that was given up still does must end, too.
process.exit(await main(process.argv.slice(2)));

async function main(words: readonly string[]): Promise<0 | 1 | 2> {
  const options = readOptions(words);
  if (typeof options === 'string') {
    write(`${options}\n${usage}`);
    return 2;
  }
  const folder = mkdtempSync(join(tmpdir(), 'repertoire-faults-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  console.log(`faults: ${options.only.join(', ')}, seed ${options.seed}`);
  const run = createRun(options.seed, folder);
  for (const name of options.only) await runPart(name, run);
  run.end();
  console.log(run.failures() === 0 ? 'all held' : `${run.failures()} failed; repeat with --seed ${options.seed}`);
  return run.failures() === 0 ? 0 : 1;
}

function readOptions(words: readonly string[]) {
  try {
    const known = { only: { type: 'string' }, seed: { type: 'string' } } as const;
    const { only, seed } = parseArgs({ args: [...words], options: known }).values;
    const names = only?.split(',') ?? Object.keys(parts);
    const stranger = names.find((name) => parts[name] === undefined);
    if (stranger !== undefined) return `Cannot run "${stranger}": choose from ${Object.keys(parts).join(', ')}`;
    if (seed !== undefined && !/^\d{1,9}$/.test(seed)) return 'Cannot use --seed: it is no whole number; give one';
    return { only: names, seed: Number(seed ?? Date.now() % 1e9) };
  } catch (error) {
    // The only way in which parseArgs says that the words are wrong.
    if (error instanceof TypeError) return `Cannot read the options: ${error.message}`;
    throw error;
  }
}

interface Run extends FaultContext {
  failures(): number;
  end(): void;
}

function createRun(seed: number, folder: string): Run {
  const started = performance.now();
  const line = startProgress(errors, () => performance.now());
  let failures = 0;
  const say = (text: string) => {
    line.end();
    console.log(text);
  };
  return {
    random: () => createRandom(seed),
    folder(name) {
      mkdirSync(join(folder, name));
      return join(folder, name);
    },
    async check(name, work) {
      const begun = performance.now();
      line.update(name);
      const { isHeld, said } = await outcomeOf(work, FAULT_LIMIT_MS);
      if (!isHeld) failures += 1;
      const seconds = ((performance.now() - begun) / 1_000).toFixed(1);
      say(`${isHeld ? 'ok  ' : 'FAIL'} ${name}: ${said} (${seconds} s, seed ${seed})`);
    },
    skip: (name, reason) => say(`--   ${name}: ${reason}`),
    progress: (text) => line.update(`${Math.round((performance.now() - started) / 1_000)} s: ${text}`),
    failures: () => failures,
    end: () => line.end(),
  };
}

async function runPart(name: string, run: Run): Promise<void> {
  try {
    await parts[name]?.(run);
  } catch (error) {
    // Not a fault that was not withstood, but one that could not be made.
    await run.check(name, () => Promise.reject(error));
  }
}

async function outcomeOf(work: () => Promise<string>, limitMs: number) {
  if (limitMs <= 0) return { isHeld: false, said: 'not begun, the time for all is over' };
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`not done after ${Math.round(limitMs / 1_000)} s`)), limitMs);
  });
  try {
    return { isHeld: true, said: await Promise.race([work(), limit]) };
  } catch (error) {
    return { isHeld: false, said: error instanceof Error ? error.message : String(error) };
  } finally {
    clearTimeout(timer);
  }
}

function write(text: string): void {
  process.stderr.write(text);
}
