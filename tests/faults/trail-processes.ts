// Starts processes that write one trail, and checks what they leave behind (L5). Used by short tests and long loops.
import { fileURLToPath } from 'node:url';
import type { StorePlace } from '../../src/settings/store-place.ts';
import { openStore } from '../../src/store/store.ts';
import { PATIENT } from '../support/patience.ts';
import { idsAfter, startScript, type Writer } from './store-processes.ts';

export interface TrailOrders {
  readonly count: number;
  readonly together: number;
}

/** `dataDirectory`: where the key is. */
export const startTrailWriter = (place: StorePlace, dataDirectory: string, orders: TrailOrders): Writer =>
  startScript(fileURLToPath(new URL('./trail-writer.ts', import.meta.url)), { ...orders, place, dataDirectory });

/** Throws when the chain is broken, or an agent and its entries do not fit. Answers how many entries there are. */
export async function expectWholeTrail(
  place: StorePlace,
  dataDirectory: string,
  words: readonly string[],
): Promise<number> {
  const store = openStore(place, { ...PATIENT, trailKey: { dataDirectory, secret: undefined } });
  try {
    const { entries, fault } = await store.trail.verify();
    if (fault !== undefined) throw new Error(fault.message);
    const entered = await readEntered(store);
    const agents = await store.agents.list();
    const states = agents.flatMap(({ name, revokedAt }) => [
      `agent.add ${name}`,
      ...(revokedAt ? [`agent.revoke ${name}`] : []),
    ]);
    const missing = states.filter((state) => !entered.has(state));
    const acknowledged = [
      ...idsAfter(words, 'added').map((name) => `agent.add ${name}`),
      ...idsAfter(words, 'ended').map((name) => `agent.revoke ${name}`),
    ];
    const lost = acknowledged.filter((each) => !entered.has(each));
    if (missing.length + lost.length > 0 || entered.size !== states.length || entered.size !== entries) {
      throw new Error(
        `${missing.length} without an entry, ${lost.length} lost, ${entries} entries of ${states.length} changes`,
      );
    }
    return entries;
  } finally {
    await store.close();
  }
}

async function readEntered({ trail }: ReturnType<typeof openStore>): Promise<ReadonlySet<string>> {
  const entered = new Set<string>();
  for (let cursor: string | undefined; ; ) {
    const page = await trail.list({ limit: 1_000, ...(cursor !== undefined && { cursor }) });
    for (const { action, subject } of page.entries) entered.add(`${action} ${subject}`);
    if (page.nextCursor === undefined) return entered;
    cursor = page.nextCursor;
  }
}
