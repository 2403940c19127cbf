// What is new in the log since the last look: entries that were added, and those whose state has changed.

import type { Load, LoadLog, LoadQuery } from '../../repertoire/load-log.ts';
import type { InvocationLog, InvocationQuery, LoggedInvocation } from '../../skills/record/invocation-log.ts';

export interface FollowSource<T> {
  /** Everything that has to be looked at again: all since then, and what is older and has changed. */
  read(since: Date): Promise<readonly T[]>;
  /** The same entry in the same state has the same key. */
  keyOf(entry: T): string;
  timeOf(entry: T): Date;
  /** Others are only watched: they may become such. */
  isWanted(entry: T): boolean;
}

export interface Follower<T> {
  /** Oldest first. */
  poll(): Promise<readonly T[]>;
  /** These need not be answered any more. */
  skip(entries: readonly T[]): void;
}

/** Other processes commit a little later than their entry's moment. */
const OVERLAP_MS = 5_000;

export function createFollower<T>(source: FollowSource<T>, start: Date): Follower<T> {
  let seen = new Set<string>();
  let newest = start.getTime();
  return {
    async poll() {
      const entries = await source.read(new Date(newest - OVERLAP_MS));
      const fresh = entries.filter((entry) => source.isWanted(entry) && !seen.has(source.keyOf(entry)));
      // What this look did not find lies before the next one, too: it can be forgotten.
      seen = new Set(entries.map(source.keyOf));
      for (const entry of entries) newest = Math.max(newest, source.timeOf(entry).getTime());
      return fresh.sort((a, b) => source.timeOf(a).getTime() - source.timeOf(b).getTime());
    },
    skip(entries) {
      for (const entry of entries) seen.add(source.keyOf(entry));
    },
  };
}

const LONGEST_PAGE = 1_000;
const IDS_AT_ONCE = 500;

type InvocationFilter = Omit<InvocationQuery, 'cursor' | 'limit'>;

/**
 * A long run began before the stretch of time that is read again: such ones are asked for by their ids. Status and failure
 * code are compared here, because a filter for `failed` would hide the runs that may yet fail.
 */
export function invocationSource(log: InvocationLog, filter: InvocationFilter): FollowSource<LoggedInvocation> {
  const { status, failureCode, ...others } = filter;
  let running: readonly string[] | undefined;
  return {
    async read(since) {
      running ??= idsOf(await readInvocations(log, { ...others, status: 'running' }));
      const recent = await readInvocations(log, { ...others, since });
      const known = new Set(idsOf(recent));
      const older = await readByIds(
        log,
        running.filter((id) => !known.has(id)),
      );
      running = idsOf([...recent, ...older].filter((entry) => !isOver(entry)));
      return [...recent, ...older.filter(isOver)];
    },
    keyOf: ({ invocation }) => `${invocation.id} ${invocation.status}`,
    timeOf: ({ invocation }) => invocation.timestamp,
    isWanted: ({ invocation, result }) =>
      (status === undefined || invocation.status === status) &&
      (failureCode === undefined || (result?.success === false && result.failure.code === failureCode)),
  };
}

async function readInvocations(log: InvocationLog, filter: InvocationFilter): Promise<readonly LoggedInvocation[]> {
  const found: LoggedInvocation[] = [];
  let cursor: string | undefined;
  do {
    const page = await log.list({ ...filter, limit: LONGEST_PAGE, ...(cursor !== undefined && { cursor }) });
    found.push(...page.invocations);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return found;
}

/** As a list shows them: a thousand that are whole may be gigabytes. */
async function readByIds(log: InvocationLog, ids: readonly string[]): Promise<readonly LoggedInvocation[]> {
  const found: LoggedInvocation[] = [];
  for (let start = 0; start < ids.length; start += IDS_AT_ONCE) {
    found.push(...(await readInvocations(log, { ids: ids.slice(start, start + IDS_AT_ONCE) })));
  }
  return found;
}

const idsOf = (entries: readonly LoggedInvocation[]): readonly string[] =>
  entries.map(({ invocation }) => invocation.id);

const isOver = ({ result }: LoggedInvocation): boolean => result !== undefined;

type LoadFilter = Omit<LoadQuery, 'cursor' | 'limit'>;

export const loadSource = (log: LoadLog, filter: LoadFilter): FollowSource<Load> => ({
  async read(since) {
    const found: Load[] = [];
    let cursor: string | undefined;
    do {
      const page = await log.list({ ...filter, since, limit: LONGEST_PAGE, ...(cursor !== undefined && { cursor }) });
      found.push(...page.loads);
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    return found;
  },
  // Loads have no id; two that are alike to the millisecond are one to the reader.
  keyOf: ({ skillName, digest, client, surface, loadedAt }) =>
    JSON.stringify([skillName, digest, client, surface, loadedAt.getTime()]),
  timeOf: ({ loadedAt }) => loadedAt,
  isWanted: () => true,
});
