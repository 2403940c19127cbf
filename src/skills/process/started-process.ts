// A process in which a worker skill runs, as the server sees it: asked one thing at a time, ended with all that it started.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { doneWithin } from '../../async/within.ts';
import { hasTooManyValues } from '../../values/json-values.ts';
import { processEnvironment } from './environment.ts';
import { errorOfText } from './error-of-text.ts';
import { MAX_RESIDENT_BYTES, PROCESS_LIMITS } from './limits.ts';
import { type PrintedLog, PrintedOutput, type Scrub } from './printed-output.ts';
import {
  CHANNEL,
  FRAME,
  FrameReader,
  frameOf,
  MAX_TEXT_BYTES,
  type ProcessEnd,
  type ProcessSetup,
} from './protocol.ts';

export interface IsolatedSkill {
  readonly module: URL;
  readonly exportName: string;
  /** Variables that it gets beside the common ones. */
  readonly environment: readonly string[];
}

/** How a call ended. `unstarted`: the process had ended before it looked at the input, so another one may run it. */
export type CallEnding =
  | { readonly kind: 'returned'; readonly value: unknown }
  | { readonly kind: 'failed'; readonly error: Error }
  | { readonly kind: 'unstarted' };

const UNSTARTED: CallEnding = { kind: 'unstarted' };

const failed = (text: string): CallEnding => ({ kind: 'failed', error: errorOfText(text) });

export interface ProcessListener {
  /** Hears why it ended between two calls while it was wanted. */
  readonly onLost: (why: string) => void;
  readonly printed: PrintedLog;
}

/** Rejects when the system gives no process. */
export async function startProcess(skill: IsolatedSkill, listener: ProcessListener): Promise<StartedProcess> {
  const child = spawn(process.execPath, [...nodeOptions(), ENTRY, JSON.stringify(setupOf(skill))], {
    env: processEnvironment(skill.environment),
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    // A group of its own: what it starts is ended with it, and Ctrl+C is the server's to answer.
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
  await once(child, 'spawn');
  return new StartedProcess(child, listener);
}

/** Beside this file, in dist/ as in src/. */
const SUFFIX = import.meta.url.endsWith('.ts') ? '.ts' : '.js';
const ENTRY = fileURLToPath(new URL(`./skill-process${SUFFIX}`, import.meta.url));

/** Those of the server are not handed on, but for the one that lets Node run TypeScript. */
function nodeOptions(): readonly string[] {
  const { heapMb, semiSpaceMb } = PROCESS_LIMITS;
  const types = process.execArgv.filter((option) => /^--experimental-(?:strip|transform)-types$/.test(option));
  // From the sources, before Node could read them itself.
  const source = SUFFIX === '.ts' && !readsTypeScript() ? ['--import', 'tsx'] : [];
  return [`--max-old-space-size=${heapMb}`, `--max-semi-space-size=${semiSpaceMb}`, ...types, ...source];
}

const readsTypeScript = (): boolean => Boolean((process.features as { readonly typescript?: unknown }).typescript);

function setupOf({ module, exportName }: IsolatedSkill): ProcessSetup {
  const { output } = PROCESS_LIMITS;
  return { module: module.href, exportName, server: process.pid, maxResidentBytes: MAX_RESIDENT_BYTES, output };
}

export class StartedProcess {
  /** Resolves when it has ended, with all that it had to say. Never rejects. */
  readonly ended: Promise<void>;
  readonly #child: ChildProcess;
  readonly #channel: Socket;
  readonly #printed: PrintedOutput;
  readonly #onLost: (why: string) => void;
  #calls = 0;
  #settle: ((ending: CallEnding) => void) | undefined;
  /** The last input did not reach it as a whole: it had gone. */
  #isUndelivered = false;
  #isWanted = true;
  /** Why we ended it. */
  #reason: string | undefined;
  /** What it said at its end. */
  #last: ProcessEnd | undefined;

  constructor(child: ChildProcess, { onLost, printed }: ProcessListener) {
    this.#child = child;
    // It was asked for as a pipe, and those go both ways.
    this.#channel = child.stdio[CHANNEL] as Socket;
    this.#onLost = onLost;
    this.#printed = new PrintedOutput(printed);
    this.#listen();
    // A running call keeps the program alive by its time limit; an idle process does not.
    this.#hold('unref');
    this.ended = this.#waitForEnd();
  }

  get pid(): number {
    // It was spawned.
    return this.#child.pid ?? 0;
  }

  /** Whether it may be asked: it is not about to end. */
  get isUsable(): boolean {
    const { exitCode, signalCode } = this.#child;
    return this.#isTakingFrames() && exitCode === null && signalCode === null;
  }

  /** Never rejects. One at a time. */
  call(input: string, scrub: Scrub): Promise<CallEnding> {
    this.#calls += 1;
    this.#printed.begin(scrub);
    return new Promise((resolve) => {
      this.#settle = resolve;
      this.#channel.write(frameOf(0, input), (error) => {
        this.#isUndelivered = error !== undefined && error !== null;
      });
    });
  }

  /** At once, whatever it is doing: it is not wanted any more. A call that runs fails with the reason. */
  end(reason: string): void {
    this.#isWanted = false;
    this.endFor(reason);
  }

  /** As `end`, for what it did: if no call fails of it, `onLost` hears of it. */
  endFor(fault: string): void {
    this.#reason ??= fault;
    this.#kill();
  }

  /** Keeps the program alive until it has ended. */
  async waitForEnd(): Promise<void> {
    this.#hold('ref');
    await this.ended;
  }

  #listen(): void {
    const frames = new FrameReader(maxBytesOf, (kind, text) => this.#takeFrame(kind, text));
    this.#channel.on('data', (chunk: Buffer) => {
      if (this.#isTakingFrames() && !frames.push(chunk)) this.endFor('Its process sent what is no answer');
    });
    for (const stream of ['stdout', 'stderr'] as const) {
      this.#child[stream]?.on('data', (chunk: Buffer) => {
        if (!this.#printed.take(stream, chunk)) this.endFor('Its process printed more than 16 MB');
      });
    }
    // What fails because the process has gone shows in its end.
    for (const each of [this.#child, ...this.#child.stdio]) each?.on('error', () => {});
  }

  #isTakingFrames(): boolean {
    return this.#reason === undefined && this.#last === undefined;
  }

  #takeFrame(kind: number, text: string): void {
    if (!this.#isTakingFrames()) return;
    const ending = endingOf(kind, text);
    const last = kind === FRAME.ends ? parseEnd(text) : undefined;
    if (last !== undefined) this.#takeEnd(last);
    else if (ending === undefined) this.endFor('Its process sent what is no answer');
    else if (this.#settle === undefined) this.endFor('Its process sent an answer to no question');
    else this.#answer(ending);
  }

  #takeEnd(last: ProcessEnd): void {
    this.#last = last;
    this.#kill();
  }

  #answer(ending: CallEnding): void {
    const settle = this.#settle;
    this.#settle = undefined;
    settle?.(ending);
  }

  #kill(): void {
    if (this.#child.exitCode === null && this.#child.signalCode === null) killGroup(this.#child);
  }

  /** The streams end after it: what it said last is in them. Something that escaped may hold them open for ever. */
  async #waitForEnd(): Promise<void> {
    const closed = new Promise((resolve) => this.#child.once('close', resolve));
    await new Promise((resolve) => this.#child.once('exit', resolve));
    killGroup(this.#child);
    await doneWithin(closed, STREAMS_MS);
    for (const stream of this.#child.stdio) stream?.destroy();
    this.#printed.end();
    const why = this.#whyEnded();
    const isLost = this.#settle === undefined && this.#isWanted;
    this.#answer(this.#isUnstarted() ? UNSTARTED : failed(why));
    if (isLost) this.#onLost(why);
  }

  /** Never of its first call: a process that cannot even begin would be tried for ever. */
  #isUnstarted(): boolean {
    if (this.#reason !== undefined || this.#calls < 2) return false;
    return this.#isUndelivered || (this.#last !== undefined && this.#last.begun < this.#calls);
  }

  #whyEnded(): string {
    if (this.#reason !== undefined) return this.#reason;
    if (this.#last !== undefined) return this.#last.why;
    const { exitCode, signalCode } = this.#child;
    if (signalCode === null) return `Its process exited with code ${exitCode}`;
    const { heapMb, residentMb } = PROCESS_LIMITS;
    return `Its process died of ${signalCode}: it may take ${heapMb} MB for objects and ${residentMb} MB in all`;
  }

  #hold(how: 'ref' | 'unref'): void {
    this.#child[how]();
    // Pipes are sockets in Node.
    for (const stream of this.#child.stdio) (stream as Socket | null)?.[how]();
  }
}

const STREAMS_MS = 1_000;

/** With what it started: those are in its group. */
function killGroup(child: ChildProcess): void {
  try {
    if (process.platform === 'win32') child.kill('SIGKILL');
    else if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  } catch {
    // None of them runs any more.
  }
}

const MAX_BYTES: ReadonlyMap<number, number> = new Map([
  [FRAME.returned, PROCESS_LIMITS.output.maxBytes],
  [FRAME.failed, MAX_TEXT_BYTES],
  [FRAME.ends, MAX_TEXT_BYTES],
]);

const maxBytesOf = (kind: number): number => MAX_BYTES.get(kind) ?? -1;

function endingOf(kind: number, text: string): CallEnding | undefined {
  if (kind === FRAME.failed) return failed(text);
  return kind === FRAME.returned ? returnedOf(text) : undefined;
}

/** The process says itself what is wrong with an answer; one that it should not have sent is not looked into. */
function returnedOf(text: string): CallEnding | undefined {
  if (hasTooManyValues(text, PROCESS_LIMITS.output.maxValues)) return undefined;
  try {
    return { kind: 'returned', value: JSON.parse(text) };
  } catch {
    // It did not come from our program in there.
    return undefined;
  }
}

function parseEnd(text: string): ProcessEnd | undefined {
  try {
    const { begun, why } = JSON.parse(text) as Partial<ProcessEnd>;
    return typeof begun === 'number' && typeof why === 'string' ? { begun, why } : undefined;
  } catch {
    // As above.
    return undefined;
  }
}
