// Measures reading one skill over HTTP with 32 requests in flight: MCP in both eras and the JSON API, each beside a bare
// server that sends the same bytes; and whether the number of skills matters.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Corpus } from '../corpus.ts';
import { type HttpRequest, loadHttp } from '../http-load.ts';
import { type HttpServer, startFloor, startServe } from '../http-server.ts';
import type { Measure, MeasureContext } from '../measure.ts';
import { findStats, waitUntilQuiet } from '../process-stats.ts';
import type { Row, Unit } from '../row.ts';

const inFlight = 32;
const requestsPerRound = 6_000;
const warmUp = 1_500;
const mostRounds = 5;
const few: Corpus = { label: '100 skills', skills: 100 };
const many: Corpus = { label: '10,000 skills', skills: 10_000 };

interface Speed {
  readonly eachUs: number;
  readonly cpuUs: number | undefined;
}

interface Pair {
  readonly ours: Speed;
  readonly floor: Speed;
}

export const measureHttp: Measure = async (context) => {
  const rounds = Math.min(mostRounds, context.rounds);
  const byWhat = new Map<string, Pair[]>();
  for (let round = 0; round < rounds; round++) {
    context.progress(`http: round ${round + 1} of ${rounds}`);
    for (const [what, pair] of await measureOnce(context)) byWhat.set(what, [...(byWhat.get(what) ?? []), pair]);
  }
  const rows = [...byWhat].flatMap(([what, pairs]) => [
    createRow(`${what}, each`, 'µs', pairs, ({ eachUs }) => eachUs),
    createRow(`${what}, server CPU`, 'µs', pairs, ({ cpuUs }) => cpuUs),
  ]);
  return context.corpora.some(({ skills }) => skills === many.skills) ? [...rows, await compareSizes(context)] : rows;
};

async function measureOnce(context: MeasureContext): Promise<readonly (readonly [string, Pair])[]> {
  const { workshop } = context;
  const { path, names } = workshop.root(few);
  const server = await startServe(workshop, path);
  try {
    await waitUntilQuiet(server.pid);
    const name = names[Math.floor(names.length / 2)] ?? '';
    const pairs: (readonly [string, Pair])[] = [];
    for (const [what, request] of Object.entries(requestsFor(server, name))) {
      pairs.push([what, await besideFloor(context, server, request)]);
    }
    return pairs;
  } finally {
    await server.stop();
  }
}

async function besideFloor({ workshop }: MeasureContext, server: HttpServer, request: HttpRequest): Promise<Pair> {
  const file = join(workshop.createBox().path, 'answer');
  writeFileSync(file, await readOnce(request));
  const floor = await startFloor(workshop, file);
  try {
    const ours = await measureLoad(server, request);
    return { ours, floor: await measureLoad(floor, { ...request, port: floor.port }) };
  } finally {
    await floor.stop();
  }
}

async function readOnce({ port, method, path, headers, body }: HttpRequest): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers, ...(body && { body }) });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`The server answered ${answer.status} to ${path}: ${text.slice(0, 200)}`);
  return text;
}

async function measureLoad({ pid }: HttpServer, request: HttpRequest): Promise<Speed> {
  await loadHttp([request], inFlight, warmUp);
  const before = findStats(pid);
  const { ms } = await loadHttp([request], inFlight, requestsPerRound);
  const after = findStats(pid);
  return {
    eachUs: (ms * 1000) / requestsPerRound,
    cpuUs: before && after ? ((after.cpuMs - before.cpuMs) * 1000) / requestsPerRound : undefined,
  };
}

/** The floor of 10,000 skills is 100 skills: reading one must not depend on how many there are. */
async function compareSizes({ workshop, progress, rounds }: MeasureContext): Promise<Row> {
  const pairs: Pair[] = [];
  for (let round = 0; round < Math.min(3, rounds); round++) {
    progress(`http: 10,000 skills beside 100, round ${round + 1}`);
    const [ours, floor] = [await speedAt(many), await speedAt(few)];
    pairs.push({ ours, floor });
  }
  return createRow('MCP 2026, 10,000 skills beside 100, each', 'µs', pairs, ({ eachUs }) => eachUs);

  async function speedAt(corpus: Corpus): Promise<Speed> {
    const { path, names } = workshop.root(corpus);
    const server = await startServe(workshop, path);
    try {
      await waitUntilQuiet(server.pid);
      return await measureLoad(server, modernRead(server, names[Math.floor(names.length / 2)] ?? ''));
    } finally {
      await server.stop();
    }
  }
}

const requestsFor = (server: HttpServer, name: string): Readonly<Record<string, HttpRequest>> => ({
  'MCP 2026': modernRead(server, name),
  'JSON API': {
    port: server.port,
    method: 'GET',
    path: `/api/documents/${name}`,
    headers: { authorization: `Bearer ${server.token}` },
    body: '',
  },
});

const MODERN = '2026-07-28';

function modernRead({ port, token }: HttpServer, name: string): HttpRequest {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': MODERN,
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
  };
  const params = { name: 'skill', arguments: { name }, _meta };
  return {
    port,
    method: 'POST',
    path: '/mcp',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': MODERN,
      'mcp-method': 'tools/call',
      'mcp-name': 'skill',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  };
}

function createRow(what: string, unit: Unit, pairs: readonly Pair[], of: (speed: Speed) => number | undefined): Row {
  const known = (value: number | undefined): value is number => value !== undefined;
  return {
    section: 'http',
    what,
    unit,
    samples: pairs.map(({ ours }) => of(ours)).filter(known),
    floorSamples: pairs.map(({ floor }) => of(floor)).filter(known),
  };
}
