// Random interleavings of begin, end, second end and sweep, from two processes: X2's diagram is never left.

import { describe, expect, test } from 'vitest';
import type { StorePlace } from '../../../src/settings/store-place.ts';
import type { Invocation } from '../../../src/skills/define/invocation.ts';
import type { Store } from '../../../src/store/store.ts';
import fc from '../../support/property.ts';
import { failureOf, invocationOf, successOf } from './store-world.ts';
import { useStoreWorld } from './use-store-world.ts';

const world = useStoreWorld();

type Action = {
  readonly who: number;
  readonly what: 'begin' | 'success' | 'failure' | 'timeout' | 'failure with TIMEOUT' | 'sweep';
  readonly which: number;
};

const action: fc.Arbitrary<Action> = fc.record({
  who: fc.nat(1),
  what: fc.constantFrom('begin', 'success', 'failure', 'timeout', 'failure with TIMEOUT', 'sweep'),
  which: fc.nat(2),
});
/** Each round at once. */
const plan = fc.array(fc.array(action, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 5 });

describe.each(['sqlite', 'postgres'] as const)('on %s', (kind) => {
  test('never two results, never a way back, and every acknowledged end is the one that stays (X2, X3)', async () => {
    const place = await world.place(kind);
    const stores = [world.open(place), world.open(place)] as const;
    await fc.assert(
      fc.asyncProperty(plan, async (rounds) => {
        const invocations = [invocationOf(), invocationOf(), invocationOf()];
        const accepted = new Map<string, string[]>();
        for (const round of rounds) await Promise.all(round.map((each) => act(stores, invocations, each, accepted)));
        for (const { id } of invocations) await expectSound(stores[0], id, accepted.get(id) ?? []);
      }),
      { numRuns: kind === 'sqlite' ? 60 : 30 },
    );
    await expectResultsMatch(place, stores[0]);
  });
});

async function act(
  stores: readonly Store[],
  invocations: readonly Invocation[],
  { who, what, which }: Action,
  accepted: Map<string, string[]>,
) {
  const store = stores[who] as Store;
  const invocation = invocations[which] as Invocation;
  if (what === 'sweep') return void (await store.sweep());
  const write = () => {
    if (what === 'begin') return store.invocations.begin(invocation);
    const failed = failureOf(invocation, what === 'failure' ? 'NOT_FOUND' : 'TIMEOUT');
    const ended = { ...invocation, status: statusAfter[what] };
    return store.invocations.end(ended, what === 'success' ? successOf(invocation) : failed);
  };
  try {
    await write();
    if (what !== 'begin') accepted.set(invocation.id, [...(accepted.get(invocation.id) ?? []), what]);
  } catch (error) {
    expect(error, String(error)).toMatchObject({ name: 'RecordRefused' });
  }
}

const statusAfter = {
  success: 'completed',
  failure: 'failed',
  timeout: 'timeout',
  'failure with TIMEOUT': 'failed',
} as const;

async function expectSound(store: Store, id: string, accepted: readonly string[]): Promise<void> {
  const found = await store.invocations.find(id);
  expect(accepted.length).toBeLessThanOrEqual(1);
  const [last] = accepted as readonly (keyof typeof statusAfter)[];
  if (last === undefined) return expect(found?.result).toBeUndefined();
  expect(found?.invocation.status).toBe(statusAfter[last]);
  expect(found?.result?.success).toBe(last === 'success');
}

/** The roll-ups say the same as the rows. */
async function expectResultsMatch(place: StorePlace, store: Store): Promise<void> {
  const at = invocationOf().timestamp;
  const { skills } = await store.invocations.stats({ since: at, until: new Date(at.getTime() + 1) });
  let ended = 0;
  let cursor: string | undefined;
  do {
    const page = await store.invocations.list({ limit: 1_000, ...(cursor !== undefined && { cursor }) });
    ended += page.invocations.filter(({ result }) => result !== undefined).length;
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  expect(skills[0]?.count, place.kind).toBe(ended);
}
