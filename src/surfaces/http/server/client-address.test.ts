// Whose address counts, with and without trusted proxies, for the limit of bad credentials and in the log (H5).
import { describe, expect, test } from 'vitest';
import { parseTrustedProxies } from '../../../settings/trusted-proxies.ts';
import type { IpRange } from '../../../values/ip-address.ts';
import { OPERATOR_TOKEN, openTestServer, type TestServer } from '../fixtures/open-test-server.ts';
import { stopClock } from '../fixtures/stop-clock.ts';
import { createFindClientAddress } from './client-address.ts';

function rangesOf(...entries: readonly string[]): readonly IpRange[] {
  const parsed = parseTrustedProxies(entries);
  if (!parsed.ok) throw new Error(parsed.failure);
  return parsed.value;
}

describe('the address of a client', () => {
  const find = createFindClientAddress(rangesOf('loopback', '10.0.0.0/8', 'fd00::/8'));

  test.each([
    // The peer is no trusted proxy: whatever it says.
    ['192.0.2.1', '203.0.113.9', '192.0.2.1'],
    ['2001:db8::1', '203.0.113.9', '2001:db8::1'],
    ['', '203.0.113.9', ''],
    // It is, and says nothing.
    ['127.0.0.1', undefined, '127.0.0.1'],
    ['127.0.0.1', '', '127.0.0.1'],
    // The rightmost that no trusted proxy has.
    ['127.0.0.1', '203.0.113.9', '203.0.113.9'],
    ['::1', '203.0.113.9', '203.0.113.9'],
    ['::ffff:10.1.1.1', '203.0.113.9', '203.0.113.9'],
    ['127.0.0.1', '198.51.100.1, 203.0.113.9', '203.0.113.9'],
    ['127.0.0.1', '198.51.100.1, 203.0.113.9, 10.0.0.2', '203.0.113.9'],
    ['127.0.0.1', '198.51.100.1,203.0.113.9 ,\tfd00::2', '203.0.113.9'],
    ['127.0.0.1', '127.0.0.1, 203.0.113.9', '203.0.113.9'],
    // All of them are trusted: the first that was named.
    ['127.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
    // As different proxies write it.
    ['127.0.0.1', '203.0.113.9:4711', '203.0.113.9'],
    ['127.0.0.1', '[2001:db8::7]:4711', '2001:db8::7'],
    ['127.0.0.1', '[2001:db8::7]', '2001:db8::7'],
    ['127.0.0.1', '2001:db8::7', '2001:db8::7'],
    ['127.0.0.1', 'fe80::7%eth0', 'fe80::7'],
    // What cannot be read stops the search.
    ['127.0.0.1', 'unknown', '127.0.0.1'],
    ['127.0.0.1', '203.0.113.9, unknown', '127.0.0.1'],
    ['127.0.0.1', '203.0.113.9, unknown, 10.0.0.2', '10.0.0.2'],
    ['127.0.0.1', '203.0.113.9,', '127.0.0.1'],
    ['127.0.0.1', ', 203.0.113.9', '203.0.113.9'],
    ['127.0.0.1', '"203.0.113.9"', '127.0.0.1'],
    ['127.0.0.1', `${'1'.repeat(10_000)}`, '127.0.0.1'],
    ['127.0.0.1', '\u001b[31m', '127.0.0.1'],
  ])('of %j that says %j is %j', (peer, forwardedFor, client) => {
    expect(find(peer, forwardedFor)).toBe(client);
  });

  test('is the other end of the connection where no proxy is trusted', () => {
    const none = createFindClientAddress([]);
    expect(none('127.0.0.1', '203.0.113.9')).toBe('127.0.0.1');
    expect(none('127.0.0.1', undefined)).toBe('127.0.0.1');
  });
});

/** So many bad tokens, each passed on for the address that `client` gives; the last status. */
async function guess(server: TestServer, times: number, client: (index: number) => string) {
  let status = 0;
  for (let index = 0; index < times; index += 1) {
    const headers = { Authorization: 'Bearer guess', 'X-Forwarded-For': client(index) };
    const answer = await fetch(`${server.url}/api/x`, { headers });
    await answer.arrayBuffer();
    status = answer.status;
  }
  return status;
}

describe('bad credentials', () => {
  test('of one client behind a trusted proxy are not counted against another (A3)', async () => {
    stopClock();
    const server = await openTestServer({ trustedProxies: rangesOf('loopback') });
    expect(await guess(server, 61, () => '203.0.113.9')).toBe(429);
    expect(await guess(server, 1, () => '203.0.113.10')).toBe(401);
    const refused = server.events.filter(({ level }) => level === 'warn');
    expect(refused[0]).toMatchObject({ status: 401, address: '203.0.113.9' });
  });

  test('of one client count together, whatever it says itself, and from wherever in its network (A3)', async () => {
    stopClock();
    const server = await openTestServer({ trustedProxies: rangesOf('loopback') });
    expect(await guess(server, 61, (index) => `198.51.100.${index}, 203.0.113.9`)).toBe(429);
    expect(await guess(server, 61, (index) => `2001:db8::${index.toString(16)}`)).toBe(429);
  });

  test('through a proxy that is not trusted count together, whatever it says (A3)', async () => {
    stopClock();
    for (const trustedProxies of [[], rangesOf('10.0.0.0/8')]) {
      const server = await openTestServer({ trustedProxies });
      expect(await guess(server, 61, (index) => `203.0.113.${index}`)).toBe(429);
      expect(server.events.some((event) => JSON.stringify(event).includes('203.0.113'))).toBe(false);
    }
  });
});

test.each([[], ['loopback']])(
  'a request that was passed on is remote, also by a trusted proxy: %j (H5, A3)',
  async (...trust) => {
    const server = await openTestServer({ trustedProxies: rangesOf(...trust) });
    const headers = { Authorization: `Bearer ${OPERATOR_TOKEN}`, 'X-Forwarded-For': '127.0.0.1' };
    expect(await (await fetch(`${server.url}/api/x`, { headers })).json()).toMatchObject({ remote: true });
  },
);
