// The dashboard's files: for anybody, at every address that is a page's and at no other (H4).
import { expect, test } from 'vitest';
import { openTestServer } from '../fixtures/open-test-server.ts';

const FILES = new Map([
  ['/index.html', Buffer.from('<!doctype html><title>Dashboard</title>')],
  ['/assets/index-1a2b.js', Buffer.from('run()')],
  ['/assets/index-1a2b.css', Buffer.from('a{}')],
  ['/icon.svg', Buffer.from('<svg/>')],
  ['/odd.bin', Buffer.from('x')],
]);

const openWeb = () => openTestServer({ webFiles: FILES });

const HTML = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
  "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

test.each(['/', '/index.html', '/skills', '/skills/a%20b', '/invocations/1?x=2', '/apis', '/nothing/at/all'])(
  '%s shows the page to a browser, without a credential',
  async (path) => {
    const { url } = await openWeb();
    const answer = await fetch(`${url}${path}`, { headers: HTML });
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('<title>Dashboard</title>');
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.headers.get('cache-control')).toBe('no-cache');
    expect(answer.headers.get('content-security-policy')).toBe(POLICY);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  },
);

test('the policy lets nothing inline run (H4)', async () => {
  const { url } = await openWeb();
  expect((await fetch(url)).headers.get('content-security-policy')).not.toMatch(/unsafe|\*|https?:/);
});

test.each(['/api/documents', '/api', '/api/', '/mcp', '/mcp/x', '/metrics', '/api/nothing'])(
  '%s belongs to programs: a browser without a credential is refused there',
  async (path) => {
    const { url } = await openWeb();
    expect((await fetch(`${url}${path}`, { headers: HTML })).status).toBe(401);
  },
);

test('a program at an address of a page is asked who it is', async () => {
  const { url } = await openWeb();
  expect((await fetch(`${url}/skills`, { headers: { Accept: 'application/json' } })).status).toBe(401);
  expect((await fetch(`${url}/skills`, { method: 'POST', headers: HTML })).status).toBe(401);
});

test.each([
  ['/assets/index-1a2b.js', 'text/javascript; charset=utf-8', 'run()'],
  ['/assets/index-1a2b.css', 'text/css; charset=utf-8', 'a{}'],
])('%s may be kept for ever: its name changes with it', async (path, type, text) => {
  const { url } = await openWeb();
  const answer = await fetch(`${url}${path}`);
  expect([answer.status, await answer.text()]).toEqual([200, text]);
  expect(answer.headers.get('content-type')).toBe(type);
  expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
});

test.each([
  ['/icon.svg', 'image/svg+xml'],
  ['/odd.bin', 'application/octet-stream'],
])('%s is asked about each time, as %s', async (path, type) => {
  const { url } = await openWeb();
  const { headers } = await fetch(`${url}${path}`);
  expect([headers.get('content-type'), headers.get('cache-control')]).toEqual([type, 'no-cache']);
});

test.each(['/', '/skills', '/assets/index-1a2b.js'])('%s is not sent again while it is the same', async (path) => {
  const { url } = await openWeb();
  const etag = (await fetch(`${url}${path}`, { headers: HTML })).headers.get('etag') ?? '';
  const again = await fetch(`${url}${path}`, { headers: { ...HTML, 'If-None-Match': etag } });
  expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag]);
  const other = await fetch(`${url}${path}`, { headers: { ...HTML, 'If-None-Match': '"other"' } });
  expect(other.status).toBe(200);
});

test('HEAD has the length and no body', async () => {
  const { url } = await openWeb();
  const answer = await fetch(`${url}/`, { method: 'HEAD' });
  expect([answer.headers.get('content-length'), await answer.text()]).toEqual(['39', '']);
});

test.each([
  '/assets/none.js',
  '/assets/',
  '/assets/../index.html',
  '/assets/%2e%2e/index.html',
  '/assets/..%2findex.html',
])('%s is not there, or is what it says', async (path) => {
  const server = await openWeb();
  const text = await server.sendRaw(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
  expect(text).toMatch(/^HTTP\/1\.1 404 /);
  expect(text).not.toContain('Dashboard');
});

test('a file cannot be posted to, and its name is not decoded', async () => {
  const { url } = await openWeb();
  expect((await fetch(`${url}/icon.svg`, { method: 'POST' })).status).toBe(405);
  expect((await fetch(`${url}/icon%2esvg`)).status).toBe(401);
});

test('without the files the address itself says that there is no dashboard, and no other page is there', async () => {
  const { url } = await openTestServer();
  expect(await (await fetch(url)).text()).toContain('The dashboard is not built here');
  expect((await fetch(`${url}/skills`, { headers: HTML })).status).toBe(401);
});
