// The database goes away under a server and comes back (F1, H6): what documents, invocations and /ready answer meanwhile.
import { type PostgresPlace, queryPostgres } from '../support/postgres-database.ts';
import type { HttpAnswer, ServeProcess } from '../support/serve-process.ts';
import { backendsOf } from './postgres-backends.ts';
import { DOCUMENT_PATH, invoke, untilHolds } from './serve-world.ts';

const CALLERS = 8;
/** So many succeed before the database goes away. */
const BEFORE = 100;
const DOCUMENT_EVERY_MS = 50;
const READY_EVERY_MS = 100;
/** So many are answered while it is away. */
const MEANWHILE = 25;

/** The connections that one server opens at most: four, and the one on which it hears of other replicas. */
const POOL = 5;

export interface Outage {
  begin(url: string): Promise<void>;
  end(): Promise<void>;
  /** How long it lasts at least: it goes on until enough was asked meanwhile. */
  readonly ms: number;
}

export interface OutageFigures {
  readonly documents: number;
  readonly slowestDocumentMs: number;
  readonly refused: number;
  readonly slowestRefusalMs: number;
  /** How long after the outage began /ready said so. */
  readonly noticeMs: number;
  readonly recoveryMs: number;
  readonly connections: number;
  /** Begun when the database went away and refused: said to run as long as the server lives. */
  readonly halfThere: number;
}

/** The server keeps its log strictly: `--log required`. Throws what is wrong; how long it took is for others to judge. */
export async function endureOutage(server: ServeProcess, place: PostgresPlace, outage: Outage): Promise<OutageFigures> {
  const load = startHttpLoad(server);
  let away: Away;
  let recoveryMs: number;
  let connections: number;
  try {
    await untilPoolIsWhole(server, place);
    await untilHolds('calls succeed', async () => acknowledgedOf(load.calls).length >= BEFORE);
    away = await goAway(load, place, outage);
    recoveryMs = await untilRecovered(load, away.until);
    connections = await untilPoolIsWhole(server, place);
  } finally {
    await load.stop();
  }
  const halfThere = await expectLogged(place, load.calls);
  return { ...judge(load, away), recoveryMs, connections, halfThere };
}

interface Away {
  readonly since: number;
  readonly until: number;
}

async function goAway(load: HttpLoad, { url }: PostgresPlace, outage: Outage): Promise<Away> {
  await outage.begin(url);
  const since = performance.now();
  await new Promise((resolve) => setTimeout(resolve, outage.ms));
  const begunSince = (list: readonly Call[]) => list.filter(({ begun }) => begun > since);
  await untilHolds('enough was asked, and /ready says that the database is away', async () => {
    const asked = [load.calls, load.documents].map((list) => begunSince(list).length);
    return Math.min(...asked) >= MEANWHILE && begunSince(load.readiness).some(({ status }) => status === 503);
  });
  const until = performance.now();
  await outage.end();
  return { since, until };
}

interface Call extends HttpAnswer {
  readonly begun: number;
}

interface HttpLoad {
  readonly calls: readonly Call[];
  readonly documents: readonly Call[];
  readonly readiness: readonly Call[];
  stop(): Promise<void>;
}

function startHttpLoad(server: ServeProcess): HttpLoad {
  const [calls, documents, readiness]: [Call[], Call[], Call[]] = [[], [], []];
  const asked = new Set<Promise<void>>();
  let isOver = false;
  const note = async (list: Call[], ask: () => Promise<HttpAnswer>) => {
    const begun = performance.now();
    // A broken connection is as bad as a wrong status.
    const answer = await ask().catch((error: Error) => ({ status: 0, text: error.message, ms: 0 }));
    list.push({ ...answer, begun });
  };
  const every = (ms: number, list: Call[], path: string) =>
    setInterval(() => {
      const asking = note(list, () => server.ask(path)).finally(() => asked.delete(asking));
      asked.add(asking);
    }, ms);
  const timers = [every(DOCUMENT_EVERY_MS, documents, DOCUMENT_PATH), every(READY_EVERY_MS, readiness, '/ready')];
  const callers = Array.from({ length: CALLERS }, async () => {
    while (!isOver) {
      await note(calls, () => invoke(server, 'echo', { text: 'x' }));
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  });
  return {
    calls,
    documents,
    readiness,
    async stop() {
      isOver = true;
      for (const timer of timers) clearInterval(timer);
      await Promise.all([...callers, ...asked]);
    },
  };
}

/** Of a call that began after the server was back. */
async function untilRecovered({ calls, readiness }: HttpLoad, since: number): Promise<number> {
  const isBack = (list: readonly Call[]) => list.some(({ begun, status }) => begun > since && status === 200);
  await untilHolds('invocations and /ready are back', async () => isBack(calls) && isBack(readiness));
  return performance.now() - since;
}

function judge({ calls, documents, readiness }: HttpLoad, away: Away) {
  const unread = documents.find(({ status }) => status !== 200);
  if (unread !== undefined) throw new Error(`a document: ${describe(unread)}`);
  const whole = ({ begun, ms }: Call) => begun > away.since && begun + ms < away.until;
  const refusals = calls.filter(whole);
  const odd = refusals.find((call) => !isRefusal(call));
  if (odd !== undefined) throw new Error(`an invocation without a database: ${describe(odd)}`);
  return {
    documents: documents.filter(whole).length,
    slowestDocumentMs: slowest(documents),
    refused: refusals.length,
    slowestRefusalMs: slowest(refusals),
    noticeMs: judgeReadiness(readiness.filter(whole)) - away.since,
  };
}

/** When /ready first said that the database was away, with a reason. From then on it says so, until the end. */
function judgeReadiness(meanwhile: readonly Call[]): number {
  const isAware = ({ status, text }: Call) => status === 503 && JSON.parse(text).reasons.length > 0;
  const first = meanwhile.find(isAware);
  if (first === undefined) throw new Error('/ready never said that the database was away');
  const noticed = first.begun + first.ms;
  const unaware = meanwhile.find((call) => call.begun > noticed && !isAware(call));
  if (unaware !== undefined) throw new Error(`/ready without a database: ${describe(unaware)}`);
  return noticed;
}

const isRefusal = ({ status, text }: Call): boolean => status === 503 && text.includes('"PERSISTENCE_ERROR"');

const describe = ({ status, ms, text }: Call): string => `${status} after ${Math.round(ms)} ms: ${text.slice(0, 300)}`;

const slowest = (calls: readonly Call[]): number => Math.round(Math.max(0, ...calls.map(({ ms }) => ms)));

/** As many connections as the server ever opens, no more and no fewer. */
async function untilPoolIsWhole({ ask }: ServeProcess, { url }: PostgresPlace): Promise<number> {
  let connections = 0;
  await untilHolds(`${POOL} connections`, async () => {
    await Promise.all(Array.from({ length: 4 * POOL }, () => ask('/api/invocations?limit=1')));
    connections = (await backendsOf(url)).length - 1;
    return connections === POOL;
  });
  return connections;
}

/** What was acknowledged before, during and after. Answers how many of the others are said to run. */
async function expectLogged({ url }: PostgresPlace, calls: readonly Call[]): Promise<number> {
  const acknowledged = acknowledgedOf(calls);
  const rows = await queryPostgres(url, 'SELECT id, status FROM skill_invocations');
  const completed = new Set(rows.filter(({ status }) => status === 'completed').map(({ id }) => id));
  const lost = acknowledged.filter((id) => !completed.has(id)).length;
  if (lost > 0) throw new Error(`${lost} of ${acknowledged.length} acknowledged are not in the log`);
  return rows.filter(({ status }) => status === 'running').length;
}

const acknowledgedOf = (calls: readonly Call[]): readonly string[] =>
  calls.filter(({ status }) => status === 200).map(({ text }) => JSON.parse(text).invocation_id);
