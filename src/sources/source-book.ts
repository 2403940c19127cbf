// What a server tells of its sources: the entries of both locks with what does not match, and on request what each has now.
// However often it is asked at once, the work is done once.
import { type CheckedSource, checkSource, differenceJson } from './check-source.ts';
import { type ContentPlace, contentPlace } from './content.ts';
import type { LockedSource } from './lock.ts';
import { loadLock } from './lock-file.ts';
import { type LockPlace, lockPlaces } from './lock-stamp.ts';
import { findNewest, type Newest } from './newest-commit.ts';
import { sourceUris } from './pinned-roots.ts';

export interface SourceBookOptions {
  readonly project: string;
  readonly dataDirectory: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
}

/** A source that does not move is given up sooner than by `update`: a person waits at a page. */
const QUIET_MS = 20_000;
const MOST_MS = 60_000;
const MOST_AT_ONCE = 4;
const MOST_DIFFERENCES = 100;

export function createSourceBook(options: SourceBookOptions) {
  const places = lockPlaces(options.project, options.dataDirectory);
  const content = contentPlace(options.dataDirectory);
  const listOnce = shared(() => listSources(places, content));
  const checks = new Map<string, () => ReturnType<typeof askSources>>();
  const checkOnce = (named: string | undefined) => {
    const key = named ?? '';
    const known = checks.get(key) ?? shared(() => askSources(places, content, options, named));
    checks.set(key, known);
    return known().finally(() => checks.delete(key));
  };
  return {
    list: () => listOnce(),
    findNewer: (named: string | undefined) => checkOnce(named),
  };
}

/** Who asks while it runs gets what comes out of it. */
function shared<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  return () => {
    running ??= work().finally(() => {
      running = undefined;
    });
    return running;
  };
}

interface Placed {
  readonly place: LockPlace;
  readonly source: LockedSource;
}

function readLocks(places: readonly LockPlace[]): { readonly placed: readonly Placed[]; readonly faults: string[] } {
  const placed: Placed[] = [];
  const faults: string[] = [];
  for (const place of places) {
    const lock = loadLock(place.path);
    if (!lock.ok) faults.push(lock.failure);
    else placed.push(...(lock.value?.sources ?? []).map((source) => ({ place, source })));
  }
  return { placed, faults };
}

async function listSources(places: readonly LockPlace[], content: ContentPlace) {
  const { placed, faults } = readLocks(places);
  const sources: ReturnType<typeof listed>[] = [];
  for (const each of placed) sources.push(listed(each, await checkSource(each.source, content)));
  return { sources, faults };
}

function listed({ place, source }: Placed, { state, differences }: CheckedSource) {
  const { skills, ...entry } = source;
  const uriOf = sourceUris(skills);
  return {
    ...entry,
    skills: skills.map((skill) => ({ name: skill.name, uri: uriOf(skill), digest: skill.digest })),
    state,
    lock: place.isGlobal ? ('global' as const) : ('project' as const),
    difference_count: differences.length,
    differences: differences.slice(0, MOST_DIFFERENCES).map(differenceJson),
  };
}

async function askSources(
  places: readonly LockPlace[],
  content: ContentPlace,
  { variables }: SourceBookOptions,
  named: string | undefined,
) {
  const waiting = readLocks(places).placed.filter(({ source }) => named === undefined || source.source === named);
  const world = { variables, quietMs: QUIET_MS, signal: AbortSignal.timeout(MOST_MS) };
  const found: ReturnType<typeof newerJson>[] = [];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      found.push(newerJson(await findNewest({ source: next.source, lock: next.place, content, world })));
    }
  };
  await Promise.all(Array.from({ length: MOST_AT_ONCE }, work));
  return found.sort((a, b) => (a.source < b.source ? -1 : 1));
}

/** Also what `sources --outdated` says. */
export const newerJson = ({ source, commit }: Newest) => ({
  source: source.source,
  commit: source.commit,
  newest: commit.ok ? commit.value : null,
  is_outdated: commit.ok && commit.value !== source.commit,
  reason: commit.ok ? null : commit.failure,
});
