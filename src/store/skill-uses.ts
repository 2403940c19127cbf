// How often each skill was used, and one skill's use over time and by whom. Counts come from the roll-ups.
import type { ActivityLog, SkillUser, UseHistory } from '../skills/record/activity-log.ts';
import type { InvocationLog } from '../skills/record/invocation-log.ts';
import { countLoads, readLoadsOf, type StepLoads } from './load-counts.ts';
import { checkedLoadQuery } from './load-store.ts';
import { type Row, type Sql, sql } from './sql.ts';
import { floorTo, type Window, windowOf } from './stats-window.ts';

type Runs = Pick<InvocationLog, 'stats'>;

export const createUseReader = (database: Sql, runs: Runs): Pick<ActivityLog, 'uses' | 'usesOf'> => ({
  async uses({ since, until }) {
    const [reads, ran] = await Promise.all([
      countLoads(database, since),
      runs.stats({ since, until }).then(({ skills }) => skills),
    ]);
    const runCounts = new Map(ran.map(({ skillName, count }) => [skillName, count]));
    const [lastReads, lastRuns] = await Promise.all([
      readLastReads(database, [...reads.keys()]),
      readLastRuns(database, [...runCounts.keys()]),
    ]);
    return [...new Set([...reads.keys(), ...runCounts.keys()])].map((skillName) => ({
      skillName,
      reads: reads.get(skillName) ?? 0,
      runs: runCounts.get(skillName) ?? 0,
      lastReadAt: lastReads.get(skillName),
      lastRunAt: lastRuns.get(skillName),
    }));
  },
  async usesOf({ skill: given, since, until, runsOnly = false }) {
    const { skill = '' } = checkedLoadQuery({ skill: given, limit: 1 });
    const window = windowOf(since, until);
    const span = { from: window.ranges[0]?.from ?? 0, to: window.ranges.at(-1)?.to ?? 0 };
    const [loads, ran, lastReads, lastRuns, users] = await Promise.all([
      runsOnly ? [] : readLoadsOf(database, span, skill),
      runs.stats({ skill, since, until }),
      readLastReads(database, runsOnly ? [] : [skill]),
      readLastRuns(database, [skill]),
      readUsers(database, skill, since, runsOnly),
    ]);
    const series = seriesOf(window, loads, ran.series);
    return {
      reads: series.reduce((sum, { reads }) => sum + reads, 0),
      runs: series.reduce((sum, each) => sum + each.runs, 0),
      lastReadAt: lastReads.get(skill),
      lastRunAt: lastRuns.get(skill),
      series,
      users,
    };
  },
});

type Series = UseHistory['series'];

function seriesOf(
  { step, starts }: Window,
  loads: readonly StepLoads[],
  runs: Awaited<ReturnType<Runs['stats']>>['series'],
): Series {
  const reads = new Map<number, number>();
  for (const { start, loads: count } of loads) {
    const at = floorTo(start, step);
    reads.set(at, (reads.get(at) ?? 0) + count);
  }
  const runsAt = new Map(runs.map((each) => [each.start.getTime(), each]));
  return starts.map((start) => ({
    start: new Date(start),
    reads: reads.get(start) ?? 0,
    runs: runsAt.get(start)?.count ?? 0,
    failures: runsAt.get(start)?.failureCount ?? 0,
  }));
}

// One look into the index for each name: to group all rows by name would read all of them.

const readLastReads = (database: Sql, names: readonly string[]) =>
  readLast(
    database,
    sql`WITH named(name) AS ${database.dialect.manyTexts(names)} SELECT name, (SELECT loaded_at FROM skill_loads
      WHERE skill_name = named.name AND path IS NULL ORDER BY loaded_at DESC LIMIT 1) AS last FROM named`,
  );

const readLastRuns = (database: Sql, names: readonly string[]) =>
  readLast(
    database,
    sql`WITH named(name) AS ${database.dialect.manyTexts(names)} SELECT name, (SELECT created_at FROM skill_invocations
      WHERE skill_name = named.name ORDER BY created_at DESC LIMIT 1) AS last FROM named`,
  );

async function readLast(database: Sql, statement: ReturnType<typeof sql>): Promise<ReadonlyMap<string, Date>> {
  const rows = await database.read(statement);
  const found = rows.filter(({ last }) => last !== null);
  return new Map(found.map(({ name, last }) => [String(name), new Date(Number(last))]));
}

/** Of each kind. */
const MOST_LOOKED_AT = 5_000;
const MOST_USERS = 20;

async function readUsers(database: Sql, skill: string, since: Date, runsOnly: boolean): Promise<readonly SkillUser[]> {
  const [readers, invokers] = await Promise.all([
    runsOnly
      ? []
      : database.read(sql`SELECT client AS agent, count(*) AS uses, max(loaded_at) AS last FROM
      (SELECT client, loaded_at FROM skill_loads WHERE skill_name = ${skill} AND loaded_at >= ${since} AND path IS NULL
        ORDER BY loaded_at DESC LIMIT ${MOST_LOOKED_AT}) AS newest GROUP BY client`),
    database.read(sql`SELECT invoking_agent AS agent, count(*) AS uses, max(created_at) AS last FROM
      (SELECT invoking_agent, created_at FROM skill_invocations WHERE skill_name = ${skill} AND created_at >= ${since}
        ORDER BY created_at DESC LIMIT ${MOST_LOOKED_AT}) AS newest GROUP BY invoking_agent`),
  ]);
  const users = new Map<string, SkillUser>();
  for (const user of [...readers, ...invokers].map(toUser))
    users.set(user.agent, together(users.get(user.agent), user));
  return [...users.values()].sort((a, b) => b.uses - a.uses || (a.agent < b.agent ? -1 : 1)).slice(0, MOST_USERS);
}

const toUser = ({ agent, uses, last }: Row): SkillUser => ({
  agent: String(agent),
  uses: Number(uses),
  lastUsedAt: new Date(Number(last)),
});

const together = (one: SkillUser | undefined, other: SkillUser): SkillUser =>
  one === undefined
    ? other
    : {
        agent: one.agent,
        uses: one.uses + other.uses,
        lastUsedAt: one.lastUsedAt > other.lastUsedAt ? one.lastUsedAt : other.lastUsedAt,
      };
