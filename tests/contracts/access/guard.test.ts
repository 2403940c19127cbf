// What is refused before any route is reached, and what no answer may say: hosts, origins, methods, credentials.
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { askModern } from '../../support/http-mcp-client.ts';
import {
  AccessWorld,
  type Answer,
  expectFailure,
  type Fields,
  initialize,
  leaksIn,
  skillsRoot,
} from './access-world.ts';

const world = new AccessWorld();
let operations: readonly (readonly [string, string])[] = [];

const list = { id: 'call_1', type: 'function', function: { name: 'list_skills', arguments: '{}' } };
/** One of each kind: public, page, document, file, log, metrics, bodies, MCP, nothing at all. */
const kinds: Record<string, { readonly body?: unknown; readonly method?: string }> = {
  '/': {},
  '/health': {},
  '/ready': {},
  '/.well-known/oauth-protected-resource': {},
  '/metrics': {},
  '/api/documents': {},
  '/api/documents/release-notes/files/SKILL.md': {},
  '/api/invocations': {},
  '/api/openapi.json': {},
  '/api/no-such-route': {},
  '/api/session': { body: { token: 'x' } },
  '/api/typed-skills/task_sequencing/invoke': { body: { tasks: [{ id: 'a' }] } },
  '/api/openai/dispatch': { body: list },
  '/mcp': { body: initialize },
};

beforeAll(async () => {
  await world.start();
  const { json } = await world.ask('/api/openapi.json', { token: world.operator });
  const paths = json.paths as Record<string, Fields>; // OpenAPI
  operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => [method.toUpperCase(), path] as const),
  );
});

afterAll(() => world.end());

/** As the operator: whoever may do everything is refused all the same. */
const ask = (path: string, headers: Record<string, string | undefined> = {}, body = kinds[path]?.body) =>
  world.ask(path, { token: world.operator, headers, ...(body === undefined ? {} : { body }) });

/** In the shape of the API, or in that of JSON-RPC for /mcp. */
function expectRefused(path: string, answer: Answer, status: number, code: 'UNAUTHORIZED' | 'VALIDATION_ERROR'): void {
  expect([path, answer.status]).toEqual([path, status]);
  if (path !== '/mcp') expectFailure(answer, status, code);
  else expect(answer.json).toMatchObject({ jsonrpc: '2.0', error: { message: expect.any(String) } });
}

describe.each(Object.keys(kinds))('%s', (path) => {
  const hosts = [
    'evil.example',
    'localhost.evil.example',
    '127.0.0.1.nip.io',
    '127.0.0.1.evil.example',
    'evil.example#localhost',
    'evil.example?@127.0.0.1',
    'localhost@evil.example',
    '0.0.0.0',
    '[::ffff:203.0.113.1]',
    '203.0.113.1',
  ];

  test('refuses names that are not ours, with and without our port (H4)', async () => {
    for (const host of hosts)
      for (const name of [host, `${host}:${world.server.port}`]) {
        const answer = await ask(path, { host: name });
        expect([name, answer.status]).toEqual([name, 403]);
        expectRefused(path, answer, 403, 'UNAUTHORIZED');
      }
  });

  test('refuses every other origin, also one on another port (H4)', async () => {
    const { port } = world.server;
    const origins = [
      'http://evil.example',
      `http://evil.example:${port}`,
      `http://localhost.evil.example:${port}`,
      'null',
      `http://127.0.0.1:${port + 1}`,
      'http://127.0.0.1',
      `http://127.0.0.1:${port}.evil.example`,
      `http://127.0.0.1:${port}@evil.example`,
      'file://',
      'chrome-extension://abcdefghijklmnop',
      'no origin at all',
    ];
    for (const origin of origins) {
      const answer = await ask(path, { origin });
      expect([origin, answer.status]).toEqual([origin, 403]);
      expectRefused(path, answer, 403, 'UNAUTHORIZED');
    }
  });

  test('lets its own origin in (H4)', async () => {
    const answer = await ask(path, { origin: `http://127.0.0.1:${world.server.port}` });
    expect(answer.status).not.toBe(403);
  });
});

test('a page elsewhere cannot use the session of a browser (H4)', async () => {
  const opened = await world.ask('/api/session', { body: { token: world.operator } });
  const [cookie = ''] = String(opened.headers['set-cookie']).split(';');
  expect((await world.ask('/api/documents', { headers: { cookie } })).status).toBe(200);
  const headers = { cookie, origin: 'http://evil.example' };
  for (const [path, { body }] of Object.entries(kinds)) {
    const answer = await world.ask(path, { headers, ...(body === undefined ? {} : { body }) });
    expect([path, answer.status]).toEqual([path, 403]);
  }
});

test('a request without Host, or with two, reaches no route (H4)', async () => {
  const { port } = world.server;
  const bearer = `Authorization: Bearer ${world.operator}\r\nConnection: close\r\n\r\n`;
  const own = `Host: 127.0.0.1:${port}\r\n`;
  for (const hosts of ['', 'Host:\r\n', `Host: evil.example\r\n${own}`, `${own}Host: evil.example\r\n`])
    for (const version of ['1.0', '1.1'])
      expect(await raw(`GET /api/documents HTTP/${version}\r\n${hosts}${bearer}`)).toMatch(/^HTTP\/1\.1 40[03] /);
});

test('a wrong method is 405 and names the right ones (H3)', async () => {
  const methodsOf = (path: string) => operations.filter(([, other]) => other === path).map(([method]) => method);
  for (const path of new Set(operations.map(([, path]) => path))) {
    const allowed = methodsOf(path);
    const target = path.replaceAll(/\{\w+\}/g, 'release-notes');
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'GET']) {
      if (allowed.includes(method)) continue;
      const answer = await world.ask(target, { token: world.operator, method });
      expect([method, path, answer.status]).toEqual([method, path, 405]);
      expectFailure(answer, 405, 'VALIDATION_ERROR');
      const named = allowed.flatMap((right) => (right === 'GET' ? ['GET', 'HEAD'] : [right]));
      expect([method, path, answer.headers.allow?.split(', ').sort()]).toEqual([method, path, named.sort()]);
    }
  }
});

test('OPTIONS grants nothing, with or without a preflight (H4)', async () => {
  for (const path of Object.keys(kinds)) {
    const preflight = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' };
    for (const headers of [{}, preflight, { ...preflight, origin: 'http://evil.example' }]) {
      const answer = await world.ask(path, { method: 'OPTIONS', headers });
      expect([path, answer.status >= 400]).toEqual([path, true]);
    }
  }
});

test('a route that does not exist is 404 for whoever is known, and 401 for others (H3)', async () => {
  const paths = ['/api', '/api/', '/api/nothing', '/api/documents/release-notes/nothing', '/api/typed-skills/x/y/z'];
  const odd = ['/api/%00', '/api/documents/%2e%2e%2fpackage.json', '/api//documents', '/API/documents'];
  for (const path of [...paths, ...odd]) {
    const answer = await ask(path);
    expect([path, [400, 404].includes(answer.status)]).toEqual([path, true]);
    expectFailure(answer, answer.status, answer.status === 400 ? 'VALIDATION_ERROR' : 'NOT_FOUND');
    expect([path, (await world.ask(path)).status]).toEqual([path, answer.status === 400 ? expect.any(Number) : 401]);
  }
  expectFailure(await ask('/api/documents/%zz'), 400, 'VALIDATION_ERROR');
});

test('a token in the address is no credential (H5)', async () => {
  for (const field of ['token', 'access_token', 'authorization', 'api_key']) {
    expectFailure(await world.ask(`/api/documents?${field}=${world.operator}`), 401, 'UNAUTHORIZED');
    const { status } = await world.ask(`/mcp?${field}=${world.operator}`, { body: initialize });
    expect([field, status]).toEqual([field, 401]);
  }
  expectFailure(await ask(`/api/documents?token=${world.operator}`), 400, 'VALIDATION_ERROR');
});

test('odd Authorization headers are 401, and a bad credential is not made good by another (H5)', async () => {
  const token = world.operator;
  const basic = Buffer.from(`operator:${token}`).toString('base64');
  const odd = [
    'Bearer',
    'Bearer ',
    token,
    `Token ${token}`,
    `Basic ${basic}`,
    `Bearer ${token}x`,
    `Bearer ${token.slice(0, -1)}`,
    `Bearer ${token.toUpperCase()}`,
    `Bearer "${token}"`,
    `Bearer ${token}, Bearer ${token}`,
    `Bearer nobody Bearer ${token}`,
    `Bearer,${token}`,
    `Bearer=${token}`,
    `Bearer ${'A'.repeat(10_000)}`,
    `Bearer é${token}`,
  ];
  for (const authorization of odd) {
    const answer = await world.ask('/api/documents', { headers: { authorization } });
    expect([authorization, answer.status]).toEqual([authorization, 401]);
    expectFailure(answer, 401, 'UNAUTHORIZED');
  }
  const lines = [
    'Host: 127.0.0.1',
    'Connection: close',
    'Authorization: Bearer nobody',
    `Authorization: Bearer ${token}`,
  ];
  const twice = `GET /api/documents HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`;
  expect(await raw(twice)).toMatch(/^HTTP\/1\.1 40[01] /);
  const opened = await world.ask('/api/session', { body: { token } });
  const cookie = { authorization: 'Bearer nobody', cookie: String(opened.headers['set-cookie']).split(';')[0] };
  expect((await world.ask('/api/documents', { headers: cookie })).status).toBe(401);
  expect((await world.ask('/api/documents', { headers: { authorization: `bearer ${token}` } })).status).toBe(200);
});

test('whoever comes through a proxy sees no directory of this machine (T1)', async () => {
  const far = { 'x-forwarded-for': '203.0.113.9' };
  const near = await ask('/api/documents/release-notes');
  expect(near.json.base_directory).toBe(`${skillsRoot}/release-notes`);
  const document = await ask('/api/documents/release-notes', far);
  expect(document.json.base_directory).toBeNull();
  const seen = [document.text];
  for (const path of ['/api/documents', '/api/problems', '/api/search?q=release', '/api/openai/tools', '/ready'])
    seen.push((await ask(path, far)).text);
  const headers = { authorization: `Bearer ${world.operator}`, ...far };
  const call = (name: string, args: Fields) =>
    askModern(world.mcp, 'tools/call', { name, arguments: args }, { headers });
  const skill = await call('skill', { name: 'release-notes' });
  expect(skill.text).toContain('Base directory: skill://release-notes');
  seen.push(skill.text, (await call('list_skills', {})).text, (await call('skill', { name: 'nothing' })).text);
  seen.push((await call('get_skill', { skill_name: 'release-notes' })).text);
  for (const text of seen) expect(text).not.toContain(skillsRoot);
  expect(seen.flatMap(leaksIn)).toEqual([]);
});

describe('of all that was answered above', () => {
  test('nothing grants another origin anything (H4)', () => {
    const granting = world.answers.filter(({ answer }) => /access-control-/.test(Object.keys(answer.headers).join()));
    expect(granting.map(({ asked }) => asked)).toEqual([]);
  });

  test('no failure shows a stack, SQL, an errno, a path or the token (H3, T9)', () => {
    const failed = world.answers.filter(({ answer }) => answer.status >= 400);
    expect(failed.length).toBeGreaterThan(400);
    const telling = failed.filter(
      ({ answer }) => leaksIn(answer.text).length > 0 || answer.text.includes(world.operator),
    );
    expect(telling.map(({ asked, answer }) => [asked, answer.text])).toEqual([]);
  });

  test('every 401 says how to come in, nothing is 5xx (H3)', () => {
    const silent = world.answers.filter(({ answer }) => answer.status === 401 && !answer.headers['www-authenticate']);
    expect(silent.map(({ asked }) => asked)).toEqual([]);
    expect(world.answers.filter(({ answer }) => answer.status >= 500).map(({ asked }) => asked)).toEqual([]);
  });
});

/** What comes back for these exact bytes. */
function raw(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(world.server.port, '127.0.0.1', () => socket.write(text));
    socket.setEncoding('utf8').on('data', (chunk) => {
      answer += chunk;
    });
    socket.once('error', reject).once('close', () => resolve(answer));
  });
}
