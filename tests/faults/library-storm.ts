// The library under random edits, proposals, decisions and kills, while readers write down what they get (L1–L5). What happened is
// compared with the trail, entry by entry; what was read, with what was current just before.
import type { Random } from '../../bench/random.ts';
import type { StorePlace } from '../../src/settings/store-place.ts';
import { askModern } from '../support/http-mcp-client.ts';
import type { ServeProcess } from '../support/serve-process.ts';
import { createLibraryWriter, type Expected, type LibraryWriter } from './library-writer.ts';
import { createServeWorld } from './serve-world.ts';

export interface Storm {
  readonly place: StorePlace;
  /** Empty. */
  readonly folder: string;
  readonly replicas: number;
  /** Edits, proposals, decisions: so many, or as many as the time allows. */
  readonly steps: number;
  readonly limitMs?: number;
  readonly kills: number;
  readonly random: Random;
  readonly onProgress?: (text: string) => void;
}

export interface Weathered {
  /** That were made. */
  readonly steps: number;
  readonly kills: number;
  /** Changes that were refused because the store took too long, by what was said. */
  readonly late: ReadonlyMap<string, number>;
  readonly entries: number;
  readonly versions: number;
  readonly reads: number;
  /** How long after it was current no more something was still read, at most. */
  readonly stalestMs: number;
}

const NAMES = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta'];

export async function weatherLibrary(storm: Storm): Promise<Weathered> {
  const world = createServeWorld(storm.folder);
  const servers = await Promise.all(Array.from({ length: storm.replicas }, () => world.start(storm.place)));
  const anyServer = () => servers[Math.floor(storm.random() * servers.length)] as ServeProcess;
  const late = new Map<string, number>();
  const onLate = (said: string) => void late.set(said, (late.get(said) ?? 0) + 1);
  const writers = NAMES.map((name) => createLibraryWriter(name, anyServer, storm.random, onLate));
  const readings: Reading[] = [];
  const state = { isOver: false, done: 0, kills: 0, begun: Date.now() };
  try {
    const reading = servers.map((_, index) => readOn(() => servers[index] as ServeProcess, state, readings));
    const killing = killSome(storm, servers, state, () => world.start(storm.place));
    await Promise.all(writers.map((writer) => write(writer, storm, state)));
    state.isOver = true;
    await Promise.all([...reading, killing]);
    const { done: steps, kills } = state;
    return { ...(await judge(anyServer(), writers, readings)), steps, kills, late };
  } finally {
    state.isOver = true;
    await Promise.all(servers.map((server) => server.kill()));
  }
}

interface Going {
  isOver: boolean;
  done: number;
  kills: number;
  readonly begun: number;
}

/** Of all that is to be done, by count or by time. */
const shareDone = ({ steps, limitMs = Number.POSITIVE_INFINITY }: Storm, { done, begun }: Going): number =>
  Math.max(done / steps, (Date.now() - begun) / limitMs);

async function write(writer: LibraryWriter, storm: Storm, state: Going): Promise<void> {
  const { steps, onProgress } = storm;
  while (shareDone(storm, state) < 1) {
    state.done += 1;
    await writer.step();
    if (state.done % 100 === 0) onProgress?.(`${state.done} of ${steps} changes of the library`);
  }
}

/** One after the other: a replica that starts is not killed before it listens. */
async function killSome(
  storm: Storm,
  servers: ServeProcess[],
  state: Going,
  start: () => Promise<ServeProcess>,
): Promise<void> {
  const { kills, random } = storm;
  for (let killed = 1; killed <= kills && !state.isOver; killed += 1) {
    while (!state.isOver && shareDone(storm, state) < killed / (kills + 1)) await pause(10);
    const index = Math.floor(random() * servers.length);
    await servers[index]?.kill();
    state.kills = killed;
    servers[index] = await start();
  }
}

interface Reading {
  readonly name: string;
  /** `undefined`: it was not served. */
  readonly mark: string | undefined;
  readonly from: number;
  readonly to: number;
}

const SURFACES: readonly ((server: ServeProcess, name: string) => Promise<{ status: number; text: string }>)[] = [
  (server, name) => server.ask(`/api/documents/${name}`),
  (server, name) => server.ask(`/api/documents/${name}/files/notes.txt`),
  async ({ mcp_url, token }, name) => {
    const headers = { authorization: `Bearer ${token}` };
    const call = { name: 'get_skill', arguments: { uri: `skill://${name}/SKILL.md` } };
    return askModern(new URL(mcp_url), 'tools/call', call, { headers });
  },
];

async function readOn(server: () => ServeProcess, state: Going, into: Reading[]): Promise<void> {
  for (let count = 0; !state.isOver; count += 1) {
    const name = NAMES[count % NAMES.length] ?? '';
    const read = SURFACES[Math.floor(count / NAMES.length) % SURFACES.length] ?? SURFACES[0];
    const from = Date.now();
    // One that is killed answers nothing.
    const answer = await read?.(server(), name).catch(() => undefined);
    if (answer !== undefined && [200, 404].includes(answer.status))
      into.push({ name, mark: /mark:([a-z]+:\d+)/.exec(answer.text)?.[1], from, to: Date.now() });
    await pause(5);
  }
}

interface Entry {
  readonly time: string;
  readonly action: string;
  readonly subject: string;
  readonly digest: string | null;
}

async function judge(
  server: ServeProcess,
  writers: readonly LibraryWriter[],
  readings: readonly Reading[],
): Promise<Pick<Weathered, 'entries' | 'versions' | 'reads' | 'stalestMs'>> {
  const entries = (await readTrail(server)).filter(({ action }) => action.startsWith('skill.'));
  let [stalestMs, versions] = [0, 0];
  for (const writer of writers) {
    const own = entries.filter(({ subject }) => subject === writer.name);
    expectSame(writer.name, own, writer.expected);
    versions += await writer.expectVersions();
    const times = timesOf(own, writer.markOf);
    for (const reading of readings.filter(({ name }) => name === writer.name))
      stalestMs = Math.max(stalestMs, stalenessOf(reading, times));
  }
  return { entries: entries.length, versions, reads: readings.length, stalestMs };
}

/** Oldest first. */
async function readTrail({ ask }: ServeProcess): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const { text } = await ask(`/api/trail?limit=200${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`);
    const page = JSON.parse(text) as { entries: Entry[]; next_cursor: string | null };
    entries.push(...page.entries);
    cursor = page.next_cursor;
  }
  return entries.reverse();
}

/** What was not answered may have happened or not; everything else must have, in this order, and nothing beside it. */
function expectSame(name: string, entries: readonly Entry[], expected: readonly Expected[]): void {
  /** How many entries may have been told of so far. */
  let told = new Set([0]);
  for (const { actions, digest, isSure } of expected) {
    const fits = (at: number) =>
      actions.every((action, index) => {
        const entry = entries[at + index];
        return entry?.action === action && entry.digest === digest;
      });
    const after = [...told].filter(fits).map((at) => at + actions.length);
    const before = told;
    told = new Set(isSure ? after : [...told, ...after]);
    if (told.size === 0) {
      const found = JSON.stringify(entries[Math.max(...before)]);
      throw new Error(`The trail of ${name} has ${found} where ${actions} ${digest} happened`);
    }
  }
  if (told.has(entries.length)) return;
  throw new Error(`The trail of ${name} has what did not happen: ${JSON.stringify(entries[Math.max(...told)])}`);
}

interface Span {
  readonly mark: string | undefined;
  readonly from: number;
  readonly to: number;
}

function timesOf(entries: readonly Entry[], markOf: (digest: string) => string | undefined): readonly Span[] {
  const changes = entries.filter(({ action }) => action !== 'skill.version' && action !== 'skill.reject');
  const spans: Span[] = [{ mark: undefined, from: 0, to: Date.parse(changes[0]?.time ?? '9999-01-01') }];
  for (const [index, { action, digest, time }] of changes.entries()) {
    const isGone = action === 'skill.withdraw' || action === 'skill.delete';
    const to = changes[index + 1]?.time;
    const mark = isGone ? undefined : markOf(digest ?? '');
    spans.push({ mark, from: Date.parse(time), to: to === undefined ? Number.POSITIVE_INFINITY : Date.parse(to) });
  }
  return spans;
}

/** Throws when it was never current before the answer came. */
function stalenessOf({ name, mark, from, to }: Reading, spans: readonly Span[]): number {
  const possible = spans.filter((span) => span.mark === mark && span.from <= to);
  if (possible.length === 0) throw new Error(`${mark} of ${name} was read, and was never current before`);
  return Math.max(0, Math.min(...possible.map((span) => from - span.to)));
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
