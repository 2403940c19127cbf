// A flood of registrations beside those that are in order (O2, F10).
import { expect, test } from 'vitest';
import type { OAuthClient } from '../identity/oauth.ts';
import { createRegistrations } from './registrations.ts';

const client: OAuthClient = { id: 'c', kind: 'dynamic', name: 'A client', redirectUris: ['http://127.0.0.1/back'] };
const at = new Date();

/** As a store that takes ten of each address, one after the other. */
function world() {
  const [counts, now] = [new Map<string, number>(), { ms: 0 }];
  const seen = { asked: 0, atOnce: 0, most: 0 };
  const register = createRegistrations({
    monotonicMs: () => now.ms,
    store: {
      register: async (_client, peer) => {
        seen.asked += 1;
        seen.atOnce += 1;
        seen.most = Math.max(seen.most, seen.atOnce);
        await new Promise((resolve) => setImmediate(resolve));
        seen.atOnce -= 1;
        const count = (counts.get(peer) ?? 0) + 1;
        counts.set(peer, count);
        return count > 10 ? 'busy' : 'added';
      },
    },
  });
  const send = (peer: string, many: number) =>
    Promise.all(Array.from({ length: many }, () => register(client, peer, at)));
  return { send, seen, now, counts };
}

test('of a hundred at once from one address ten are taken, and few ask the store (O2, F10)', async () => {
  const { send, seen } = world();
  const answers = await Promise.all([send('4 1', 100), send('4 2', 3)]);
  expect(answers.map((each) => each.filter((answer) => answer === 'added').length)).toEqual([10, 3]);
  expect(seen.most).toBeLessThanOrEqual(2);
  expect(seen.asked).toBe(13);
});

test('an address that has had its ten is told so without the store, which is asked again later (O2, F10)', async () => {
  const { send, seen, now, counts } = world();
  await send('4 1', 10);
  expect(await send('4 1', 1)).toEqual(['busy']);
  const { asked } = seen;
  expect(await send('4 1', 5)).toEqual(Array(5).fill('busy'));
  expect(seen.asked).toBe(asked);
  counts.clear();
  now.ms += 31_000;
  expect(await send('4 1', 1)).toEqual(['added']);
});

test('what fails leaves its place to the next (O2)', async () => {
  let isAway = true;
  const register = createRegistrations({
    monotonicMs: () => 0,
    store: { register: async () => (isAway ? Promise.reject(new Error('away')) : 'added') },
  });
  for (let count = 0; count < 12; count += 1) await expect(register(client, '4 1', at)).rejects.toThrow('away');
  isAway = false;
  expect(await register(client, '4 1', at)).toBe('added');
});
