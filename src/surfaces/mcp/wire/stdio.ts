// MCP over stdio: serves one client over a pair of streams, from the first byte to the last answer. Never ends the process.
import { fstatSync } from 'node:fs';
import { Socket } from 'node:net';
import { type Readable, Writable } from 'node:stream';
import { doneWithin } from '../../../async/within.ts';
import { writeStandardOutput } from '../../../settings/standard-output.ts';
import { type Line, rpcCode } from './json-rpc.ts';
import { LineSplitter, MAX_LINE_BYTES } from './line-splitter.ts';
import { LineWriter } from './line-writer.ts';
import type { MethodTable, ReserveRoom, WireLog } from './method.ts';
import { StdioConnection } from './stdio-connection.ts';

export interface StdioOptions {
  readonly input: Readable;
  readonly output: Writable;
  readonly log: WireLog;
  /** Ends the connection, for example on SIGTERM. */
  readonly signal?: AbortSignal;
}

/** From the end of the input: how long requests may go on, may react to being aborted, and all of it may take. */
const GRACE_MS = { finish: 1000, abort: 250, total: 1900 } as const;

/** What a client may ask while it leaves the answers unread. */
const MAX_BACKLOG_BYTES = MAX_LINE_BYTES;
/** After the end of the input: how long a client may read nothing of what it is owed. */
const UNREAD_MS = 1500;
/** The same for a client that keeps on asking, and may only be slow. */
const PAUSED_UNREAD_MS = 30_000;

/** How a connection ends: whether its client may still want its answers. */
interface End {
  readonly clientWaits: boolean;
}

/** Resolves when the connection has ended: what could be answered is answered and written. Never rejects. */
export async function serveStdio(table: MethodTable, options: StdioOptions): Promise<void> {
  const { input, output, log } = options;
  const writer = new LineWriter(output, { onRelieved: () => inbound.relieved() });
  const send = (line: Line) => writer.write(line);
  const large = new LargeTurns(writer, () => inbound.relieved());
  const connection = new StdioConnection(table, {
    send,
    congested: () => writer.congested,
    reserve: large.reserve,
    log,
  });
  const inbound = new Inbound(options, writer, connection, large);
  const end = await inbound.ended;
  const finished = await doneWithin(finish(connection, writer, end), GRACE_MS.total);
  // A paused pipe may go on reading into its buffer, and either stream would keep the process alive.
  input.destroy();
  if (finished) return;
  log({ level: 'warn', message: 'Output that the client left unread was dropped' });
  output.destroy();
}

/**
 * Large answers, one at a time: the next file is read when the client has taken what was answered before. Many that are
 * asked for at once do not lie in memory together (F10).
 */
class LargeTurns {
  readonly #writer: LineWriter;
  readonly #onIdle: () => void;
  readonly #waiting: (() => void)[] = [];
  #busy = false;

  /** `onIdle`: no one waits any more. */
  constructor(writer: LineWriter, onIdle: () => void) {
    this.#writer = writer;
    this.#onIdle = onIdle;
  }

  get pending(): boolean {
    return this.#busy || this.#waiting.length > 0;
  }

  readonly reserve: ReserveRoom = async () => {
    await new Promise<void>((resolve) => {
      this.#waiting.push(resolve);
      this.next();
    });
    return this.#release;
  };

  /** The client may have read on. */
  next(): void {
    if (this.#busy || this.#writer.congested) return;
    const begin = this.#waiting.shift();
    this.#busy = begin !== undefined;
    begin?.();
  }

  /** By the next turn of the loop what was read is an answer in the writer's hands. */
  readonly #release = (): void => {
    setImmediate(() => {
      this.#busy = false;
      this.next();
      if (!this.pending) this.#onIdle();
    });
  };
}

/** Reads and dispatches until there is nothing left to read, or the client has gone. */
class Inbound {
  readonly ended: Promise<End>;
  readonly #options: StdioOptions;
  readonly #writer: LineWriter;
  readonly #connection: StdioConnection;
  readonly #large: LargeTurns;
  readonly #splitter = new LineSplitter();
  #inputEnded = false;
  #ended = false;
  #resolve: (end: End) => void = () => undefined;

  constructor(options: StdioOptions, writer: LineWriter, connection: StdioConnection, large: LargeTurns) {
    this.#large = large;
    this.#options = options;
    this.#writer = writer;
    this.#connection = connection;
    this.ended = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    this.#attach();
  }

  /** The client has read on: so do we. */
  relieved(): void {
    this.#connection.relieved();
    this.#large.next();
    this.#pump();
  }

  #attach(): void {
    const { input, output, signal } = this.#options;
    // The error listeners stay attached: a stream that breaks after the end must not bring the process down.
    input.on('error', () => this.#end({ clientWaits: true }));
    output.on('error', () => this.#end({ clientWaits: false }));
    output.on('close', () => this.#end({ clientWaits: false }));
    input.on('end', this.#onEnd).on('close', this.#onEnd).on('data', this.#onData);
    signal?.addEventListener('abort', this.#onAbort, { once: true });
    if (signal?.aborted) this.#onAbort();
    else if (input.readableEnded || input.destroyed) this.#onEnd();
  }

  #end(end: End): void {
    const { input, signal } = this.#options;
    input.off('data', this.#onData).off('end', this.#onEnd).off('close', this.#onEnd);
    input.pause();
    signal?.removeEventListener('abort', this.#onAbort);
    this.#ended = true;
    this.#resolve(end);
  }

  #pump(): void {
    if (this.#ended) return;
    this.#dispatch();
    const { input } = this.#options;
    const isBehind = this.#writer.congested || this.#large.pending;
    if (this.#inputEnded && !isBehind) this.#end({ clientWaits: true });
    // Questions of a client that does not read wait here, up to a bound; a paused pipe would hide that it has gone.
    else if (this.#splitter.backlog > MAX_BACKLOG_BYTES) this.#pause();
    else if (input.isPaused()) input.resume();
  }

  /** A paused pipe does not say that its other end has closed: a client that reads nothing for long counts as gone. */
  #pause(): void {
    const { input } = this.#options;
    if (input.isPaused()) return;
    input.pause();
    this.#giveUpUnlessRead(PAUSED_UNREAD_MS);
  }

  #dispatch(): void {
    while (!this.#writer.congested) {
      const line = this.#splitter.next();
      if (line === undefined) return;
      if (line.kind === 'text') this.#connection.receive(line.text);
      else this.#refuse(line.kind);
    }
  }

  #refuse(reason: keyof typeof refusals): void {
    this.#options.log({ level: 'warn', message: 'Line of input refused', reason });
    this.#connection.refuse(refusals[reason]);
  }

  readonly #onData = (chunk: Buffer | string): void => {
    this.#splitter.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
    this.#pump();
  };

  readonly #onEnd = (): void => {
    this.#inputEnded = true;
    this.#splitter.end();
    this.#pump();
    if (!this.#ended) this.#giveUpUnlessRead(UNREAD_MS);
  };

  /** Nothing more will be asked. As long as the client reads it gets its answers; one that does not has gone. */
  #giveUpUnlessRead(milliseconds: number): void {
    const { written } = this.#writer;
    setTimeout(() => {
      if (this.#ended) return;
      if (this.#writer.written === written) this.#end({ clientWaits: false });
      else if (this.#inputEnded || this.#options.input.isPaused()) this.#giveUpUnlessRead(milliseconds);
    }, milliseconds).unref();
  }

  readonly #onAbort = (): void => this.#end({ clientWaits: false });
}

const refusals = {
  'not-utf8': { code: rpcCode.parseError, message: 'Parse error: not valid UTF-8' },
  'too-long': {
    code: rpcCode.invalidRequest,
    message: `Invalid Request: a message may have ${MAX_LINE_BYTES} bytes at most`,
  },
} as const;

/** Requests that were received before the end are still answered, if that takes no longer than the grace. */
async function finish(connection: StdioConnection, writer: LineWriter, end: End): Promise<void> {
  const finished = end.clientWaits && (await doneWithin(connection.idle(), GRACE_MS.finish));
  if (!finished) {
    connection.abort();
    await doneWithin(connection.idle(), GRACE_MS.abort);
  }
  connection.close();
  await writer.finished();
}

export interface StdioStreams {
  readonly input: Readable;
  readonly output: Writable;
}

/**
 * `process.stdout` cannot be destroyed, so what a client leaves unread in a pipe would keep the process alive.
 * A socket of our own over the same descriptor can. (Neither blocks on a full pipe: measured on Node 20, 22 and 24.)
 */
export function openStdio(): StdioStreams {
  const kind = fstatSync(STDOUT);
  // Windows writes to pipes synchronously and only through process.stdout; files and terminals take what they are given.
  const isPipe = process.platform !== 'win32' && (kind.isFIFO() || kind.isSocket());
  const output = isPipe ? new Socket({ fd: STDOUT, readable: false, writable: true }) : openWhole();
  return { input: process.stdin, output };
}

const STDOUT = 1;

/** Not `process.stdout` itself: that may lead to standard error. */
function openWhole(): Writable {
  const output = new Writable({ write: (chunk, _encoding, done) => writeStandardOutput(chunk, done) });
  process.stdout.on('error', (error) => output.destroy(error));
  return output;
}
