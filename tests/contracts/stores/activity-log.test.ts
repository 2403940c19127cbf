// One stream of what was read and what ran, and what skills are used for: one suite for both databases (U7, U8, U13).
import { beforeEach, describe, expect, test } from 'vitest';
import type { Load } from '../../../src/repertoire/load-log.ts';
import type { ActivityQuery } from '../../../src/skills/record/activity-log.ts';
import { BadCursor } from '../../../src/skills/record/invocation-log.ts';
import type { Store } from '../../../src/store/store.ts';
import { failureOf, invocationOf, moment, successOf } from './store-world.ts';
import { useStoreWorld } from './use-store-world.ts';

const world = useStoreWorld();

const loadOf = (given: Partial<Load> = {}): Load => ({
  skillName: 'sql-review',
  digest: `sha256:${'0'.repeat(64)}`,
  client: 'codex',
  surface: 'skill',
  loadedAt: moment(),
  ...given,
});

const CORRELATION = '0198f0aa-1111-4222-8333-444455556666';

describe.each(['sqlite', 'postgres'] as const)('on %s', (kind) => {
  let store: Pick<Store, 'activity' | 'invocations' | 'loads'>;
  beforeEach(async () => {
    // Of a database there is all of it.
    store = (await world.logs(kind)) as Store;
  });

  /** Two reads, a file, a run that ended well, one that failed and one that runs, a second apart each. */
  async function fill(): Promise<void> {
    await store.loads.record([
      loadOf(),
      loadOf({ client: 'goose', loadedAt: moment(1_000) }),
      loadOf({ path: 'references/joins.md', surface: 'read_skill_file', loadedAt: moment(2_000) }),
    ]);
    const [good, bad, running] = [3, 4, 5].map((second) =>
      invocationOf({ timestamp: moment(second * 1_000), correlationId: CORRELATION, invokingAgent: 'codex' }),
    );
    if (good === undefined || bad === undefined || running === undefined) throw new Error('Three were made');
    for (const each of [good, bad, running]) await store.invocations.begin(each);
    await store.invocations.end({ ...good, status: 'completed' }, successOf(good, 31));
    await store.invocations.end({ ...bad, status: 'failed' }, failureOf(bad, 'NOT_FOUND', 7));
  }

  const list = async (query: Partial<ActivityQuery> = {}) =>
    (await store.activity.list({ limit: 50, ...query })).entries;

  test('reads, files and runs are one list, newest first, each with who, how it went and how long it took (U7)', async () => {
    await fill();
    expect(
      (await list()).map(({ kind: what, skillName, agent, status, failureCode, durationMs, surface, path }) =>
        [what, skillName, agent, status, failureCode ?? durationMs ?? path ?? surface].join(' '),
      ),
    ).toEqual([
      'run greet codex running ',
      'run greet codex failed NOT_FOUND',
      'run greet codex completed 31',
      'file sql-review codex completed references/joins.md',
      'read sql-review goose completed skill',
      'read sql-review codex completed skill',
    ]);
  });

  test.each<[Partial<ActivityQuery>, readonly string[]]>([
    [{ kind: 'run' }, ['run', 'run', 'run']],
    [{ kind: 'file' }, ['file']],
    [{ kind: 'read' }, ['read', 'read']],
    [{ skill: 'sql-review' }, ['file', 'read', 'read']],
    [{ agent: 'goose' }, ['read']],
    [{ status: 'completed' }, ['run', 'file', 'read', 'read']],
    [{ status: 'failed' }, ['run']],
    [{ failureCode: 'NOT_FOUND' }, ['run']],
    [{ correlationId: CORRELATION }, ['run', 'run', 'run']],
    [{ correlationId: 'none' }, []],
    [{ since: moment(2_000), until: moment(4_000) }, ['run', 'file']],
    [{ kind: 'read', failureCode: 'NOT_FOUND' }, []],
    [{ skill: "'; DROP TABLE skill_loads; --\0" }, []],
  ])('the filter %j finds what fits it, of both kinds (U8)', async (filter, kinds) => {
    await fill();
    expect((await list(filter)).map(({ kind: what }) => what)).toEqual(kinds);
  });

  test('pages meet without a gap or a double, also inside one millisecond and while rows are added (U7)', async () => {
    await store.loads.record(Array.from({ length: 7 }, (_, index) => loadOf({ client: `reader-${index}` })));
    for (let index = 0; index < 5; index += 1) await store.invocations.begin(invocationOf());
    await store.loads.record([loadOf({ loadedAt: moment(-1) })]);
    const whole = await list();
    expect(whole).toHaveLength(13);
    const paged: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await store.activity.list({ limit: 2, ...(cursor !== undefined && { cursor }) });
      paged.push(...page.entries.map(({ id }) => id));
      cursor = page.nextCursor;
      await store.loads.record([loadOf({ loadedAt: moment(60_000) })]);
    } while (cursor !== undefined);
    expect(paged).toEqual(whole.map(({ id }) => id));
  });

  test('a cursor that is none of ours is refused, and no page is longer than a thousand (U7)', async () => {
    await expect(store.activity.list({ limit: 5, cursor: 'nonsense' })).rejects.toThrow(BadCursor);
    await store.loads.record(Array.from({ length: 1_100 }, () => loadOf()));
    expect(await list({ limit: 100_000 })).toHaveLength(1_000);
  });

  test('the choices of each filter are counted with the other filters as they are (U8)', async () => {
    await fill();
    const { choices, isCut } = await store.activity.choices({});
    expect(isCut).toBe(false);
    expect(choices).toEqual({
      kind: [
        { name: 'run', count: 3 },
        { name: 'read', count: 2 },
        { name: 'file', count: 1 },
      ],
      skill: [
        { name: 'greet', count: 3 },
        { name: 'sql-review', count: 3 },
      ],
      agent: [
        { name: 'codex', count: 5 },
        { name: 'goose', count: 1 },
      ],
      status: [
        { name: 'completed', count: 4 },
        { name: 'failed', count: 1 },
        { name: 'running', count: 1 },
      ],
      failureCode: [{ name: 'NOT_FOUND', count: 1 }],
    });
    const ofReads = (await store.activity.choices({ kind: 'read' })).choices;
    expect(ofReads.agent).toEqual([
      { name: 'codex', count: 1 },
      { name: 'goose', count: 1 },
    ]);
    expect(ofReads.kind).toEqual(choices.kind);
    expect((await store.activity.choices({ since: moment(5_000) })).choices.status).toEqual([
      { name: 'running', count: 1 },
    ]);
  });

  test('uses are loads and runs with their last time; other files are none (U13)', async () => {
    await fill();
    const span = { since: moment(-1), until: moment(60_000) };
    const uses = (await store.activity.uses(span)).toSorted((a, b) => (a.skillName < b.skillName ? -1 : 1));
    expect(uses).toEqual([
      { skillName: 'greet', reads: 0, runs: 2, lastReadAt: undefined, lastRunAt: moment(5_000) },
      { skillName: 'sql-review', reads: 2, runs: 0, lastReadAt: moment(1_000), lastRunAt: undefined },
    ]);
    expect((await store.loads.list({ limit: 10 })).loads).toHaveLength(2);
    expect(Object.fromEntries(await store.loads.counts(moment(-1)))).toEqual({ 'sql-review': 2 });
  });

  test('one skill: its uses day by day, and who used it (U13)', async () => {
    await fill();
    const day = 86_400_000;
    await store.loads.record([loadOf({ loadedAt: moment(-2 * day) }), loadOf({ loadedAt: moment(-40 * day) })]);
    const window = { since: moment(-30 * day), until: moment(60_000) };
    const { series, users, ...counts } = await store.activity.usesOf({ skill: 'sql-review', ...window });
    expect(counts).toEqual({ reads: 3, runs: 0, lastReadAt: moment(1_000), lastRunAt: undefined });
    expect(series).toHaveLength(31);
    expect(series.filter(({ reads }) => reads > 0).map(({ reads }) => reads)).toEqual([1, 2]);
    expect(users).toEqual([
      { agent: 'codex', uses: 2, lastUsedAt: moment() },
      { agent: 'goose', uses: 1, lastUsedAt: moment(1_000) },
    ]);
    expect(await store.activity.usesOf({ skill: 'greet', ...window })).toMatchObject({
      runs: 2,
      lastRunAt: moment(5_000),
      users: [{ agent: 'codex', uses: 3 }],
    });
    expect(await store.activity.usesOf({ skill: 'never', ...window })).toMatchObject({ reads: 0, runs: 0, users: [] });
  });
});

test('PostgreSQL has an index of the files that were read, too (U7)', async () => {
  const place = await world.place('postgres');
  await world.open(place).migrate();
  const found = await world.query(place, "SELECT indexdef FROM pg_indexes WHERE indexname = 'idx_skill_loads_files'");
  expect(found).toEqual([{ indexdef: expect.stringContaining('(loaded_at, id) WHERE (path IS NOT NULL)') }]);
});
