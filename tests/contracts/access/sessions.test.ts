// Sessions of two servers of the built program in one browser: side by side, over a restart, without their agent (H5).
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCookieJar } from '../../support/cookie-jar.ts';
import { AccessWorld } from './access-world.ts';

const one = new AccessWorld();
const two = new AccessWorld();

beforeAll(async () => {
  await Promise.all([one.start(), two.start()]);
});
afterAll(() => Promise.all([one.end(), two.end()]));

test('two servers leave each other signed in, over a restart too, until a new token ends it (H5)', async () => {
  const jar = createCookieJar();
  const names = () => Promise.all([one, two].map(async ({ server }) => (await me(server.url)).name));
  const me = async (url: string) => (await jar.ask(`${url}/api/me`)).json();
  for (const { server, operator } of [one, two]) expect(await jar.signIn(server.url, operator)).toBe(204);
  expect(await names()).toEqual(['local', 'local']);
  expect(jar.text()).not.toContain('rpo_');
  await restart(one);
  expect(await names()).toEqual(['local', 'local']);
  await one.command('token', '--rotate');
  await restart(one);
  expect(await names()).toEqual([undefined, 'local']);
  for (const { server } of [one, two]) expect(server.stderr()).not.toContain('rps_');
});

test('a revoked agent is out as soon as with its token (H5)', async () => {
  const jar = createCookieJar();
  const token = await two.addAgent('leaving');
  await jar.signIn(two.server.url, token);
  const status = async () => (await jar.ask(`${two.server.url}/api/documents`)).status;
  expect(await status()).toBe(200);
  await two.command('agent', 'revoke', 'leaving');
  await expect.poll(status).toBe(401);
  expect((await two.ask('/api/documents', { token })).status).toBe(401);
});

/** On the same port: its number is in the cookie's name. */
async function restart(world: AccessWorld): Promise<void> {
  const port = String(world.server.port);
  await world.server.stop();
  await world.start([...world.dataOptions, '--port', port]);
}
