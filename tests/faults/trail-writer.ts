// A process that adds and revokes agents and says what was acknowledged, for tests that kill it. Run with tsx.
import { randomUUID } from 'node:crypto';
import type { StorePlace } from '../../src/settings/store-place.ts';
import { StoreUnavailable } from '../../src/skills/record/invocation-log.ts';
import { openStore } from '../../src/store/store.ts';
import { PATIENT } from '../support/patience.ts';
import { sayAtOnce } from './say-at-once.ts';

interface Orders {
  readonly place: StorePlace;
  readonly dataDirectory: string;
  readonly count: number;
  readonly together: number;
}

const { place, dataDirectory, count, together } = JSON.parse(process.argv[2] ?? '') as Orders;
const store = openStore(place, { ...PATIENT, trailKey: { dataDirectory, secret: undefined } });
let left = count;

const say = (word: string, name: string) => sayAtOnce(`${word} ${name}\n`);

async function addAndRevoke(): Promise<void> {
  const name = randomUUID();
  const agent = { name, tokenDigest: name, roles: [name], scopes: [], createdAt: new Date(), expiresAt: undefined };
  await store.agents.add(agent, 'local');
  say('added', name);
  await store.agents.revoke(name, new Date(), 'local');
  say('ended', name);
}

async function runMany(): Promise<void> {
  while (left > 0) {
    left -= 1;
    try {
      await addAndRevoke();
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      say('refused', error.message);
    }
  }
}

await Promise.all(Array.from({ length: together }, runMany));
await store.close();
