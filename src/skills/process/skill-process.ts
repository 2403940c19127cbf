// The program of the process in which a worker skill runs: takes inputs one after the other, answers each. It is started with
// every process, so it imports nothing but Node's own and what measures outputs.
import { writeFileSync, writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { writeOutput } from './json-output.ts';
import { CHANNEL, FRAME, FrameReader, frameOf, MAX_TEXT_BYTES, type ProcessSetup } from './protocol.ts';

// What the server passes: see started-process.ts.
const setup: ProcessSetup = JSON.parse(process.argv[2] ?? '{}');

/** As JSON a character may take six bytes, and the frame has to hold it all. */
const MAX_TEXT = Math.floor(MAX_TEXT_BYTES / 6) - 100;

const GUARD = `
const { server, maxResidentBytes } = require('node:worker_threads').workerData;
const never = new Int32Array(new SharedArrayBuffer(4));
const isOver = () => process.ppid !== server || process.memoryUsage.rss() > maxResidentBytes;
do Atomics.wait(never, 0, 0, 100); while (!isOver());
try { process.kill(-process.pid, 'SIGKILL'); } catch { process.kill(process.pid, 'SIGKILL'); }
`;

let begun = 0;
let endIsTold = false;

dieFirst();
startGuard();
process.on('uncaughtException', (error) => end(textOf(error)));
process.on('exit', (code) => tellEnd(`Its process exited with code ${code}`));
const loading = loadSkill();
const channel = new Socket({ fd: CHANNEL, readable: true, writable: true });
const requests = new FrameReader(
  () => Number.POSITIVE_INFINITY,
  (_kind, text) => void answer(text),
);
channel.on('data', (chunk: Buffer) => requests.push(chunk));
// The server has gone, and nothing that is left to do is wanted.
for (const event of ['end', 'close', 'error']) channel.on(event, leave);

/** With all that the skill started: those are in our group, and no one else is left to end them. */
function leave(): void {
  try {
    process.kill(-process.pid, 'SIGKILL');
  } catch {
    // There are no groups here.
    process.exit(0);
  }
}

/** Of all processes the system takes this one when memory runs out, not the server. */
function dieFirst(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // Not Linux, or not permitted: the limits hold all the same.
  }
}

/**
 * A thread that runs while the skill blocks this one: ends the process when the server has gone, which a loop would never
 * notice, and when it holds too much memory, which no one else sees where there is no /proc.
 */
function startGuard(): void {
  const { server, maxResidentBytes } = setup;
  const guard = new Worker(GUARD, {
    eval: true,
    execArgv: [],
    workerData: { server, maxResidentBytes },
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 },
  });
  guard.unref();
}

type Loaded = { readonly run: (input: unknown) => unknown } | { readonly fault: string };

/** Never rejects: the first call is told what is wrong. */
async function loadSkill(): Promise<Loaded> {
  const { module, exportName } = setup;
  try {
    const exported = await import(module);
    // Of a CommonJS module Node does not see every name.
    const run: unknown = exported[exportName] ?? exported.default?.[exportName];
    if (typeof run === 'function') return { run: (input) => run(input) };
    return { fault: `The module of the skill exports no function ${JSON.stringify(exportName)}` };
  } catch (error) {
    return { fault: textOf(error) };
  }
}

async function answer(request: string): Promise<void> {
  begun += 1;
  const loaded = await loading;
  // A new process may find the module mended.
  if ('fault' in loaded) return end(loaded.fault);
  try {
    const output = await loaded.run(JSON.parse(request));
    sendOutput(output);
  } catch (error) {
    send(FRAME.failed, textOf(error));
  }
}

function sendOutput(output: unknown): void {
  const written = tryWrite(output);
  if ('fault' in written) send(FRAME.failed, `Cannot hand over its output: it ${written.fault}`);
  else channel.write(frameOf(FRAME.returned, written.json, written.bytes));
}

function tryWrite(output: unknown): ReturnType<typeof writeOutput> {
  try {
    return writeOutput(output, setup.output);
  } catch (error) {
    return { fault: `cannot be read: ${textOf(error)}` };
  }
}

function send(kind: number, text: string): void {
  channel.write(frameOf(kind, text));
}

function end(why: string): void {
  tellEnd(why);
  process.exit(1);
}

/** At once: after it nothing is written any more. */
function tellEnd(why: string): void {
  if (endIsTold) return;
  endIsTold = true;
  try {
    writeSync(CHANNEL, frameOf(FRAME.ends, JSON.stringify({ begun, why })));
  } catch {
    // The server does not listen any more: it sees the end all the same.
  }
}

function textOf(error: unknown): string {
  try {
    return beginningOf(describe(error, 3));
  } catch {
    return 'Something that cannot be described was thrown';
  }
}

/** Up to a whole word: the server takes out the secrets, and would not find half of one. It shows far less. */
function beginningOf(text: string): string {
  if (text.length <= MAX_TEXT) return text;
  const beginning = text.slice(0, MAX_TEXT);
  return `${beginning.slice(0, Math.max(0, beginning.search(/\s\S*$/)))} …`;
}

function describe(error: unknown, causes: number): string {
  if (!(error instanceof Error)) return `thrown: ${String(error)}`;
  const own = String(error.stack ?? `${error.name}: ${error.message}`);
  return error.cause === undefined || causes === 0 ? own : `${own}\ncaused by: ${describe(error.cause, causes - 1)}`;
}
