// Durable runs while their servers are killed: none is lost, and what may not run again does not (J5). Each begin of a run is a line
// in a file, so that the skills themselves tell how often they ran.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Random, wholeNumber } from '../../bench/random.ts';
import { sleep } from '../../src/async/sleep.ts';
import type { StorePlace } from '../../src/settings/store-place.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { type ServeProcess, startServeProcess } from '../support/serve-process.ts';

const library = fileURLToPath(new URL('../../dist/lib/skills.js', import.meta.url));

const MOST_ATTEMPTS = 20;

const configText = (beginnings: string) => `
import { appendFileSync } from 'node:fs';
import { defineSkill } from ${JSON.stringify(library)};

const fields = (properties) => ({ type: 'object', properties, required: Object.keys(properties) });
const shape = fields({ n: { type: 'integer' }, ms: { type: 'integer' } });
const skill = (name, durable) => defineSkill({
  name, description: 'For a test.', category: 'execution', input: shape, output: shape, durable,
  run: async (input) => {
    appendFileSync(${JSON.stringify(beginnings)}, [name, input.n, process.pid, Date.now()].join(' ') + '\\n');
    await new Promise((resolve) => setTimeout(resolve, input.ms));
    return input;
  },
});

export default {
  skills: [skill('again', { idempotent: true, attempts: ${MOST_ATTEMPTS}, backoffSeconds: 0 }), skill('once', {})],
};
`;

export interface KilledRuns {
  readonly place: StorePlace;
  readonly servers: number;
  /** Empty; the caller deletes it. */
  readonly folder: string;
  readonly runs: number;
  readonly kills: number;
  readonly random: Random;
  readonly onProgress?: (text: string) => void;
}

export interface Endured {
  /** Runs that ended well, and those that were interrupted. */
  readonly completed: number;
  readonly interrupted: number;
  /** Begun more than once, as they may. */
  readonly repeated: number;
  /** How often runs were cut off by a death: the cases that the next one is measured over. */
  readonly cutOff: number;
  /** From the death of a process to the next attempt at one of its runs, or to its end as interrupted, at most. */
  readonly slowestMs: number;
}

const TOKEN = `rpo_${'killedrun'.repeat(5)}`;

/** Throws when a run is lost, or one that must not run twice has. */
export async function endureKills(given: KilledRuns): Promise<Endured> {
  const { place, folder, runs, random } = given;
  mkdirSync(folder, { recursive: true });
  const beginnings = join(folder, 'beginnings');
  writeFileSync(beginnings, '');
  const config = join(folder, 'runs.config.mjs');
  writeFileSync(config, configText(beginnings));
  const store = place.kind === 'postgres' ? ['--database-url', place.url] : ['--data', place.dataDirectory];
  const environment = { PATH: process.env.PATH, HOME: folder, REPERTOIRE_OPERATOR_TOKEN: TOKEN };
  const options = ['--root', folder, '--builtin', 'none', '--config', config, ...store];
  const start = () => startServeProcess(options, environment);
  const servers = await Promise.all(Array.from({ length: given.servers }, start));
  try {
    const ids = startRuns(servers, runs, random);
    const deaths = await killAtRandom(given, servers, start);
    return await judge({ servers, ids: await ids, beginnings, deaths });
  } finally {
    await Promise.all(servers.map(({ kill }) => kill()));
  }
}

const USUAL_START_MS = 700;

/** When a process with this pid died: pids are used again. */
type Deaths = ReadonlyMap<number, readonly number[]>;

/** Each is started again at once; the next kill does not wait for that, if another one is up. */
async function killAtRandom(
  { kills, random, onProgress }: KilledRuns,
  servers: ServeProcess[],
  start: () => Promise<ServeProcess>,
): Promise<Deaths> {
  const deaths = new Map<number, number[]>();
  const starting = new Map<number, Promise<void>>();
  // On a slow machine a start takes longer: kills come as much later, or no process would live long enough to begin anything.
  let slowness = 1;
  const restart = async (at: number) => {
    const begun = Date.now();
    servers[at] = await start();
    slowness = Math.max(1, (Date.now() - begun) / USUAL_START_MS);
    starting.delete(at);
  };
  for (let kill = 0; kill < kills; kill += 1) {
    onProgress?.(`kill ${kill + 1} of ${kills}`);
    await sleep((100 + wholeNumber(random, 600)) * slowness);
    const up = servers.map((_server, at) => at).filter((at) => !starting.has(at));
    if (up.length === 0) await Promise.race(starting.values());
    const at = up[wholeNumber(random, up.length)];
    const victim = at === undefined ? undefined : servers[at];
    if (at === undefined || victim === undefined) {
      kill -= 1;
      continue;
    }
    await victim.kill();
    deaths.set(victim.pid, [...(deaths.get(victim.pid) ?? []), Date.now()]);
    starting.set(at, restart(at));
  }
  await Promise.all(starting.values());
  return deaths;
}

/** Accepted by one of them, however often it has to be asked: a key makes it one run (J3). */
async function startRuns(servers: readonly ServeProcess[], count: number, random: Random): Promise<readonly string[]> {
  const ids: string[] = [];
  const AT_ONCE = 8;
  const startOne = async (n: number): Promise<void> => {
    const body = JSON.stringify({ n, ms: wholeNumber(random, 600) });
    const skill = n % 2 === 0 ? 'again' : 'once';
    const headers = { Prefer: 'respond-async', 'Idempotency-Key': `run-${n}` };
    for (const until = Date.now() + PATIENCE_MS; ; ) {
      const server = servers[wholeNumber(random, servers.length)];
      const answer = await server?.ask(`/api/typed-skills/${skill}/invoke`, { body, headers }).catch(() => undefined);
      // 200 and 500: it was accepted before, the answer was lost, and it has ended meanwhile.
      if (answer !== undefined && answer.status !== 503) return void ids.push(JSON.parse(answer.text).invocation_id);
      if (Date.now() > until) throw new Error(`Run ${n} was never accepted`);
      await sleep(50);
    }
  };
  let next = 0;
  const work = async () => {
    while (next < count) await startOne(next++);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return ids;
}

interface EndedRun {
  readonly invocation: { readonly skill_name: string; readonly input_payload: { readonly n: number } };
  readonly result: null | {
    readonly success: boolean;
    readonly timestamp: string;
    readonly failure_details: { readonly interrupted?: boolean } | null;
  };
  readonly attempts: readonly { readonly attempt: number; readonly started_at: string }[];
}

async function untilEnded(servers: readonly ServeProcess[], id: string): Promise<EndedRun> {
  for (const until = Date.now() + 2 * PATIENCE_MS; ; ) {
    const answer = await servers[0]?.ask(`/api/invocations/${id}`).catch(() => undefined);
    if (answer?.status === 404) throw new Error(`The run ${id} is lost`);
    const found: EndedRun | undefined = answer?.status === 200 ? JSON.parse(answer.text) : undefined;
    if (found !== undefined && found.result !== null) return found;
    if (Date.now() > until) throw new Error(`The run ${id} never ended: ${answer?.text}`);
    await sleep(100);
  }
}

interface Evidence {
  readonly servers: readonly ServeProcess[];
  readonly ids: readonly string[];
  readonly beginnings: string;
  readonly deaths: Deaths;
}

/** As the skill itself noted it. */
interface Beginning {
  readonly pid: number;
  readonly at: number;
}

async function judge({ servers, ids, beginnings, deaths }: Evidence): Promise<Endured> {
  const ended: EndedRun[] = [];
  for (const id of ids) ended.push(await untilEnded(servers, id));
  const begun = readBeginnings(beginnings);
  for (const run of ended) expectFine(run, begun.get(nameOf(run))?.length ?? 0);
  const completed = ended.filter(({ result }) => result?.success).length;
  const repeated = [...begun.values()].filter(({ length }) => length > 1).length;
  const waits = ended.flatMap((run) => takeUps(run, begun.get(nameOf(run)) ?? [], deaths));
  const interrupted = ended.length - completed;
  return { completed, interrupted, repeated, cutOff: waits.length, slowestMs: Math.max(0, ...waits) };
}

const nameOf = ({ invocation }: EndedRun): string => `${invocation.skill_name} ${invocation.input_payload.n}`;

function readBeginnings(path: string): ReadonlyMap<string, readonly Beginning[]> {
  const begun = new Map<string, Beginning[]>();
  for (const line of readFileSync(path, 'utf8').trim().split('\n')) {
    const [skill, n, pid, at] = line.split(' ');
    const name = `${skill} ${n}`;
    begun.set(name, [...(begun.get(name) ?? []), { pid: Number(pid), at: Number(at) }]);
  }
  return begun;
}

function expectFine(run: EndedRun, times: number): void {
  const { invocation, result, attempts } = run;
  const isFine = result?.success === true ? times >= 1 : result?.failure_details?.interrupted === true;
  const told = `${nameOf(run)} began ${times} times and ended as ${JSON.stringify(result)}`;
  if (!isFine) throw new Error(told);
  // A process may die between taking a run and beginning it.
  if (times > attempts.length || attempts.length > MOST_ATTEMPTS)
    throw new Error(`${told} with ${attempts.length} attempts`);
  if (invocation.skill_name === 'once' && times > 1) throw new Error(`${told}, but may not run again`);
  const isUsedUp = attempts.length === MOST_ATTEMPTS;
  if (invocation.skill_name === 'again' && result?.success !== true && !isUsedUp)
    throw new Error(`${told}, but may run again`);
}

/** How long each time that its process died it took until it went on, or was ended as interrupted. */
function takeUps({ result, attempts }: EndedRun, begun: readonly Beginning[], deaths: Deaths): readonly number[] {
  return begun.flatMap(({ pid, at }) => {
    const death = deaths.get(pid)?.find((moment) => moment >= at);
    if (death === undefined || result === null) return [];
    // The attempts are by the clock of the database, and before what the skill notes.
    const next = attempts.map(({ started_at }) => Date.parse(started_at)).find((started) => started > at);
    const end = Date.parse(result.timestamp);
    // It ended before the death.
    return next === undefined && end < death ? [] : [(next ?? end) - death];
  });
}
