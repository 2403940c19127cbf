// The queues that wake processes for runs, held to one contract (J9): by looking, and by pg-boss on PostgreSQL.
import { afterEach, describe, expect, test } from 'vitest';
import { createLookingQueue, type RunQueue } from '../../../src/skills/durable/run-queue.ts';
import type { RuntimeEvent } from '../../../src/skills/record/runtime-log.ts';
import { openStore } from '../../../src/store/store.ts';
import { PATIENT } from '../../support/patience.ts';
import { useStoreWorld } from './use-store-world.ts';

const world = useStoreWorld();
/** Longer than any test: only what is asked for wakes. */
const NEVER_MS = 3_600_000;

describe.each(['sqlite', 'postgres'] as const)('the queue on %s', (kind) => {
  const closing: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  async function openQueue(look: RunQueue = createLookingQueue(50), given?: Awaited<ReturnType<typeof world.place>>) {
    const place = given ?? (await world.place(kind));
    const store = openStore(place, PATIENT);
    await store.migrate();
    closing.push(() => store.close());
    const lines: RuntimeEvent[] = [];
    const queue = (await store.wakeups?.({ log: (event) => void lines.push(event), look, beginMs: 0 })) ?? look;
    closing.push(() => queue.close());
    return { queue, lines, place };
  }

  test('wakes by itself, and when it was asked to, and not after it was closed (J9)', async () => {
    const { queue } = await openQueue();
    let woken = 0;
    await queue.start(() => {
      woken += 1;
    });
    await expect.poll(() => woken).toBeGreaterThan(1);
    queue.wakeIn(0);
    queue.wakeIn(20, 'some-id');
    await queue.close();
    const last = woken;
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(woken).toBe(last);
  });

  test('asking before it started, or after it was closed, does no harm (J9)', async () => {
    const { queue } = await openQueue();
    queue.wakeIn(5_000);
    await queue.start(() => undefined);
    await queue.close();
    expect(() => queue.wakeIn(5_000)).not.toThrow();
  });

  if (kind === 'postgres') {
    test('pg-boss wakes another process when the time has come, over our pool and in a schema of its own (J9)', async () => {
      const { queue: first, place, lines } = await openQueue(createLookingQueue(NEVER_MS));
      await first.start(() => undefined);
      const jobs = 'SELECT count(*) AS jobs FROM repertoire_boss.job';
      const begun = () =>
        world.query(place, "SELECT count(*) AS queues FROM repertoire_boss.queue WHERE name = 'runs'");
      await expect.poll(async () => (await begun().catch(() => []))[0]).toMatchObject({ queues: expect.anything() });
      await expect
        .poll(async () => {
          first.wakeIn(1_500);
          return Number((await world.query(place, jobs))[0]?.jobs);
        })
        .toBeGreaterThan(0);
      await first.close();
      let woken = 0;
      const { queue: second } = await openQueue(createLookingQueue(NEVER_MS), place);
      await second.start(() => {
        woken += 1;
      });
      await expect.poll(() => woken).toBeGreaterThan(0);
      expect(lines).toEqual([]);
    });
  }
});
