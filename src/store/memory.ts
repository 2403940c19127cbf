// Both logs in memory, for tests and for running without a store. Keeps the latest; nothing survives the process.
import type { InvocationStatus } from '../execution/invocation.ts';
import type { InvocationLog, InvocationQuery, LoggedInvocation } from '../execution/invocation-log.ts';
import type { LoadLog, LoadQuery } from '../load-log.ts';
import { type Place, readCursor } from './cursor.ts';
import { bucketOf } from './duration-buckets.ts';
import { checkedQuery, pageOf } from './invocation-page.ts';
import {
  type InvocationRecord,
  invocationOf,
  type ResultRecord,
  recordOf,
  resultOf,
  resultRecordOf,
  UUID,
} from './invocation-record.ts';
import { checkedLoadQuery, keptLoad, loadPageOf } from './load-page.ts';
import type { LoadRow } from './load-rows.ts';
import { doubleInvocation, doubleResult } from './record-refused.ts';
import { summarise } from './stats.ts';
import { windowOf } from './stats-window.ts';

const MOST_KEPT = 10_000;

interface Kept {
  readonly record: InvocationRecord;
  readonly result: ResultRecord | undefined;
}

export function createMemoryInvocationLog(): InvocationLog {
  const kept = new Map<string, Kept>();
  const keep = (entry: Kept) => {
    kept.set(entry.record.id, entry);
    for (const oldest of kept.keys()) {
      if (kept.size <= MOST_KEPT) break;
      kept.delete(oldest);
    }
  };
  return {
    async begin(invocation) {
      const record = recordOf(invocation);
      if (kept.has(record.id)) throw doubleInvocation();
      keep({ record, result: undefined });
    },
    async end(invocation, result) {
      const record = recordOf(invocation);
      const known = kept.get(record.id);
      if (known?.result !== undefined) throw doubleResult();
      keep({ record: known?.record ?? record, result: resultRecordOf(result) });
    },
    async find(id) {
      const entry = kept.get(id.toLowerCase());
      return entry && toLogged(entry);
    },
    async list(query) {
      const checked = checkedQuery(query);
      if (checked === undefined) return { invocations: [], nextCursor: undefined };
      const place = checked.cursor === undefined ? undefined : readCursor(checked.cursor, UUID);
      const found = [...kept.values()].filter((entry) => matches(entry, checked) && isAfter(placeOf(entry), place));
      const sorted = found.sort((a, b) => order(placeOf(b), placeOf(a)));
      return pageOf(sorted.slice(0, checked.limit + 1).map(toLogged), checked.limit);
    },
    async stats({ skill, since, until }) {
      const window = windowOf(since, until);
      const [from, to] = [window.ranges[0]?.from ?? 0, window.ranges.at(-1)?.to ?? 0];
      const ended = [...kept.values()].filter(({ record, result }) => {
        const at = result?.createdAt.getTime() ?? Number.NaN;
        return at >= from && at < to && (skill === undefined || record.skillName === skill);
      });
      return summarise(window, ended.map(toSkillCount), ended.map(toStepCount));
    },
    lost: 0,
  };
}

export function createMemoryLoadLog(): LoadLog {
  let kept: LoadRow[] = [];
  let count = 0;
  return {
    record(load) {
      count += 1;
      kept.push({ id: String(count), load: keptLoad(load) });
      if (kept.length > MOST_KEPT * 2) kept = kept.slice(-MOST_KEPT);
    },
    async list(query) {
      const checked = checkedLoadQuery(query);
      const last = checked.cursor === undefined ? undefined : readCursor(checked.cursor, /^\d{1,18}$/);
      const found = kept.filter((row) => matchesLoad(row, checked) && isOlder(row, last)).sort(byLoadedAt);
      return loadPageOf(found.slice(0, checked.limit + 1), checked.limit);
    },
    async counts(since) {
      const counts = new Map<string, number>();
      for (const { load } of kept) {
        if (load.loadedAt >= since) counts.set(load.skillName, (counts.get(load.skillName) ?? 0) + 1);
      }
      return counts;
    },
    lost: 0,
  };
}

const statusOf = ({ result }: Kept): InvocationStatus => result?.finalStatus ?? 'running';

const placeOf = ({ record }: Kept): Place => ({ at: record.createdAt, id: record.id });

const order = (a: Place, b: Place): number =>
  a.at.getTime() - b.at.getTime() || (a.id < b.id ? -1 : Number(a.id > b.id));

const isAfter = (place: Place, last: Place | undefined) => last === undefined || order(place, last) < 0;

function matches(entry: Kept, { skill, agent, correlationId, status, since, until }: InvocationQuery): boolean {
  const { record } = entry;
  return (
    (skill === undefined || record.skillName === skill) &&
    (agent === undefined || record.invokingAgent === agent) &&
    (correlationId === undefined || record.correlationId === correlationId.toLowerCase()) &&
    (status === undefined || statusOf(entry) === status) &&
    (since === undefined || record.createdAt >= since) &&
    (until === undefined || record.createdAt < until)
  );
}

const matchesLoad = ({ load }: LoadRow, { skill, client, since }: LoadQuery): boolean =>
  (skill === undefined || load.skillName === skill) &&
  (client === undefined || load.client === client) &&
  (since === undefined || load.loadedAt >= since);

function isOlder({ id, load }: LoadRow, last: Place | undefined): boolean {
  if (last === undefined) return true;
  const later = load.loadedAt.getTime() - last.at.getTime();
  return later === 0 ? Number(id) < Number(last.id) : later < 0;
}

const byLoadedAt = (a: LoadRow, b: LoadRow) =>
  b.load.loadedAt.getTime() - a.load.loadedAt.getTime() || Number(b.id) - Number(a.id);

function toLogged(entry: Kept): LoggedInvocation {
  const result = entry.result && resultOf(entry.result);
  return { invocation: invocationOf(entry.record, statusOf(entry)), result };
}

const toSkillCount = ({ record, result }: Kept) => ({
  skillName: record.skillName,
  outcome: result?.failureCode ?? '',
  bucket: bucketOf(result?.durationMs ?? 0),
  count: 1,
});

const toStepCount = ({ result }: Kept) => ({
  start: result?.createdAt.getTime() ?? 0,
  count: 1,
  failureCount: result?.failureCode == null ? 0 : 1,
});
