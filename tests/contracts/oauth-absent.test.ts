// Without the options of OAuth everything is as before: the same answers, and nothing of it is loaded (O1).
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { startServeProcess } from '../support/serve-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'repertoire-no-oauth-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** V8 says at the end which files it ran. */
async function visit(options: readonly string[]) {
  const [data, coverage] = [mkdtempSync(join(folder, 'data-')), mkdtempSync(join(folder, 'coverage-'))];
  mkdirSync(join(data, 'skills'));
  const environment = { PATH: process.env.PATH, HOME: data, NODE_V8_COVERAGE: coverage };
  const server = await startServeProcess(['--data', data, '--root', join(data, 'skills'), ...options], environment);
  const answers: Record<string, number> = {};
  for (const path of PATHS) answers[path] = (await fetch(server.url + path, { redirect: 'manual' })).status;
  const form = { method: 'POST', body: new URLSearchParams({ grant_type: 'authorization_code' }) };
  answers['POST /oauth/token'] = (await fetch(`${server.url}/oauth/token`, form)).status;
  const metadata = await (await fetch(`${server.url}/.well-known/oauth-protected-resource/mcp`)).json();
  const refused = await fetch(server.mcp_url, { method: 'POST', body: '{}', headers: JSON_TYPE });
  expect(await server.stop()).toBe(0);
  const reports = readdirSync(coverage).map((name) => readFileSync(join(coverage, name), 'utf8'));
  // As Node writes them.
  const urls = reports.flatMap((text) =>
    (JSON.parse(text) as { result: { url: string }[] }).result.map(({ url }) => url),
  );
  const files = [...new Set(urls)].filter((url) => url.includes('/dist/')).map((url) => new URL(url));
  const loaded = files.filter((file) => readFileSync(file, 'utf8').includes('revocation_endpoint'));
  return { answers, metadata, challenge: refused.headers.get('www-authenticate') ?? '', loaded, files };
}

const JSON_TYPE = { 'Content-Type': 'application/json' };
const PATHS = ['/oauth/authorize', '/oauth/consent', '/.well-known/oauth-authorization-server'];

test('the paths are none, the 401 names no scope, and no file of the authorization server runs (O1)', async () => {
  const { answers, metadata, challenge, loaded, files } = await visit([]);
  expect(answers).toEqual({
    '/oauth/authorize': 401,
    '/oauth/consent': 401,
    '/.well-known/oauth-authorization-server': 404,
    'POST /oauth/token': 415,
  });
  const { authorization_servers: servers = [], scopes_supported: scopes } = metadata as Record<string, unknown>;
  expect(servers).toEqual([]);
  expect(scopes).not.toContain('skills:read');
  expect(challenge).not.toContain('scope=');
  expect(files.length).toBeGreaterThan(3);
  expect(loaded).toEqual([]);
});

test('with --oauth they are there (O1)', async () => {
  const { answers, challenge, loaded } = await visit(['--oauth']);
  expect(answers).toEqual({
    '/oauth/authorize': 400,
    '/oauth/consent': 405,
    '/.well-known/oauth-authorization-server': 200,
    'POST /oauth/token': 400,
  });
  expect(challenge).toContain('scope="skills:read skills:invoke"');
  expect(loaded.length).toBeGreaterThan(0);
});
