// Clients that came to one replica are known to all (N3).
import { beforeEach, expect, test } from 'vitest';
import type { LocalBus } from '../async/bus.ts';
import { createLinkedBuses } from '../async/fixtures/linked-buses.ts';
import { createPeers } from '../async/peers.ts';
import { agentCaller } from './caller.ts';
import { createSeenClients } from './seen-clients.ts';
import { shareClients } from './share-clients.ts';

const CALLER = agentCaller('billing');
const CLIENT = { name: 'codex', version: '1.2' };
let second: number;
const now = () => new Date(Date.UTC(2026, 10, 15, 12, 0, second));

function createReplica(bus: LocalBus) {
  const clients = createSeenClients({ now });
  const peers = createPeers(bus);
  shareClients(clients, { bus, peers });
  bus.gap();
  return clients;
}

let buses: readonly LocalBus[];
beforeEach(() => {
  second = 0;
  buses = createLinkedBuses(3);
});
const replica = (index: number) => createReplica(buses[index] as LocalBus);

test('one that connected to another replica is listed here, with what it did there and here (N3)', async () => {
  const [here, there] = [replica(0), replica(1)];
  let told = 0;
  there.subscribe((_client, isHere) => {
    if (!isHere) told += 1;
  });
  here.noteHandshake(CALLER, CLIENT);
  await expect.poll(() => there.list()).toEqual(here.list());
  expect([there.list()[0]?.name, told]).toEqual(['codex', 1]);
  // Its next request goes to the other one: that is no new connection.
  second = 1;
  there.noteTools(CALLER, CLIENT, 5);
  there.noteRead(CALLER, 'codex', 'sql-review');
  await expect.poll(() => here.list()).toEqual(there.list());
  expect(here.list()).toMatchObject([{ tools: 5, firstRead: { skillName: 'sql-review' } }]);
  expect(here.list()[0]?.connectedAt.getUTCSeconds()).toBe(0);
  // A new handshake forgets what was known of the connection before.
  second = 2;
  here.noteHandshake(CALLER, CLIENT);
  await expect.poll(() => there.list()[0]?.connectedAt.getUTCSeconds()).toBe(2);
  expect(there.list()).toMatchObject([{ tools: undefined, firstRead: undefined }]);
});

test('a replica that starts later hears of those that came before (N3)', async () => {
  const here = replica(0);
  here.noteHandshake(CALLER, CLIENT);
  const later = replica(2);
  await expect.poll(() => later.list()).toEqual(here.list());
});

test('what another version says in another form is left aside (N3)', () => {
  const here = replica(0);
  const good = { caller: CALLER, ...CLIENT, connectedAt: now(), lastSeenAt: now() };
  for (const bad of [
    null,
    1,
    {},
    { ...good, caller: { kind: 'robot', name: 'x' } },
    { ...good, connectedAt: 'soon' },
  ]) {
    buses[1]?.publish('clients', { clients: [bad] });
  }
  buses[1]?.publish('clients', { clients: 'none' });
  expect(here.list()).toEqual([]);
  buses[1]?.publish('clients', { clients: [good] });
  expect(here.list()).toHaveLength(1);
});
