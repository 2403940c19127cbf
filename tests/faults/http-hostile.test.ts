// Bodies and bytes that no honest client sends, over HTTP: refused with a sentence, and the server goes on (F10).
import { request } from 'node:http';
import { describe, expect, test } from 'vitest';
import { OPERATOR_TOKEN, openTestServer, type TestServer } from '../../src/surfaces/http/fixtures/open-test-server.ts';

const HEAD = `Host: localhost\r\nAuthorization: Bearer ${OPERATOR_TOKEN}\r\n`;
const JSON_HEAD = `POST /api/x HTTP/1.1\r\n${HEAD}Content-Type: application/json\r\n`;

async function expectHealthy(server: TestServer): Promise<void> {
  expect((await server.ask('/api/x')).status).toBe(200);
}

interface Sent {
  readonly status: number;
  readonly body: string;
}

/** Sends this many bytes, with or without saying so first, and reads the answer meanwhile. */
function upload(server: TestServer, bytes: number, headers: Record<string, string | number>): Promise<Sent> {
  return new Promise((resolve, reject) => {
    const sending = request(`${server.url}/api/x`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${OPERATOR_TOKEN}`, 'Content-Type': 'application/json', ...headers },
    });
    let answered = false;
    sending.on('response', (answer) => {
      answered = true;
      let body = '';
      answer.setEncoding('utf8').on('data', (text) => {
        body += text;
      });
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body }));
    });
    // Being cut off is fine once the answer has come.
    sending.on('error', (error) => !answered && reject(error));
    const piece = Buffer.alloc(100_000, 'x');
    let left = bytes;
    const more = () => {
      while (left > 0 && !answered) {
        left -= piece.length;
        if (!sending.write(piece)) return void sending.once('drain', more);
      }
      sending.end();
    };
    more();
  });
}

describe('bodies of 20 MB (H3)', () => {
  test.each([
    ['that say so', { 'Content-Length': 20_000_000 }],
    ['that do not', { 'Transfer-Encoding': 'chunked' }],
  ])('%s are refused while they come, and the client sees why', async (_how, headers) => {
    const server = await openTestServer();
    const before = process.memoryUsage().rss;
    const answers = await Promise.all(Array.from({ length: 10 }, () => upload(server, 20_000_000, headers)));
    for (const { status, body } of answers) {
      expect(status).toBe(413);
      expect(JSON.parse(body)).toMatchObject({ failure_code: 'VALIDATION_ERROR' });
    }
    await expectHealthy(server);
    expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000);
  });

  test('are not even sent by a client that asks first', async () => {
    const server = await openTestServer();
    const head = `${JSON_HEAD}Expect: 100-continue\r\n`;
    expect(await server.sendRaw(`${head}Content-Length: 20000000\r\n\r\n`)).toMatch(/^HTTP\/1\.1 413 /);
    expect(await server.sendRaw(`${head.replace(OPERATOR_TOKEN, 'bad')}Content-Length: 2\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 401 /,
    );
    const socket = await server.connect();
    const heard = () => new Promise<string>((resolve) => socket.once('data', (chunk: Buffer) => resolve(`${chunk}`)));
    socket.write(`${head}Content-Length: 2\r\n\r\n`);
    expect(await heard()).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    socket.write('{}');
    expect(await heard()).toMatch(/^HTTP\/1\.1 200 .*"body":"\{\}"/s);
  });

  test('an answer to a short refused body leaves the connection usable (H3)', async () => {
    const server = await openTestServer();
    const bad = JSON_HEAD.replace(OPERATOR_TOKEN, 'bad');
    const text = await server.sendRaw(
      `${bad}Content-Length: 2\r\n\r\n{}${JSON_HEAD}Connection: close\r\nContent-Length: 3\r\n\r\n[1]`,
    );
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 401', 'HTTP/1.1 200']);
    expect(text).toContain('"body":"[1]"');
  });
});

test('JSON of 40,000 levels costs its own call, not the process (F10)', async () => {
  const nest = (value: unknown): number => (Array.isArray(value) ? 1 + nest(value[0]) : 0);
  const server = await openTestServer({
    api: { handle: ({ response, body }) => void response.end(`${nest(body === '' ? 0 : JSON.parse(body))}`) },
  });
  const deep = `${'['.repeat(40_000)}${']'.repeat(40_000)}`;
  const answer = await server.ask('/api/x', {
    method: 'POST',
    body: deep,
    headers: { 'Content-Type': 'application/json' },
  });
  expect(answer.status).toBe(500);
  expect(await answer.json()).toMatchObject({ failure_code: 'INTERNAL_ERROR' });
  await expectHealthy(server);
});

describe('bytes that are no request (H3)', () => {
  test.each([
    ['two lengths', 'Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}x'],
    ['a length and chunks', 'Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['chunks and a length', 'Transfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n0\r\n\r\n'],
    ['chunks that are not last', 'Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n'],
    ['an unknown encoding', 'Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n'],
    ['encoded chunks', 'Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n'],
    ['a space before the colon', 'Content-Length : 2\r\n\r\n{}'],
    ['a folded header', 'X-A: b\r\n c\r\nContent-Length : 2\r\n\r\n{}'],
    ['a length with a sign', 'Content-Length: +2\r\n\r\n{}'],
    ['a length that is none', 'Content-Length: 0x2\r\n\r\n{}'],
    ['a chunk of no size', 'Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n'],
    ['NUL in a header', 'X-A: a\0b\r\nContent-Length: 2\r\n\r\n{}'],
    ['a bare line feed', 'X-A: a\nX-B: b\r\n\rContent-Length: 2\r\n\r\n{}'],
  ])('%s: refused, and nothing after it is taken for a request', async (_what, rest) => {
    const seen: string[] = [];
    const server = await openTestServer({
      api: { handle: ({ path, response }) => void response.end(seen.push(path).toString()) },
    });
    const text = await server.sendRaw(`${JSON_HEAD}${rest}GET /api/smuggled HTTP/1.1\r\n${HEAD}\r\n`);
    expect(text).toMatch(/^HTTP\/1\.1 4\d\d /);
    expect(text).not.toMatch(/HPE_|parser|node|at /i);
    expect(seen).not.toContain('/api/smuggled');
    expect(text.match(/HTTP\/1\.1 \d/g)).toHaveLength(1);
  });

  test.each([
    ['nonsense', 'hello\r\n\r\n', 400],
    ['TLS', Buffer.from('16030100c8010000c40303', 'hex'), 400],
    ['another version', 'GET / HTTP/9.9\r\nHost: localhost\r\n\r\n', 400],
    ['16 KB of headers', `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    ['a path of 20 KB', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`, 431],
  ])('%s is answered with the body of H3 and nothing of ours', async (_what, bytes, status) => {
    const server = await openTestServer();
    const text = await server.sendRaw(bytes);
    const [head = '', body = ''] = text.split('\r\n\r\n');
    expect(head).toContain(`HTTP/1.1 ${status} `);
    expect(head).toContain('X-Content-Type-Options: nosniff');
    expect(JSON.parse(body)).toMatchObject({ success: false, failure_code: 'VALIDATION_ERROR' });
    expect(body).not.toMatch(/HPE_|parse error|node/i);
    await expectHealthy(server);
  });

  test('nonsense after a request does not land in the middle of its answer', async () => {
    const server = await openTestServer({
      api: { handle: ({ response }) => void setTimeout(() => response.end('late'), 100) },
    });
    const text = await server.sendRaw(`GET /api/x HTTP/1.1\r\n${HEAD}\r\nnonsense\r\n\r\n`);
    expect(text).toMatch(/^HTTP\/1\.1 200 .*late/s);
    expect(text).not.toContain('HTTP/1.1 400');
    await expectHealthy(server);
  });

  test('a client that goes away in the middle of its body leaves nothing behind (F10)', async () => {
    const server = await openTestServer();
    for (let index = 0; index < 50; index += 1) {
      const socket = await server.connect();
      socket.write(`${JSON_HEAD}Content-Length: 100\r\n\r\n{`);
      if (index % 2 === 0) socket.resetAndDestroy();
      else socket.destroy();
    }
    await expectHealthy(server);
    await expect.poll(server.connections).toBeLessThanOrEqual(1);
    expect(server.events.filter(({ level }) => level === 'error')).toEqual([]);
  });
});
