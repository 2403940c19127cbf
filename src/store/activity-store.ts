// One stream of what was read and what ran, newest first, and what it can be filtered by. Without payloads: every field of a
// row is bounded, and with them the page.

import type { FailureCode } from '../skills/define/failure.ts';
import type { InvocationStatus } from '../skills/define/invocation.ts';
import {
  type ActivityEntry,
  type ActivityFilter,
  type ActivityKind,
  type ActivityLog,
  type ActivityQuery,
  CHOICE_NAMES,
  type ChoiceName,
} from '../skills/record/activity-log.ts';
import type { InvocationLog, InvocationQuery } from '../skills/record/invocation-log.ts';
import { type Position, readCursor } from '../skills/record/log-cursor.ts';
import { checkedQuery, conditionsOf } from './invocation-reads.ts';
import { UUID } from './invocation-record.ts';
import { checkedLoadQuery, ofDocuments } from './load-store.ts';
import { pageLimit, pageOf } from './page.ts';
import { createUseReader } from './skill-uses.ts';
import { join, plain, type Row, type Sql, type Statement, sql } from './sql.ts';

export function createActivityStore(database: Sql, invocations: Pick<InvocationLog, 'stats'>): ActivityLog {
  return {
    async list(query) {
      const limit = pageLimit(query.limit);
      const last = query.cursor === undefined ? undefined : readCursor(query.cursor, ANY_ID);
      const [runs, reads] = await Promise.all([
        readRuns(database, query, last, limit + 1),
        readReads(database, query, last, limit + 1),
      ]);
      const found = [...runs, ...reads].sort(newestFirst).slice(0, limit + 1);
      const { rows, nextCursor } = pageOf(found, limit, ({ at, id }) => ({ at, id }));
      return { entries: rows, nextCursor };
    },
    async choices(filter) {
      const [runs, reads] = await Promise.all([groupRuns(database, filter), groupReads(database, filter)]);
      const isCut = [runs, reads].some((groups) => sumOf(groups) >= MOST_COUNTED);
      return { choices: choicesOf([...runs, ...reads], filter), isCut };
    },
    ...createUseReader(database, invocations),
  };
}

const ANY_ID = new RegExp(`^\\d{1,18}$|${UUID.source}`);

/** Runs before reads of the same millisecond. */
function newestFirst(one: ActivityEntry, other: ActivityEntry): number {
  const later = other.at.getTime() - one.at.getTime();
  if (later !== 0) return later;
  if ((one.kind === 'run') !== (other.kind === 'run')) return one.kind === 'run' ? -1 : 1;
  if (one.kind === 'run') return one.id < other.id ? 1 : -1;
  return Number(other.id) - Number(one.id);
}

/** What has to be after the last one that was shown, in that order. */
function runsAfter(last: Position | undefined): readonly Statement[] {
  if (last === undefined) return [];
  return [UUID.test(last.id) ? sql`(i.created_at, i.id) < (${last.at}, ${last.id})` : sql`i.created_at < ${last.at}`];
}

function readsAfter(last: Position | undefined): readonly Statement[] {
  if (last === undefined) return [];
  return [UUID.test(last.id) ? sql`loaded_at <= ${last.at}` : sql`(loaded_at, id) < (${last.at}, ${Number(last.id)})`];
}

/** `undefined`: no run can fit. */
function runConditions({ kind, ...filter }: ActivityFilter): readonly Statement[] | undefined {
  if (kind !== undefined && kind !== 'run') return undefined;
  // Only the filters: a cursor of this list is none of that one.
  const { skill, agent, status, failureCode, correlationId, since, until } = filter;
  const filters = { skill, agent, status, failureCode, correlationId, since, until };
  const given = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined));
  const checked = checkedQuery({ ...given, limit: 1 } as InvocationQuery);
  return checked && conditionsOf(checked, undefined);
}

/** `undefined`: no read can fit. */
function readConditions(database: Sql, filter: ActivityFilter): readonly Statement[] | undefined {
  const { kind, status = 'completed', failureCode, correlationId, since, until } = filter;
  const isOfRuns = kind === 'run' || status !== 'completed' || failureCode !== undefined || correlationId !== undefined;
  if (isOfRuns) return undefined;
  const { skill, agent } = filter;
  const checked = checkedLoadQuery({
    ...(skill !== undefined && { skill }),
    ...(agent !== undefined && { client: agent }),
    limit: 1,
  });
  return [
    plain(kind === 'read' ? 'path IS NULL' : kind === 'file' ? 'path IS NOT NULL' : '1 = 1'),
    ...ofDocuments(filter, database),
    ...(checked.skill === undefined ? [] : [sql`skill_name = ${checked.skill}`]),
    ...(checked.client === undefined ? [] : [sql`client = ${checked.client}`]),
    ...(since === undefined ? [] : [sql`loaded_at >= ${since}`]),
    ...(until === undefined ? [] : [sql`loaded_at < ${until}`]),
  ];
}

async function readRuns(
  database: Sql,
  query: ActivityQuery,
  last: Position | undefined,
  limit: number,
): Promise<readonly ActivityEntry[]> {
  const conditions = runConditions(query);
  if (conditions === undefined) return [];
  // As in lists of invocations: the row of a long result is not touched, what is needed of it stands beside it.
  const rows = await database.read(sql`SELECT i.id, i.skill_name, i.invoking_agent, i.correlation_id, i.status,
      i.created_at, i.failure_code, coalesce(lr.duration_ms, r.duration_ms) AS duration_ms
    FROM skill_invocations i
    LEFT JOIN skill_long_results lr ON lr.invocation_id = i.id
    LEFT JOIN skill_results r ON r.invocation_id = i.id AND lr.invocation_id IS NULL
    WHERE ${join([...conditions, ...runsAfter(last)], ' AND ')} ORDER BY i.created_at DESC, i.id DESC LIMIT ${limit}`);
  return rows.map(toRun);
}

const toRun = (row: Row): ActivityEntry => ({
  kind: 'run',
  id: String(row.id),
  at: new Date(Number(row.created_at)),
  skillName: String(row.skill_name),
  agent: String(row.invoking_agent),
  // Only statuses and codes are ever written.
  status: row.status as InvocationStatus,
  failureCode: (row.failure_code ?? undefined) as FailureCode | undefined,
  correlationId: String(row.correlation_id),
  durationMs: row.duration_ms == null ? undefined : Number(row.duration_ms),
  surface: undefined,
  path: undefined,
});

async function readReads(
  database: Sql,
  query: ActivityQuery,
  last: Position | undefined,
  limit: number,
): Promise<readonly ActivityEntry[]> {
  const conditions = readConditions(database, query);
  if (conditions === undefined) return [];
  const rows = await database.read(sql`SELECT id, skill_name, client, surface, path, loaded_at FROM skill_loads
    WHERE ${join([...conditions, ...readsAfter(last)], ' AND ')} ORDER BY loaded_at DESC, id DESC LIMIT ${limit}`);
  return rows.map(toRead);
}

const toRead = (row: Row): ActivityEntry => ({
  kind: row.path === null ? 'read' : 'file',
  id: String(row.id),
  at: new Date(Number(row.loaded_at)),
  skillName: String(row.skill_name),
  agent: String(row.client),
  status: 'completed',
  surface: String(row.surface),
  path: row.path === null ? undefined : String(row.path),
  correlationId: undefined,
  failureCode: undefined,
  durationMs: undefined,
});

/** Of runs, and of reads. SQLite blocks the event loop while it counts. */
const MOST_COUNTED = 5_000;

/** Names for each filter. */
const MOST_CHOICES = 200;

type Group = Readonly<Partial<Record<ChoiceName, string>>> & { readonly count: number };

const sumOf = (groups: readonly Group[]): number => groups.reduce((sum, { count }) => sum + count, 0);

/** What was chosen does not narrow what is counted: each filter shows what else it could be. */
const wholeSpan = ({ correlationId, since, until, documents, notDigests }: ActivityFilter): ActivityFilter => ({
  ...(notDigests !== undefined && { notDigests }),
  ...(documents !== undefined && { documents }),
  ...(correlationId !== undefined && { correlationId }),
  ...(since !== undefined && { since }),
  ...(until !== undefined && { until }),
});

async function groupRuns(database: Sql, filter: ActivityFilter): Promise<readonly Group[]> {
  const conditions = runConditions(wholeSpan(filter));
  if (conditions === undefined) return [];
  const rows = await database.read(sql`SELECT skill_name, invoking_agent, status, failure_code, count(*) AS counted
    FROM (SELECT i.skill_name, i.invoking_agent, i.status, i.failure_code FROM skill_invocations i
      WHERE ${join(conditions, ' AND ')} ORDER BY i.created_at DESC, i.id DESC LIMIT ${MOST_COUNTED}) AS newest
    GROUP BY skill_name, invoking_agent, status, failure_code`);
  return rows.map((row) => ({
    kind: 'run' satisfies ActivityKind,
    skill: String(row.skill_name),
    agent: String(row.invoking_agent),
    status: String(row.status),
    ...(row.failure_code !== null && { failureCode: String(row.failure_code) }),
    count: Number(row.counted),
  }));
}

async function groupReads(database: Sql, filter: ActivityFilter): Promise<readonly Group[]> {
  const conditions = readConditions(database, wholeSpan(filter));
  if (conditions === undefined) return [];
  const rows = await database.read(sql`SELECT skill_name, client, kind, count(*) AS counted
    FROM (SELECT skill_name, client, CASE WHEN path IS NULL THEN 'read' ELSE 'file' END AS kind FROM skill_loads
      WHERE ${join(conditions, ' AND ')} ORDER BY loaded_at DESC, id DESC LIMIT ${MOST_COUNTED}) AS newest
    GROUP BY skill_name, client, kind`);
  return rows.map((row) => ({
    kind: String(row.kind),
    skill: String(row.skill_name),
    agent: String(row.client),
    status: 'completed' satisfies InvocationStatus,
    count: Number(row.counted),
  }));
}

export function choicesOf(groups: readonly Group[], filter: ActivityFilter) {
  const of = (name: ChoiceName) => {
    const others = CHOICE_NAMES.filter((other) => other !== name && filter[other] !== undefined);
    const counts = new Map<string, number>();
    for (const group of groups) {
      const value = group[name];
      if (value === undefined || others.some((other) => group[other] !== filter[other])) continue;
      counts.set(value, (counts.get(value) ?? 0) + group.count);
    }
    const sorted = [...counts].sort(([a, most], [b, least]) => least - most || (a < b ? -1 : 1));
    return sorted.slice(0, MOST_CHOICES).map(([choice, count]) => ({ name: choice, count }));
  };
  return {
    kind: of('kind'),
    skill: of('skill'),
    agent: of('agent'),
    status: of('status'),
    failureCode: of('failureCode'),
  };
}
