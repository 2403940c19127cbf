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
import { expectEachOnce, expectReady, spreadCalls, startReplicas, untilSwept } from './replica-load.ts';
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

test('three replicas start at once, one is killed: every acknowledged call is in the log once (F2, F3)', async () => {
  const place = await createDatabase(postgres);
  const replicas = await startReplicas(world, place, 3);
  onTestFinished(async () => void (await Promise.all(replicas.map(({ kill }) => kill()))));
  await expectReady(replicas);
  const kill = async () => replicas[0]?.kill();
  const orders = { count: 300, inFlight: 32, random: createRandom(1), naps: 0.15, halfWay: kill };
  const spread = await spreadCalls(replicas, orders);
  expect(spread.acknowledged.size).toBeGreaterThan(250);
  replicas.push(await world.start(place));
  await untilSwept(place, 10_000);
  expect((await expectEachOnce(place, [spread])).total).toBeGreaterThanOrEqual(spread.acknowledged.size);
});

test('PostgreSQL away: documents answer, the rest says so within two seconds, and all comes back (F1, H6)', async () => {
  const place = await createDatabase(postgres);
  const server = await world.start(place, ['--log', 'required']);
  onTestFinished(server.kill);
  const outage = { ms: 1_500, begin: postgres.halt, end: postgres.start };
  const { documents, refused } = await endureOutage(server, place, outage);
  expect(documents).toBeGreaterThan(20);
  expect(refused).toBeGreaterThan(20);
});

test('SIGTERM under load: calls end or are cancelled, exit 0, and the log knows of all (F11)', async () => {
  const place = { kind: 'sqlite', dataDirectory: join(folder, 'data') } as const;
  const server = await world.start(place);
  onTestFinished(server.kill);
  const { acknowledged, cancelled } = await stopUnderLoad(server, place, 500);
  expect(acknowledged).toBeGreaterThan(20);
  expect(cancelled).toBeGreaterThanOrEqual(4);
});
