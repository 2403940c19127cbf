// A running server whose database is deleted: /ready and its log say it, and what it acknowledges is in the new file.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../src/store/store.ts';
import { PATIENT } from '../support/patience.ts';
import { createServeWorld, invoke, untilHolds } from './serve-world.ts';

test('a server whose database is deleted says so, makes a new one, and records into it (A8, H6)', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'repertoire-surprise-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const place = { kind: 'sqlite', dataDirectory: join(folder, 'data') } as const;
  // With --log required a run that is not recorded is not acknowledged.
  const server = await createServeWorld(folder).start(place, ['--log', 'required']);
  onTestFinished(() => server.kill());
  expect((await invoke(server, 'echo', { text: 'a' })).status).toBe(200);
  expect((await server.ask('/ready')).status).toBe(200);
  rmSync(join(place.dataDirectory, 'repertoire.db'));
  await untilHolds('/ready has a reason', async () => (await server.ask('/ready')).text.includes('was deleted'));
  const id = randomUUID();
  await untilHolds('a run is recorded', async () => (await invoke(server, 'echo', { text: 'b' }, id)).status === 200);
  expect(server.stderr()).toContain('the log, agents, users and tasks in it are gone');
  const store = openStore(place, PATIENT);
  onTestFinished(() => store.close());
  const { invocations } = await store.invocations.list({ correlationId: id, limit: 10 });
  expect(invocations.map(({ invocation }) => invocation.status)).toContain('completed');
  expect(await server.stop()).toBe(0);
});
