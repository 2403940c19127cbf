// What the database is asked while many tokens that nobody knows are tried at once (H5, F10).
import { expect, test } from 'vitest';
import { stopTime } from '../../tests/support/stopped-time.ts';
import { digestOf } from '../identity/token.ts';
import { createAgentStore } from './agent-store.ts';
import { postgresDialect, type Row, type Sql } from './sql.ts';
import type { TrailWriter } from './trail-writer.ts';

const GOOD = digestOf('good');
const ROW: Row = {
  token_digest: GOOD,
  name: 'billing',
  roles: '["billing"]',
  scopes: '[]',
  created_at: 1,
  expires_at: null,
  revoked_at: null,
  last_used_at: null,
};

const NO_TRAIL: TrailWriter = {
  append: () => {
    throw new Error('nothing is entered here');
  },
};

/** A database that takes its time, and counts. */
function openSlowly(answerMs: number) {
  const counts = { asked: 0, underWay: 0, mostUnderWay: 0 };
  const read: Sql['read'] = async ({ values }) => {
    counts.asked += 1;
    counts.underWay += 1;
    counts.mostUnderWay = Math.max(counts.mostUnderWay, counts.underWay);
    await new Promise((resolve) => setTimeout(resolve, answerMs));
    counts.underWay -= 1;
    return String(values[0]).includes(GOOD) ? [ROW] : [];
  };
  const write = () => Promise.reject(new Error('nothing is written here'));
  return { counts, agents: createAgentStore({ dialect: postgresDialect, read, write }, NO_TRAIL, 'test') };
}

test.each([1, 50, 399, 1_000])(
  'a good token is found in time while thousands of bad ones are tried, by few questions, at %i ms each (A3)',
  async (answerMs) => {
    const { pass } = stopTime();
    const { agents, counts } = openSlowly(answerMs);
    let tried = 0;
    let found: string | undefined;
    /** 10 bad ones in a millisecond: more than a server can take in. */
    const passUnderFire = async (milliseconds: number) => {
      for (let ms = 0; ms < milliseconds && found === undefined; ms += 1) {
        for (let each = 0; each < 10; each += 1) void agents.findByDigest(digestOf(`bad ${tried++}`));
        await pass(1);
      }
    };
    // The worst moment: the questions that may be under way have just begun.
    await passUnderFire(802);
    void agents.findByDigest(GOOD).then((agent) => {
      found = agent?.name;
    });
    await passUnderFire(1_450);
    expect(found).toBe('billing');
    expect(counts.mostUnderWay).toBeLessThanOrEqual(3);
    expect(counts.asked).toBeLessThan(tried / 5);
  },
);
