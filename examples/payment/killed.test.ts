// The server is killed with SIGKILL at random moments while it charges: every order is charged, and none twice (J3, J5).
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createRandom } from '../../bench/random.ts';
import { type ServeProcess, startServeProcess } from '../../tests/support/serve-process.ts';
import { type Provider, startProvider } from './provider.ts';

const config = fileURLToPath(new URL('./repertoire.config.ts', import.meta.url));
const ORDERS = ['A-1', 'A-2', 'A-3', 'A-4', 'A-5', 'A-6'];
const KILLS = 4;

let folder: string;
let provider: Provider;
let server: ServeProcess;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'repertoire-payment-'));
  // The money has moved for a while before the server is told: most kills fall into that time.
  provider = await startProvider({ answerAfterMs: 1_500 });
  server = await start();
});

afterEach(async () => {
  await server.stop();
  await provider.close();
  rmSync(folder, { recursive: true, force: true });
});

const start = () =>
  startServeProcess(['--config', config, '--data', folder, '--builtin', 'none'], {
    PATH: process.env.PATH,
    HOME: folder,
    PROVIDER_URL: provider.url,
  });

/** As a shop does that is not sure whether its first call arrived: with the key of the order. */
async function charge(order_id: string): Promise<string> {
  const headers = { Prefer: 'respond-async', 'Idempotency-Key': order_id };
  const body = JSON.stringify({ order_id, cents: 1_990 });
  const { text } = await server.ask('/api/typed-skills/charge_order/invoke', { body, headers });
  return JSON.parse(text).invocation_id;
}

async function statusOf(id: string): Promise<string> {
  return JSON.parse((await server.ask(`/api/invocations/${id}`)).text).invocation.status;
}

test('each order is charged once, however often the server is killed (J3, J5)', async () => {
  const random = createRandom(Date.now());
  const ids = await Promise.all(ORDERS.map(charge));
  await expect.poll(() => provider.requests).toBeGreaterThan(0);
  for (let kill = 0; kill < KILLS; kill += 1) {
    // Before the provider has answered, which waits on the clock of this very process.
    await sleep(random() * 1_000);
    await server.kill();
    server = await start();
    expect(await Promise.all(ORDERS.map(charge))).toEqual(ids);
    // It takes up what the dead one left: the kill after this one falls into that.
    const before = provider.requests;
    await expect
      .poll(async () => provider.requests > before || (await statusOf(String(ids[0]))) === 'completed')
      .toBe(true);
  }
  for (const id of ids) await expect.poll(() => statusOf(id)).toBe('completed');
  expect(Object.fromEntries(provider.charges)).toEqual(Object.fromEntries(ORDERS.map((order) => [order, 1])));
  // It was asked again: without the key it would have charged again.
  expect(provider.requests).toBeGreaterThan(ORDERS.length);
});
