// What may follow --trust-proxy, and what is said of the rest.
import { expect, test } from 'vitest';
import { parseTrustedProxies } from './trusted-proxies.ts';

test.each([
  '10.0.0.0/8',
  '192.0.2.7',
  '192.0.2.7/32',
  '128.0.0.0/1',
  '::1',
  'fd00::/8',
  '2001:db8::/32',
  '::ffff:10.0.0.1',
  ' 10.0.0.0/8 ',
  'loopback',
  'Loopback',
])('%j names proxies', (entry) => {
  expect(parseTrustedProxies([entry]).ok).toBe(true);
});

test.each([
  ['', /^is neither an address nor a range; write it like 10\.0\.0\.0\/8/],
  ['proxy.example.com', /neither/],
  ['10.0.0.0/8/8', /neither/],
  ['10.0.0', /neither/],
  ['10.0.0.1:80', /neither/],
  ['[::1]', /neither/],
  ['fe80::1%eth0', /neither/],
  ['10.0.0.0/8,192.0.2.7', /^names several at once; give each of them alone$/],
  ['*', /neither/],
  ['10.0.0.0/', /^has a prefix that is not a number from 1 to 32$/],
  ['10.0.0.0/33', /1 to 32/],
  ['10.0.0.0/-1', /1 to 32/],
  ['10.0.0.0/8.0', /1 to 32/],
  ['10.0.0.0/0x8', /1 to 32/],
  ['fd00::/129', /1 to 128/],
  ['0.0.0.0/0', /^means every address/],
  ['::/0', /^means every address/],
  ['::/000', /^means every address/],
  ['10.0.0.1/8', /^is an address inside its range/],
  ['fd00::1/8', /^is an address inside its range/],
])('%j is refused: %s', (entry, sentence) => {
  expect(parseTrustedProxies(['10.0.0.0/8', entry])).toEqual({ ok: false, failure: expect.stringMatching(sentence) });
});

test('each entry gives its ranges, and none gives none (A3)', () => {
  const parsed = parseTrustedProxies(['loopback', '192.0.2.0/24']);
  expect(parsed.ok && parsed.value.map(({ prefix }) => prefix)).toEqual([8, 128, 24]);
  expect(parseTrustedProxies([])).toEqual({ ok: true, value: [] });
});
