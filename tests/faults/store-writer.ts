// A process that writes to a store and says what was acknowledged, for tests that kill it. Run with tsx.
import { randomUUID } from 'node:crypto';
import type { StorePlace } from '../../src/settings/store-place.ts';
import { StoreUnavailable } from '../../src/skills/record/invocation-log.ts';
import { openStore, type StoreOptions } from '../../src/store/store.ts';
import { sayAtOnce } from './say-at-once.ts';

interface Orders {
  readonly place: StorePlace;
  /** How many runs. */
  readonly count: number;
  /** How many at a time. */
  readonly together: number;
  /** True: the beginning is waited for, so that many are running at any time. */
  readonly slow: boolean;
  readonly limits: Pick<Partial<StoreOptions>, 'operationLimitMs'>;
}

const { place, count, together, slow, limits } = JSON.parse(process.argv[2] ?? '') as Orders;
const store = openStore(place, limits);
let left = count;

const say = (word: string, id: string) => sayAtOnce(`${word} ${id}\n`);

async function run(): Promise<void> {
  const id = randomUUID();
  const timestamp = new Date();
  const invocation = {
    id,
    skillName: 'greet',
    inputPayload: { text: 'x'.repeat(500) },
    invokingAgent: 'TaskAgent',
    correlationId: randomUUID(),
    timestamp,
    status: 'running' as const,
  };
  const begun = store.invocations.begin(invocation);
  if (slow) {
    await begun;
    say('begun', id);
  }
  const ended = store.invocations.end(invocation, {
    invocationId: id,
    success: true,
    outputPayload: { ok: true },
    durationMs: 1,
    timestamp,
  });
  await Promise.all([begun, ended]);
  say('ended', id);
}

/** A store that is away is no reason to stop: the others are tried, too. */
async function tryRun(): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    say('refused', error.message);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

async function runMany(): Promise<void> {
  while (left > 0) {
    left -= 1;
    await tryRun();
  }
}

say('ready', '-');
await Promise.all(Array.from({ length: together }, runMany));
await store.close();
