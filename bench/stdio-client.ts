// A server process and a raw JSON-RPC client on its pipes: no SDK, so that the client's cost is small and always the same.
import type { ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { type Burst, startBurst } from './burst.ts';
import { now } from './clock.ts';
import { LineReader } from './line-reader.ts';
import { startNode, stopNode } from './node-process.ts';
import type { Box } from './workshop.ts';

export interface Answer {
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string };
  /** The whole line. */
  readonly bytes: number;
  /** When its last byte was here. */
  readonly at: number;
}

const limitMs = 60_000;

export class StdioClient {
  readonly startedAt = now();
  readonly pid: number;
  readonly #child: ChildProcess;
  readonly #input: Writable;
  readonly #errorsPath: string;
  readonly #answers = new Map<number, (answer: Answer) => void>();
  readonly #rejections = new Set<(error: Error) => void>();
  readonly #lines = new LineReader((line) => this.#take(line));
  #onChunk = (chunk: Buffer): void => this.#lines.push(chunk);
  #nextId = 1;
  #failure: Error | undefined;

  constructor(args: readonly string[], box: Box) {
    this.#errorsPath = join(box.path, 'stderr.log');
    // Into a file: the client spends nothing on reading it, and a failure can quote it.
    const errors = openSync(this.#errorsPath, 'w');
    this.#child = startNode(args, box, ['pipe', 'pipe', errors]);
    closeSync(errors);
    const { pid, stdin, stdout } = this.#child;
    if (pid === undefined || stdin === null || stdout === null) throw new Error(`node ${args.join(' ')} did not start`);
    [this.pid, this.#input] = [pid, stdin];
    stdout.on('data', (chunk: Buffer) => this.#onChunk(chunk));
    stdin.on('error', (error) => this.#fail(error));
    this.#child.once('exit', (code, signal) => this.#fail(new Error(this.#farewell(code ?? signal))));
  }

  async greet(): Promise<void> {
    const clientInfo = { name: 'repertoire-bench', version: '1.0.0' };
    await this.request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
    this.#input.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  }

  request(method: string, params: object = {}): Promise<Answer> {
    const id = this.#nextId++;
    return this.#expect(method, (resolve) => {
      this.#answers.set(id, resolve);
      this.#input.write(requestLine(id, method, params));
    });
  }

  callTool(name: string, input: object): Promise<Answer> {
    return this.request('tools/call', { name, arguments: input });
  }

  /** Sends every line, `inFlight` at a time, and counts the answers without reading them. */
  async burst(lines: readonly string[], inFlight: number): Promise<Burst> {
    const usual = this.#onChunk;
    try {
      return await this.#expect<Burst>(`${lines.length} requests`, (done) => {
        this.#onChunk = startBurst({ lines, inFlight, write: (text) => this.#input.write(text), now, done });
      });
    } finally {
      this.#onChunk = usual;
    }
  }

  stop(): Promise<void> {
    return stopNode(this.#child);
  }

  /** What `begin` resolves, unless the server ends or the time is up before. */
  async #expect<T>(what: string, begin: (resolve: (value: T) => void) => void): Promise<T> {
    if (this.#failure !== undefined) throw this.#failure;
    let stop = (_error: Error): void => {};
    const late = setTimeout(() => stop(new Error(`no answer to ${what} in ${limitMs / 1000} s`)), limitMs);
    try {
      return await new Promise<T>((resolve, reject) => {
        stop = reject;
        this.#rejections.add(reject);
        begin(resolve);
      });
    } finally {
      clearTimeout(late);
      this.#rejections.delete(stop);
    }
  }

  #take(line: Buffer): void {
    const at = now();
    const message = parseMessage(line);
    if (message === undefined) this.#fail(new Error('standard output carried a line that is not JSON'));
    if (message?.id === undefined) return;
    this.#answers.get(message.id)?.({ ...message, bytes: line.length + 1, at });
    this.#answers.delete(message.id);
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    for (const reject of this.#rejections) reject(this.#failure);
  }

  #farewell(how: number | string | null): string {
    const lastWords = readFileSync(this.#errorsPath, 'utf8').trim().split('\n').at(-1);
    return `the server ended (${how})${lastWords ? `: ${lastWords}` : ''}`;
  }
}

export const requestLine = (id: number, method: string, params: object): string =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;

type Message = Pick<Answer, 'result' | 'error'> & { readonly id?: number };

function parseMessage(line: Buffer): Message | undefined {
  try {
    return JSON.parse(line.toString('utf8')) as Message; // Only read with care: every field is optional.
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
