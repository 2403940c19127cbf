// What the processes of a worker skill print, as events of the runtime's log: a few, without secrets, one line each.
// Nothing is written here: standard output is the protocol's, and standard error makes the server wait for its reader.
import { StringDecoder } from 'node:string_decoder';
import { scrubShapes } from '../../text/credentials.ts';
import { toOneLine } from '../../text/one-line.ts';
import type { RuntimeEvent, RuntimeLog } from '../record/runtime-log.ts';
import { PROCESS_LIMITS } from './limits.ts';

/** Takes out the secrets of the call that prints. */
export type Scrub = (text: string) => string;

/** Of a line so much is looked through for secrets; the rest of it is left out. */
const MAX_LINE = 8_000;
/** Of a line so much is told. */
const MAX_TEXT = 1_000;
const MAX_LINES = 200;
const WINDOW_MS = 10_000;

/** What all processes of one skill print: 200 lines in ten seconds, and one event about what was left out of them. */
export class PrintedLog {
  readonly #skill: string;
  readonly #log: RuntimeLog;
  #said = 0;
  #leftOutBytes = 0;
  #window: NodeJS.Timeout | undefined;

  constructor(skill: string, log: RuntimeLog) {
    this.#skill = skill;
    this.#log = log;
  }

  /** `isCut`: it is the beginning of a line. */
  say(line: string, isCut: boolean, scrub: Scrub): void {
    if (toOneLine(line) === '') return;
    this.#open();
    if (this.#said >= MAX_LINES) {
      this.leaveOut(Buffer.byteLength(line));
      return;
    }
    this.#said += 1;
    this.#tell({ level: 'info', message: `The skill "${this.#skill}" printed`, text: textOf(line, isCut, scrub) });
  }

  leaveOut(bytes: number): void {
    this.#open();
    this.#leftOutBytes += bytes;
  }

  /** Tells what was left out until now. */
  flush(): void {
    clearTimeout(this.#window);
    this.#window = undefined;
    this.#said = 0;
    const bytes = this.#leftOutBytes;
    this.#leftOutBytes = 0;
    const message = `The skill "${this.#skill}" printed more than is passed on`;
    if (bytes > 0) this.#tell({ level: 'info', message, left_out_bytes: bytes });
  }

  #open(): void {
    this.#window ??= setTimeout(() => this.flush(), WINDOW_MS).unref();
  }

  #tell({ level, message, ...details }: RuntimeEvent): void {
    try {
      this.#log({ level, message, skill: this.#skill, ...details });
    } catch {
      // Nobody waits for this, so it would end the program.
    }
  }
}

function textOf(line: string, isCut: boolean, scrub: Scrub): string {
  // Before, for secrets with blanks in them; after, for those with invisible characters. Cut last: half of one is not found.
  const scrubbed = scrub(toOneLine(scrub(line)));
  const isHalf = isCut && scrubbed.length <= MAX_TEXT;
  return toOneLine(isHalf ? scrubbed.replace(/\S+$/, '…') : scrubbed, MAX_TEXT);
}

/** What one process prints. */
export class PrintedOutput {
  readonly #streams: { readonly stdout: PrintedLines; readonly stderr: PrintedLines };
  /** Of the call that runs, and of the one before it: that one may have left work behind. */
  #scrubs: readonly [Scrub, Scrub] = [scrubShapes, scrubShapes];
  #bytes = 0;

  constructor(log: PrintedLog) {
    const scrub = (text: string) => this.#scrubs[1](this.#scrubs[0](text));
    const say = (line: string, isCut: boolean) => log.say(line, isCut, scrub);
    const leaveOut = (bytes: number) => log.leaveOut(bytes);
    this.#streams = { stdout: new PrintedLines(say, leaveOut), stderr: new PrintedLines(say, leaveOut) };
  }

  /** A new call may print as much again. */
  begin(scrub: Scrub): void {
    this.#bytes = 0;
    this.#scrubs = [scrub, this.#scrubs[0]];
    for (const lines of Object.values(this.#streams)) lines.begin();
  }

  /** False: that is too much even to be read. */
  take(stream: 'stdout' | 'stderr', chunk: Buffer): boolean {
    const room = Math.max(0, PROCESS_LIMITS.printedBytes - this.#bytes);
    this.#bytes += chunk.length;
    const lines = this.#streams[stream];
    lines.push(chunk.subarray(0, room));
    if (chunk.length > room) lines.leaveOut(chunk.subarray(room));
    return this.#bytes <= PROCESS_LIMITS.floodBytes;
  }

  /** Its last lines may have no end. */
  end(): void {
    for (const lines of Object.values(this.#streams)) lines.end();
  }
}

const LINE_FEED = 10;

/** Whole lines, however they arrive: half of a secret is not found. */
class PrintedLines {
  readonly #say: (line: string, isCut: boolean) => void;
  readonly #leaveOut: (bytes: number) => void;
  readonly #decoder = new StringDecoder('utf8');
  #line = '';
  /** Until the line ends. */
  #isLeftOut = false;
  /** Between the first and the last line of a private key: those look like nothing. */
  #isInKey = false;

  constructor(say: (line: string, isCut: boolean) => void, leaveOut: (bytes: number) => void) {
    this.#say = say;
    this.#leaveOut = leaveOut;
  }

  begin(): void {
    this.#isInKey = false;
  }

  push(bytes: Buffer): void {
    const parts = this.#decoder.write(bytes).split('\n');
    const open = parts.pop() ?? '';
    for (const part of parts) {
      this.#add(part);
      this.#endLine();
    }
    this.#add(open);
  }

  /** With the line that they continue. */
  leaveOut(bytes: Buffer): void {
    this.#leaveOut(bytes.length + Buffer.byteLength(this.#line));
    this.#line = '';
    this.#isLeftOut = bytes.at(-1) !== LINE_FEED;
  }

  end(): void {
    this.#add(this.#decoder.end());
    this.#endLine();
  }

  #add(part: string): void {
    if (this.#isLeftOut) {
      this.#isInKey = isKeyOpen(part, this.#isInKey);
      this.#leaveOut(Buffer.byteLength(part));
      return;
    }
    this.#line += part;
    if (this.#line.length <= MAX_LINE) return;
    const rest = this.#line.slice(MAX_LINE);
    this.#take(this.#line.slice(0, MAX_LINE), true);
    this.#line = '';
    this.#isLeftOut = true;
    this.#add(rest);
  }

  #endLine(): void {
    if (!this.#isLeftOut) this.#take(this.#line, false);
    this.#line = '';
    this.#isLeftOut = false;
  }

  #take(line: string, isCut: boolean): void {
    const wasInKey = this.#isInKey;
    this.#isInKey = isKeyOpen(toOneLine(line), wasInKey);
    if (!wasInKey) this.#say(line, isCut);
  }
}

function isKeyOpen(line: string, wasOpen: boolean): boolean {
  if (!line.includes('-----')) return wasOpen;
  const last = [...line.matchAll(/-----(BEGIN|END) [A-Z ]{0,40}KEY-----/g)].at(-1);
  return last === undefined ? wasOpen : last[1] === 'BEGIN';
}
