// This program beside another version of it, in turns: `npm run bench:beside -- FOLDER [STORE] [ROUNDS]`, FOLDER with a checkout of
// the other that is built, STORE sqlite or postgres. A machine that does something else meanwhile hits both.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { startPostgres } from '../../tests/support/postgres.ts';
import { createDatabase } from '../../tests/support/postgres-database.ts';
import { sleep } from '../clock.ts';
import { loadHttp } from '../http-load.ts';
import { type HttpServer, startServe } from '../http-server.ts';
import { currentLoad, describeMachine, machineLines } from '../machine.ts';
import { programPath } from '../measure.ts';
import { openWorkshop } from '../open-workshop.ts';
import { findStats } from '../process-stats.ts';
import { median, quantile } from '../statistics.ts';
import { CASES, type Case, MOST_ROUNDS, requestFor } from './cases.ts';

const STORES = ['postgres', 'sqlite'] as const;
type StoreName = (typeof STORES)[number];

/** A replica asks for every request until the others know of it. */
const SETTLED_MS = 13_000;

interface Speed {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** Of the server, for one call. */
  readonly cpuMs: number;
}

const [folder, store, rounds = '5'] = process.argv.slice(2);
const other = resolve(folder ?? '', 'dist/cli.js');
const stores = STORES.filter((each) => store === undefined || store === each);
const wrong = findWrong();
if (wrong !== undefined) {
  process.stderr.write(`Cannot measure: ${wrong}\n`);
  process.exit(2);
}

const workshop = openWorkshop();
const { path: root } = workshop.root({ label: '17 skills', skills: 17 });
const loadBefore = currentLoad();
console.log(['store', 'what', 'calls/s', 'p50, ms', 'p99, ms', 'CPU, ms'].join(' | '));
for (const each of stores) await measureOn(each);
console.log('\nEach cell: ours / the other (their ratio, the median of the rounds).');
for (const line of machineLines(describeMachine(loadBefore))) console.log(line);
process.exit(0);

function findWrong(): string | undefined {
  if (folder === undefined) return 'name the folder of another version';
  if (!existsSync(other)) return `${other} is not there; run npm ci and npm run build in that folder`;
  if (stores.length === 0) return `the store is one of ${STORES.join(', ')}`;
  if (!(Number(rounds) >= 1 && Number(rounds) <= MOST_ROUNDS)) return `rounds are 1 to ${MOST_ROUNDS}`;
  return undefined;
}

async function measureOn(kind: StoreName): Promise<void> {
  // What is answered is on the disk, as in use.
  const postgres = kind === 'postgres' ? await startPostgres({ fsync: true }) : undefined;
  const start = async (program: string): Promise<HttpServer> => {
    const place = postgres && (await createDatabase(postgres));
    const words = ['--builtin', 'all', ...(place ? ['--database-url', place.url] : [])];
    return startServe(workshop, root, words, program);
  };
  const servers = [await start(programPath), await start(other)] as const;
  try {
    await sleep(SETTLED_MS);
    for (const each of CASES) console.log(lineOf(kind, each, await measureCase(each, servers)));
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
    await postgres?.stop();
  }
}

type Pair = readonly [Speed, Speed];

async function measureCase(each: Case, servers: readonly [HttpServer, HttpServer]): Promise<readonly Pair[]> {
  const turns = await Promise.all(servers.map((server) => turnsOf(each, server)));
  const take = (index: 0 | 1) => measureLoad(each, servers[index], turns[index] ?? []);
  // The first is for what both compile and open meanwhile.
  await take(0);
  await take(1);
  const pairs: Pair[] = [];
  for (let round = 0; round < Number(rounds); round += 1) {
    if (round % 2 === 0) pairs.push([await take(0), await take(1)]);
    else pairs.push(((b, a) => [a, b] as const)(await take(1), await take(0)));
  }
  return pairs;
}

async function turnsOf(each: Case, server: HttpServer) {
  const tokens = each.agents === 0 ? [server.token] : await addAgents(server, each);
  return tokens.map((token) => requestFor(each, server.port, token));
}

/** New ones: what another case asked for does not count for them. */
async function addAgents({ port, token }: HttpServer, { what, agents }: Case): Promise<readonly string[]> {
  const tokens: string[] = [];
  for (let number = 0; number < agents; number += 1) {
    const answer = await fetch(`http://127.0.0.1:${port}/api/agents`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      // The versions before roles of people know no `*`.
      body: JSON.stringify({ name: `${what} ${number}`.replace(/\W+/g, '-'), roles: ['TaskAgent'] }),
    });
    const made = (await answer.json()) as { readonly token?: string };
    if (made.token === undefined) throw new Error(`An agent was refused: ${JSON.stringify(made)}`);
    tokens.push(made.token);
  }
  return tokens;
}

async function measureLoad(
  { atOnce, calls }: Case,
  { pid }: HttpServer,
  turns: Parameters<typeof loadHttp>[0],
): Promise<Speed> {
  const before = findStats(pid)?.cpuMs ?? Number.NaN;
  const { ms, eachMs } = await loadHttp(turns, atOnce, calls);
  const after = findStats(pid)?.cpuMs ?? Number.NaN;
  return {
    perSecond: (calls / ms) * 1_000,
    p50: median(eachMs),
    p99: quantile(eachMs, 0.99),
    cpuMs: (after - before) / calls,
  };
}

function lineOf(kind: StoreName, { what }: Case, pairs: readonly Pair[]): string {
  const cell = (of: (speed: Speed) => number, decimals: number): string => {
    const [ours, others] = [0, 1].map((index) => median(pairs.map((pair) => of(pair[index as 0 | 1]))));
    const ratio = median(pairs.map(([one, two]) => of(one) / of(two)));
    return `${ours?.toFixed(decimals)} / ${others?.toFixed(decimals)} (${ratio.toFixed(2)} ×)`;
  };
  return [
    kind,
    what,
    cell(({ perSecond }) => perSecond, 0),
    cell(({ p50 }) => p50, 2),
    cell(({ p99 }) => p99, 1),
    cell(({ cpuMs }) => cpuMs, 3),
  ].join(' | ');
}
