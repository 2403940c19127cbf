// The authorization server before the official suite (O2): both of its scenarios, with a person who allows what it asks for.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServeProcess } from '../../tests/support/serve-process.ts';

export interface AuthorizationVerdict {
  readonly ok: boolean;
  readonly said: string;
}

const LIMIT_MS = 180_000;
const LAST_LINES = 40;

/** `suite`: the words of npx that start it. No check may fail, and none may only warn. */
export async function judgeAuthorization(suite: readonly string[]): Promise<AuthorizationVerdict> {
  const data = mkdtempSync(join(tmpdir(), 'repertoire-authorization-'));
  const options = ['--oauth', '--data', data, '--root', 'examples/skills'];
  const server = await startServeProcess(options, { ...process.env, HOME: data });
  try {
    const port = await findFreePort();
    const id = await register(server.url, port);
    const asked = ['--url', server.url, '--client-id', id, '--resource', server.mcp_url, '-p', String(port)];
    return await ask(['-y', ...suite, 'authorization', ...asked], server.url, server.token ?? '');
  } finally {
    await server.stop();
    rmSync(data, { recursive: true, force: true });
  }
}

async function register(url: string, port: number): Promise<string> {
  const metadata = { client_name: 'Conformance suite', redirect_uris: [`http://127.0.0.1:${port}/callback`] };
  const headers = { 'Content-Type': 'application/json' };
  const answer = await fetch(`${url}/oauth/register`, { method: 'POST', headers, body: JSON.stringify(metadata) });
  if (answer.status !== 201) throw new Error(`Cannot register the suite: ${answer.status} ${await answer.text()}`);
  return ((await answer.json()) as { readonly client_id: string }).client_id;
}

function ask(args: readonly string[], url: string, token: string): Promise<AuthorizationVerdict> {
  return new Promise((resolve, reject) => {
    const child = spawn('npx', args, { stdio: ['ignore', 'pipe', 'pipe'], timeout: LIMIT_MS });
    let printed = '';
    let isAllowed = false;
    const read = (chunk: string) => {
      printed += chunk;
      const page = printed.split(/\s/).find((word) => word.startsWith(`${url}/oauth/authorize?`));
      // The word is whole when something stands behind it.
      if (page === undefined || isAllowed || !new RegExp(`${escaped(page)}\\s`).test(printed)) return;
      isAllowed = true;
      allow(page, url, token).catch(reject);
    };
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', read);
    child.once('error', reject).once('close', (code) => resolve(verdictOn(code, printed)));
  });
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** As a browser does it: the page with its cookie, the form, and where that leads. */
async function allow(page: string, url: string, token: string): Promise<void> {
  const shown = await fetch(page);
  const cookie = shown.headers.get('set-cookie')?.split(';')[0] ?? '';
  const ticket = /name="ticket" value="([^"]+)"/.exec(await shown.text())?.[1] ?? '';
  const body = new URLSearchParams({ ticket, decision: 'allow', token });
  const answer = await fetch(`${url}/oauth/consent`, { method: 'POST', body, headers: { cookie }, redirect: 'manual' });
  const back = answer.headers.get('location');
  if (back === null) throw new Error(`The consent was answered with ${answer.status}`);
  await fetch(back);
}

function verdictOn(code: number | null, printed: string): AuthorizationVerdict {
  const lines = printed.trim().split('\n');
  const scenarios = lines.filter((line) => /^[✓✗] .*: \d+ passed/u.test(line.trim()));
  const isWhole = scenarios.length === SCENARIOS && scenarios.every((line) => /: [1-9]\d* passed, 0 failed/.test(line));
  const ok = code === 0 && isWhole && !/\bWARNING\b/.test(printed);
  return ok
    ? { ok, said: scenarios.map((line) => line.trim()).join(', ') }
    : { ok, said: `${lines.slice(-LAST_LINES).join('\n')}\nended with ${code}` };
}

const SCENARIOS = 2;

async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // It listens on TCP, so it has a port.
  await new Promise((resolve) => server.close(resolve));
  return port;
}
