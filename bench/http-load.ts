// Sends requests in turn, again and again, over a number of connections, each waiting for its answer before it asks again.
import { connect } from 'node:net';
import { now } from './clock.ts';

export interface HttpRequest {
  readonly port: number;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface HttpLoad {
  readonly ms: number;
  /** Of each request, in the order of their answers. */
  readonly eachMs: readonly number[];
}

/** Rejects when an answer is not a 200 or a connection breaks: then there is nothing to compare. */
export function loadHttp(turns: readonly HttpRequest[], inFlight: number, requests: number): Promise<HttpLoad> {
  const [first] = turns;
  if (first === undefined) throw new Error('There is no request to send');
  const bytes = turns.map(encode);
  return new Promise((resolve, reject) => {
    const startedAt = now();
    const eachMs: number[] = [];
    let asked = 0;
    const sockets = Array.from({ length: Math.min(inFlight, requests) }, () => connect(first.port, '127.0.0.1'));
    const end = (error?: Error) => {
      for (const socket of sockets) socket.destroy();
      if (error) reject(error);
      else resolve({ ms: now() - startedAt, eachMs });
    };
    for (const socket of sockets) {
      const answers = createAnswerCounter();
      let askedAt = 0;
      const ask = () => {
        if (asked === requests) return;
        askedAt = now();
        socket.write(bytes[asked % bytes.length] ?? '');
        asked += 1;
      };
      socket.setNoDelay(true).on('connect', ask).on('error', end);
      socket.on('data', (chunk: Buffer) => {
        const answer = answers.push(chunk);
        if (answer === undefined) return;
        if (answer !== 200) return end(new Error(`The server answered ${answer} to ${first.path}`));
        eachMs.push(now() - askedAt);
        if (eachMs.length === requests) end();
        else ask();
      });
    }
  });
}

function encode({ port, method, path, headers, body }: HttpRequest): Buffer {
  const own = {
    host: `127.0.0.1:${port}`,
    ...headers,
    ...(body && { 'content-length': String(Buffer.byteLength(body)) }),
  };
  const lines = Object.entries(own).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
}

/** Told the pieces of answers that come one after another: says the status when one is whole. */
function createAnswerCounter() {
  let pieces: Buffer[] = [];
  let size = 0;
  let expected: { readonly status: number; readonly size: number } | undefined;
  return {
    push(chunk: Buffer): number | undefined {
      pieces.push(chunk);
      size += chunk.length;
      expected ??= readHead(pieces.length === 1 ? chunk : Buffer.concat(pieces));
      if (expected === undefined || size < expected.size) return undefined;
      const { status } = expected;
      pieces = [];
      size = 0;
      expected = undefined;
      return status;
    },
  };
}

function readHead(bytes: Buffer): { readonly status: number; readonly size: number } | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const head = bytes.toString('latin1', 0, end);
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  if (length === undefined) throw new Error('The server sent an answer without its length');
  return { status: Number(head.slice(9, 12)), size: end + 4 + Number(length) };
}
