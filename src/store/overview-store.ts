// The overview on a database: implements the port that execution/ declares.
import type { OverviewLog } from '../skills/overview-log.ts';
import { readLoadsByStep, readMostLoaded } from './load-count-rows.ts';
import { MOST_NAMES, rankingsOf, seriesOf } from './overview.ts';
import { readReplicas, readSkillOutcomes, readStepOutcomes } from './overview-rows.ts';
import type { Sql } from './sql.ts';
import { ceilTo, DAY, HOUR, MINUTE, rangesOf, windowOf } from './stats-window.ts';

const MOST_REPLICAS = 100;

/** `selfId`: of the process that asks. */
export function createOverviewStore(database: Sql, selfId: string): OverviewLog {
  return {
    kind: database.dialect.kind,
    async read({ since, until }) {
      // A minute that has begun counts whole, at one end only: three hours are 180 minutes, not 181.
      const window = windowOf(new Date(ceilTo(since.getTime(), MINUTE)), until);
      const { ranges } = window;
      const span = { from: ranges[0]?.from ?? 0, to: ranges.at(-1)?.to ?? 0 };
      // Side by side: a database that hangs is waited for once (H6). SQLite lets others go between two of them.
      const [outcomes, skills, loads, mostLoaded, replicas] = await Promise.all([
        readStepOutcomes(database, ranges),
        // Over the whole window only: the coarsest counters will do.
        readSkillOutcomes(database, rangesOf(span.from, span.to, DAY)),
        // Of loads there are no counts per day.
        readLoadsByStep(database, span, Math.min(window.step, HOUR)),
        readMostLoaded(database, span, MOST_NAMES),
        readReplicas(database, MOST_REPLICAS),
      ]);
      return {
        ...seriesOf(window, outcomes, loads),
        ...rankingsOf(skills),
        mostLoaded,
        replicas: replicas.map((replica) => ({ ...replica, isThis: replica.id === selfId })),
      };
    },
  };
}
