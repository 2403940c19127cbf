// Clients that no server wishes for: each kind sends, waits until the server is rid of it, and says what it was told.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { ServeProcess } from '../support/serve-process.ts';
import { DOCUMENT_PATH } from './serve-world.ts';

type Server = Pick<ServeProcess, 'port' | 'token' | 'ask'>;

const INVOKE_PATH = '/api/typed-skills/echo/invoke';

const headOf = ({ token }: Server, line: string) =>
  `${line} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\nAccept: application/json, text/event-stream\r\n`;

const postOf = (server: Server, path: string) => `${headOf(server, `POST ${path}`)}Content-Type: application/json\r\n`;

async function open({ port }: Server): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  // Being cut off is what these clients are there for.
  return socket.on('error', () => {});
}

const openMany = (server: Server, count: number): Promise<Socket[]> =>
  Promise.all(Array.from({ length: count }, () => open(server)));

const closed = (socket: Socket): Promise<unknown> =>
  socket.closed ? Promise.resolve() : new Promise((resolve) => socket.once('close', resolve));

/** All that came until the connection ended. */
async function readAll(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
  });
  await closed(socket);
  return text;
}

const statusOf = (text: string): string => /^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 'nothing';

/** `413 × 38, nothing × 2`. */
function tally(texts: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(statusOf(text), (counts.get(statusOf(text)) ?? 0) + 1);
  return [...counts].map(([status, count]) => `${status} × ${count}`).join(', ');
}

function expectOnly(allowed: readonly string[], texts: readonly string[]): string {
  if (texts.some((text) => !allowed.includes(statusOf(text)))) throw new Error(`answered ${tally(texts)}`);
  return `answered ${tally(texts)}`;
}

/** How a request begins, and with what it goes on for ever: a header, a body, a body in chunks. */
const drips = (server: Server): readonly (readonly [string, string])[] => [
  [`${headOf(server, `POST ${INVOKE_PATH}`)}X-Slow: `, 'x'],
  [`${postOf(server, INVOKE_PATH)}Content-Length: 1000\r\n\r\n{`, ' '],
  [`${postOf(server, '/mcp')}Transfer-Encoding: chunked\r\n\r\n`, '1\r\n \r\n'],
];

export async function dripSlowly(server: Server, count: number): Promise<string> {
  const sockets = await openMany(server, count);
  const kinds = drips(server);
  const answers = sockets.map((socket, index) => {
    const [start = '', more = ''] = kinds[index % kinds.length] ?? [];
    socket.write(start);
    const dripping = setInterval(() => socket.write(more), 200);
    return readAll(socket).finally(() => clearInterval(dripping));
  });
  return expectOnly(['408'], await Promise.all(answers));
}

/** A client that does not read learns by writing more that it was cut off. */
export async function neverRead(server: Server, count: number): Promise<string> {
  const started = performance.now();
  const sockets = await openMany(server, count);
  const request = `${headOf(server, `GET ${DOCUMENT_PATH}`)}\r\n`;
  const ends = sockets.map((socket) => {
    socket.pause();
    socket.write(request.repeat(400));
    const asking = setInterval(() => socket.write(request), 500);
    return closed(socket).finally(() => clearInterval(asking));
  });
  await Promise.all(ends);
  const seconds = Math.round((performance.now() - started) / 1_000);
  return `each asked for 400 documents and took none, all cut off after ${seconds} s`;
}

export async function openAtOnce(server: Server, count: number): Promise<string> {
  const sockets = await openMany(server, count);
  const answers = sockets.map((socket) => {
    socket.write(`${headOf(server, `GET ${DOCUMENT_PATH}`)}Connection: close\r\n\r\n`);
    return readAll(socket);
  });
  return expectOnly(['200'], await Promise.all(answers));
}

/** Half of them say how much will come, half do not. */
export async function sendHuge(server: Server, count: number, bytes: number): Promise<string> {
  const sockets = await openMany(server, count);
  const answers = sockets.map(async (socket, index) => {
    const post = postOf(server, index % 4 < 2 ? INVOKE_PATH : '/mcp');
    const answer = readAll(socket);
    const isChunked = index % 2 === 0;
    socket.write(`${post}${isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${bytes}`}\r\n\r\n`);
    await pour(socket, bytes, isChunked);
    return answer;
  });
  return expectOnly(['413'], await Promise.all(answers));
}

const drained = (socket: Socket): Promise<unknown> => new Promise((resolve) => socket.once('drain', resolve));

const PIECE = Buffer.alloc(100_000, 'x');

/** As fast as it is taken, until all is sent or the other side has closed. */
async function pour(socket: Socket, bytes: number, isChunked: boolean): Promise<void> {
  const piece = isChunked
    ? Buffer.concat([Buffer.from(`${PIECE.length.toString(16)}\r\n`), PIECE, Buffer.from('\r\n')])
    : PIECE;
  for (let left = bytes; left > 0 && socket.writable; left -= PIECE.length) {
    if (!socket.write(piece)) await Promise.race([drained(socket), closed(socket)]);
  }
}

/** As an input, as a message, in a message. Each costs its own call alone. */
export async function sendDeep(server: Server, levels: number, count: number): Promise<string> {
  const arrays = `${'['.repeat(levels)}${']'.repeat(levels)}`;
  const objects = `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
  const call = (input: string) =>
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":${input}}}`;
  const bodies = [arrays, objects].flatMap((deep) => [
    [INVOKE_PATH, deep],
    [INVOKE_PATH, `{"text":${deep}}`],
    ['/mcp', deep],
    ['/mcp', call(`{"text":${deep}}`)],
  ]);
  const answers = Array.from({ length: count }, (_, index) => bodies[index % bodies.length] ?? []).map(
    async ([path = '', body = '']) => {
      const socket = await open(server);
      const answer = readAll(socket);
      socket.write(`${postOf(server, path)}Connection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
      return answer;
    },
  );
  return expectOnly(['400', '500'], await Promise.all(answers));
}
