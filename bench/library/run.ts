// The library's figures: `npm run bench:library`. Approval and rollback until three replicas serve it, a difference of 512 files, and a
// skill of the library read beside one of a folder, in turns.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServeWorld } from '../../tests/faults/serve-world.ts';
import { startPostgres } from '../../tests/support/postgres.ts';
import { createDatabase, makeTables } from '../../tests/support/postgres-database.ts';
import type { ServeProcess } from '../../tests/support/serve-process.ts';
import { currentLoad, describeMachine, machineLines } from '../machine.ts';
import { median, quantile } from '../statistics.ts';

const ROUNDS = 20;
const READS = 1_000;
const FILES = 511;

const folder = mkdtempSync(join(tmpdir(), 'repertoire-bench-library-'));
const loadBefore = currentLoad();
const postgres = await startPostgres();
try {
  const place = await createDatabase(postgres);
  await makeTables(place);
  const world = createServeWorld(folder);
  writeSkill('by-folder');
  const servers = await Promise.all([0, 1, 2].map(() => world.start(place)));
  try {
    await measureChanges(servers);
    await measureDiff(servers[0] as ServeProcess);
    await measureReads(servers[0] as ServeProcess);
  } finally {
    await Promise.all(servers.map((server) => server.kill()));
  }
} finally {
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}
for (const line of machineLines(describeMachine(loadBefore))) console.log(line);
process.exit(0);

function skillText(name: string, body: string): string {
  return `---\nname: ${name}\ndescription: For a measurement.\n---\n${body}\n${'# Steps\n\nGo on.\n\n'.repeat(200)}`;
}

function writeSkill(name: string): void {
  mkdirSync(join(folder, 'skills', name), { recursive: true });
  writeFileSync(join(folder, 'skills', name, 'SKILL.md'), skillText(name, 'one'));
}

async function send({ url, token }: ServeProcess, method: string, path: string, body: object) {
  const answer = await fetch(`${url}/api/library${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as { readonly version: { readonly digest: string } };
}

function put(server: ServeProcess, name: string, files: readonly object[]) {
  return send(server, 'PUT', `/${name}`, { files, message: 'for a measurement' });
}

async function untilServed(servers: readonly ServeProcess[], mark: string): Promise<void> {
  const seen = servers.map(async ({ ask }) => {
    while (!(await ask('/api/documents/changing')).text.includes(`mark:${mark};`))
      await new Promise((resolve) => setTimeout(resolve, 5));
  });
  await Promise.all(seen);
}

async function measureChanges(servers: readonly ServeProcess[]): Promise<void> {
  const [one, other] = servers as [ServeProcess, ServeProcess];
  const [approvals, rollbacks]: [number[], number[]] = [[], []];
  const files = (mark: string) => [{ path: 'SKILL.md', text: skillText('changing', `mark:${mark};`) }];
  const first = (await put(one, 'changing', files('first'))).version.digest;
  await untilServed(servers, 'first');
  for (let round = 0; round < ROUNDS; round += 1) {
    const { digest } = (await propose(one, files(`round-${round}`))).version;
    approvals.push(
      await timed(async () => {
        await send(other, 'POST', `/changing/versions/${digest}/approve`, {});
        await untilServed(servers, `round-${round}`);
      }),
    );
    rollbacks.push(
      await timed(async () => {
        await send(one, 'POST', '/changing/rollback', { to: first });
        await untilServed(servers, 'first');
      }),
    );
  }
  say('approval, until three replicas serve it', approvals);
  say('rollback, until three replicas serve it', rollbacks);
}

async function propose({ mcp_url, token }: ServeProcess, files: readonly object[]) {
  const { askModern } = await import('../../tests/support/http-mcp-client.ts');
  const call = { name: 'propose_skill', arguments: { name: 'changing', files, message: 'for a measurement' } };
  const headers = { authorization: `Bearer ${token}` };
  const { text } = await askModern(new URL(mcp_url), 'tools/call', call, { headers });
  const digest = /sha256:[0-9a-f]{64}/.exec(text)?.[0];
  if (digest === undefined) throw new Error(`propose_skill: ${text}`);
  return { version: { digest } };
}

async function measureDiff(server: ServeProcess): Promise<void> {
  const files = (mark: string) => [
    { path: 'SKILL.md', text: skillText('wide', mark) },
    ...Array.from({ length: FILES }, (_, at) => ({
      path: `part/${at}.md`,
      text: `# Part ${at}\n\n${'A line that stays.\n'.repeat(20)}${mark} ${at}\n${'Another that stays.\n'.repeat(20)}`,
    })),
  ];
  const from = (await put(server, 'wide', files('before'))).version.digest;
  const to = (await put(server, 'wide', files('after'))).version.digest;
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1)
    times.push((await server.ask(`/api/library/wide/diff?from=${from}&to=${to}`)).ms);
  say('difference of 512 files that all changed', times);
}

async function measureReads(server: ServeProcess): Promise<void> {
  await put(server, 'by-library', [{ path: 'SKILL.md', text: skillText('by-library', 'one') }]);
  while ((await server.ask('/api/documents/by-library')).status !== 200) await new Promise((go) => setTimeout(go, 20));
  const [library, plain]: [number[], number[]] = [[], []];
  for (let round = 0; round < READS; round += 1) {
    library.push((await server.ask('/api/documents/by-library')).ms);
    plain.push((await server.ask('/api/documents/by-folder')).ms);
  }
  say(`skill of the library read, ${READS} times`, library);
  say('skill of a folder read, in turns with it', plain);
  console.log(`ratio of the medians: ${(median(library) / median(plain)).toFixed(2)}`);
}

async function timed(work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

function say(what: string, times: readonly number[]): void {
  const [p50, most] = [median(times), quantile(times, 1)].map((ms) => ms.toFixed(1));
  console.log(`${what}: p50 ${p50} ms, max ${most} ms`);
}
