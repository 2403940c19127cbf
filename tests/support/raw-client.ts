// A JSON-RPC client on the streams of a server that hides nothing: every line, every byte of stderr, the exit.
import { spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { PATIENCE_MS } from './patience.ts';

export interface Message {
  readonly jsonrpc?: unknown;
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface Place {
  readonly cwd: string;
  readonly env: Record<string, string>;
  readonly uid?: number;
  readonly gid?: number;
}

/** A server on a pair of streams: a process, or a part of this one (served-here.ts). */
export interface Server {
  readonly pid: number;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly exited: Promise<Exit>;
  kill(signal: NodeJS.Signals): void;
}

export function startServerProcess(args: readonly string[], place: Place, command = process.execPath): Server {
  const child = spawn(command, [...args], { ...place, stdio: 'pipe' });
  const { pid = Number.NaN, stdin, stdout, stderr } = child;
  const exited = new Promise<Exit>((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })));
  return { pid, stdin, stdout, stderr, exited, kill: (signal) => child.kill(signal) };
}

export class RawClient {
  /** Every line that stdout carried, as it came. */
  readonly lines: string[] = [];
  readonly notifications: Message[] = [];
  /** Answers whose id is null: the server could not tell what was asked. */
  readonly orphans: Message[] = [];
  readonly exited: Promise<Exit>;
  readonly pid: number;
  stderr = '';
  /** What initialize answered. */
  hello: Record<string, unknown> = {};
  readonly #server: Server;
  readonly #waiting = new Map<unknown, (message: Message) => void>();
  #rest = '';
  #nextId = 1;

  constructor(server: Server) {
    this.#server = server;
    this.pid = server.pid;
    this.exited = server.exited;
    server.stdout.setEncoding('utf8').on('data', (chunk: string) => this.#take(chunk));
    server.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      this.stderr += chunk;
    });
    // The server may be gone while we write: the tests look at its exit instead.
    server.stdin.on('error', (error) => this.lines.push(`stdin: ${error.message}`));
  }

  async greet(protocolVersion = '2025-11-25'): Promise<Message> {
    const clientInfo = { name: 'contract-tests', version: '1.0.0' };
    const answer = await this.request('initialize', { protocolVersion, capabilities: {}, clientInfo });
    this.hello = answer.result ?? {};
    this.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    return answer;
  }

  request(method: string, params?: object): Promise<Message> {
    const id = this.#nextId++;
    const answer = this.answerTo(id);
    this.send({ jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) });
    return answer;
  }

  /** The answer with this id; for requests that the test writes itself. */
  answerTo(id: string | number): Promise<Message> {
    const late = AbortSignal.timeout(PATIENCE_MS);
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, resolve);
      late.addEventListener('abort', () => reject(new Error(`No answer to ${id}; stderr: ${this.stderr}`)));
      void this.exited.then(({ code }) => reject(new Error(`The server ended (${code}): ${this.stderr}`)));
    });
  }

  send(message: unknown): void {
    this.write(`${JSON.stringify(message)}\n`);
  }

  write(text: string | Uint8Array): void {
    this.#server.stdin.write(text);
  }

  endInput(): void {
    this.#server.stdin.end();
  }

  kill(signal: NodeJS.Signals): void {
    this.#server.kill(signal);
  }

  /** Ends the process, in the polite way first. */
  async stop(): Promise<Exit> {
    this.endInput();
    const stopped = await Promise.race([this.exited, sleep(PATIENCE_MS, undefined, { ref: false })]);
    if (stopped === undefined) this.kill('SIGKILL');
    return this.exited;
  }

  #take(chunk: string): void {
    const lines = (this.#rest + chunk).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#takeLine(line);
  }

  #takeLine(line: string): void {
    this.lines.push(line);
    const message = parseMessage(line);
    if (message === undefined) return;
    if (message.method !== undefined) this.notifications.push(message);
    else if (message.id === null || message.id === undefined) this.orphans.push(message);
    else this.#waiting.get(message.id)?.(message);
    this.#waiting.delete(message.id);
  }
}

function parseMessage(line: string): Message | undefined {
  try {
    return JSON.parse(line) as Message; // Only read with care: every field is optional.
  } catch (error) {
    // A line that is no JSON stays in `lines`, where wire.test.ts finds it.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
