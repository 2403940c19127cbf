// What all processes on one PostgreSQL count together (N1): requests by key in the last minute, and places by name. Each
// question is one statement, so that it is decided in one go, by the database's clock; rows are locked in one order.

import type { AgedBurst } from '../limits/minute-count.ts';
import type { WindowAnswer, WindowAsk } from '../limits/shared-counts.ts';
import type { PlaceAsk } from '../limits/shared-places.ts';
import { StoreUnavailable } from '../skills/record/invocation-log.ts';
import { type Row, type Sql, type Statement, sql } from './sql.ts';
import { isPoolBusy } from './store-errors.ts';

/** Undefined, wherever it is answered: the database is away. */
export interface SharedLimits {
  /** Counts what was told, and what is asked for as far as there is room. One answer for each, in their order. */
  countMinutes(asks: readonly WindowAsk[]): Promise<readonly WindowAnswer[] | undefined>;
  /** Renews what this process holds, and takes what is asked for as far as there is room: how many of each. */
  holdPlaces(asks: readonly PlaceAsk[]): Promise<readonly number[] | undefined>;
  /** This process counts, too. How many others do. */
  signOn(): Promise<number | undefined>;
  signOff(): Promise<void>;
  /** Removes what does not count any more. */
  forgetOld(): Promise<void>;
}

/** The places of a process that is not heard of for so long are free; so long it counts as one of the replicas. */
const LEASE_SECONDS = 10;
const LEASE_MS = LEASE_SECONDS * 1_000;

/** `self`: what no other process is called. */
export function createSharedLimits(database: Sql, self: string): SharedLimits {
  // A statement alone is a transaction of its own, and one way to the database instead of three.
  const ask = (statement: Statement) => whileReachable(() => database.read(statement));
  return {
    async countMinutes(asks) {
      const rows = await ask(countMinutes(asks));
      return (
        rows &&
        inOrder(
          asks.map(({ key }) => key),
          rows,
          'key',
          toAnswer,
        )
      );
    },
    async holdPlaces(asks) {
      const rows = await ask(holdPlaces(self, asks));
      return (
        rows &&
        inOrder(
          asks.map(({ name }) => name),
          rows,
          'name',
          ({ granted }) => Number(granted),
        )
      );
    },
    async signOn() {
      const rows = await ask(signOn(self));
      return rows && Number(rows[0]?.others);
    },
    async signOff() {
      await ask(sql`DELETE FROM repertoire_replicas WHERE id = ${self}`);
    },
    async forgetOld() {
      await ask(FORGET_MINUTES);
      await ask(FORGET_PLACES);
      await ask(sql`DELETE FROM repertoire_replicas WHERE seen_at < now() - make_interval(secs => ${LEASE_SECONDS})`);
    },
  };
}

/** While only our own pool is in use, the database is not away: it is asked again. */
const MOST_TRIES = 3;

async function whileReachable<T>(work: () => Promise<T>): Promise<T | undefined> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      if (!isPoolBusy(error) || tries === MOST_TRIES) return undefined;
    }
  }
}

function inOrder<T>(
  keys: readonly string[],
  rows: readonly Row[],
  column: string,
  read: (row: Row) => T,
): readonly T[] {
  const byKey = new Map(rows.map((row) => [String(row[column]), row]));
  return keys.map((key) => {
    const row = byKey.get(key);
    if (row === undefined) throw new Error('A count that was asked for was not answered');
    return read(row);
  });
}

function toAnswer({ granted, now, ends, counts }: Row): WindowAnswer {
  const counted = JSON.parse(String(counts)) as readonly number[]; // array_to_json
  const moments = JSON.parse(String(ends)) as readonly number[]; // array_to_json
  const bursts: AgedBurst[] = [];
  for (let index = moments.length - 1; index >= 0; index -= 1) {
    bursts.push({ ageMs: Math.max(0, Number(now) - (moments[index] ?? 0)), count: counted[index] ?? 0 });
  }
  return { granted: Number(granted), bursts };
}

/** The moment itself: `now()` is the one at which the statement began, and it may have waited for a row. */
const NOW_MS = sql`CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)`;

/** As `MinuteCount` counts: a burst has a second and a fiftieth of the limit, and counts until a minute after its last one. */
function countMinutes(asks: readonly WindowAsk[]): Statement {
  return sql`INSERT INTO repertoire_minutes AS kept (key, started, ends, counts, told, asked, unit, most, granted)
    SELECT key, now, ARRAY[now], ARRAY[told + granted], told, asked, unit, most, granted
    FROM json_to_recordset(CAST(${JSON.stringify(asks)} AS json))
        AS input(key TEXT, told INTEGER, asked INTEGER, unit INTEGER, most INTEGER),
      LATERAL (SELECT ${NOW_MS} AS now, least(asked, greatest(0, most - told) / unit * unit) AS granted) AS decided
    ORDER BY key
    ON CONFLICT (key) DO UPDATE SET (started, ends, counts, granted) = (
      SELECT CASE WHEN joins OR more = 0 THEN kept.started ELSE now END,
        CASE WHEN more = 0 THEN live.ends WHEN joins THEN now || live.ends[2:] ELSE now || live.ends END,
        CASE WHEN more = 0 THEN live.counts
          WHEN joins THEN (live.counts[1] + more) || live.counts[2:] ELSE more || live.counts END,
        decided.granted
      FROM (SELECT greatest(${NOW_MS}, kept.ends[1]) AS now) AS clock,
        LATERAL (
          SELECT coalesce(array_agg(ended ORDER BY place), '{}') AS ends,
            coalesce(array_agg(count ORDER BY place), '{}') AS counts, coalesce(sum(count), 0) AS total
          FROM unnest(kept.ends, kept.counts) WITH ORDINALITY AS burst(ended, count, place) WHERE ended > now - 60000
        ) AS live,
        LATERAL (
          SELECT CAST(least(excluded.asked,
            greatest(0, excluded.most - live.total - excluded.told) / excluded.unit * excluded.unit) AS INTEGER) AS granted
        ) AS decided,
        LATERAL (
          SELECT excluded.told + decided.granted AS more,
            cardinality(live.ends) > 0 AND now - kept.started < 1000 AND live.counts[1] * 50 < excluded.most AS joins
        ) AS added
    )
    RETURNING key, granted, CAST(array_to_json(ends) AS TEXT) AS ends, CAST(array_to_json(counts) AS TEXT) AS counts, ${NOW_MS} AS now`;
}

/** A process tells what it holds as it is, so that nothing it told before has to be put right. */
function holdPlaces(self: string, asks: readonly PlaceAsk[]): Statement {
  return sql`INSERT INTO repertoire_places AS kept (name, holders, held, untils, mine, asked, most, granted)
    SELECT name, ARRAY[CAST(${self} AS VARCHAR(64))], ARRAY[mine + granted], ARRAY[${NOW_MS} + ${LEASE_MS}], mine, asked, most, granted
    FROM json_to_recordset(CAST(${JSON.stringify(asks)} AS json))
        AS input(name TEXT, mine INTEGER, asked INTEGER, most INTEGER),
      LATERAL (SELECT greatest(0, least(asked, most - mine)) AS granted) AS decided
    ORDER BY name
    ON CONFLICT (name) DO UPDATE SET (holders, held, untils, granted) = (
      SELECT excluded.holders || others.holders, (excluded.mine + decided.granted) || others.held,
        (now + ${LEASE_MS}) || others.untils, decided.granted
      FROM (SELECT ${NOW_MS} AS now) AS clock,
        LATERAL (
          SELECT coalesce(array_agg(holder), '{}') AS holders, coalesce(array_agg(held), '{}') AS held,
            coalesce(array_agg(until), '{}') AS untils, coalesce(sum(held), 0) AS total
          FROM unnest(kept.holders, kept.held, kept.untils) AS other(holder, held, until)
          WHERE holder <> excluded.holders[1] AND until > now AND held > 0
        ) AS others,
        LATERAL (
          SELECT CAST(greatest(0, least(excluded.asked, excluded.most - others.total - excluded.mine)) AS INTEGER) AS granted
        ) AS decided
    )
    RETURNING name, granted`;
}

const signOn = (self: string): Statement => sql`WITH own AS (
    INSERT INTO repertoire_replicas (id, seen_at) VALUES (${self}, now())
    ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at
  )
  SELECT count(*) AS others FROM repertoire_replicas
  WHERE id <> ${self} AND seen_at > now() - make_interval(secs => ${LEASE_SECONDS})`;

// Rows that are in use at this moment are left for the next time: they are not old.

const FORGET_MINUTES = sql`DELETE FROM repertoire_minutes WHERE key IN (
  SELECT key FROM repertoire_minutes WHERE ends[1] < ${NOW_MS} - 60000 OR cardinality(ends) = 0 FOR UPDATE SKIP LOCKED)`;

const FORGET_PLACES = sql`DELETE FROM repertoire_places WHERE name IN (
  SELECT name FROM repertoire_places
  WHERE ${NOW_MS} >= ALL (untils) OR 0 = ALL (held) FOR UPDATE SKIP LOCKED)`;
