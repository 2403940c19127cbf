// Servers of the built program on one PostgreSQL, in short (F1, F2, F11); the long loops are in `npm run faults`.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createRandom } from '../../bench/random.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { createDatabase } from '../support/postgres-database.ts';
import { endureOutage } from './http-outage.ts';
import { stopUnderLoad } from './http-stop.ts';
import { expectEachOnce, spreadCalls, startReplicas, untilReady, untilSwept } from './replica-load.ts';
import { createServeWorld, type ServeWorld } from './serve-world.ts';

let folder: string;
let postgres: TestPostgres;
let world: ServeWorld;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'repertoire-replicas-'));
  world = createServeWorld(folder);
  postgres = await startPostgres();
});
afterAll(async () => {
  await postgres?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** What is acknowledged is in the log (F2), also where the machine is so busy that the log cannot be written in time. */
const STRICT = ['--log', 'required'];

test('three replicas start at once, one is killed: every acknowledged call is in the log once (F2, F3)', async () => {
  const place = await createDatabase(postgres);
  const replicas = await startReplicas(world, place, 3, STRICT);
  onTestFinished(async () => void (await Promise.all(replicas.map(({ kill }) => kill()))));
  await untilReady(replicas);
  const kill = async () => replicas[0]?.kill();
  const orders = { count: 300, inFlight: 32, random: createRandom(1), naps: 0.15, halfWay: kill };
  const spread = await spreadCalls(replicas, orders);
  // One of each caller at most.
  expect(spread.unanswered.size).toBeLessThanOrEqual(orders.inFlight);
  expect(spread.acknowledged.size + spread.unanswered.size).toBe(orders.count);
  replicas.push(await world.start(place));
  await untilSwept(place);
  expect((await expectEachOnce(place, [spread])).total).toBeGreaterThanOrEqual(spread.acknowledged.size);
});

test('PostgreSQL away: documents answer, the rest is refused, /ready says so, and all comes back (F1, H6)', async () => {
  const place = await createDatabase(postgres);
  const server = await world.start(place, STRICT);
  onTestFinished(server.kill);
  const outage = { ms: 0, begin: postgres.halt, end: postgres.start };
  const { documents, refused } = await endureOutage(server, place, outage);
  expect(Math.min(documents, refused)).toBeGreaterThan(0);
});

test('SIGTERM under load: calls end or are cancelled, exit 0, and the log knows of all (F11)', async () => {
  const place = { kind: 'sqlite', dataDirectory: join(folder, 'data') } as const;
  const server = await world.start(place, STRICT);
  onTestFinished(server.kill);
  const { acknowledged, cancelled } = await stopUnderLoad(server, place, { calls: 25, afterMs: 100 });
  expect(acknowledged).toBeGreaterThanOrEqual(25);
  expect(cancelled).toBeGreaterThanOrEqual(4);
});
