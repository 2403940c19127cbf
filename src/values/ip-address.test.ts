// Addresses as they are written, ranges that they lie in, and who counts as one sender.
import { describe, expect, test } from 'vitest';
import { isInRange, networkOf, parseIpAddress } from './ip-address.ts';

const range = (first: string, prefix: number) => {
  const parsed = parseIpAddress(first);
  if (parsed === undefined) throw new Error(first);
  return { first: parsed, prefix };
};
const isIn = (text: string, first: string, prefix: number) => {
  const address = parseIpAddress(text);
  return address !== undefined && isInRange(address, range(first, prefix));
};

describe('parseIpAddress', () => {
  test.each([
    ['0.0.0.0', 32, 0n],
    ['10.1.2.3', 32, 0x0a010203n],
    ['255.255.255.255', 32, 0xffffffffn],
    ['::', 128, 0n],
    ['::1', 128, 1n],
    ['1::', 128, 1n << 112n],
    ['2001:db8::8:800:200c:417a', 128, 0x20010db80000000000080800200c417an],
    ['2001:DB8:0:0:8:800:200C:417A', 128, 0x20010db80000000000080800200c417an],
    ['fe80::1%eth0', 128, (0xfe80n << 112n) | 1n],
    ['64:ff9b::192.0.2.33', 128, 0x0064ff9b0000000000000000c0000221n],
    ['::ffff:10.1.2.3', 32, 0x0a010203n],
    ['::ffff:a01:203', 32, 0x0a010203n],
  ])('reads %s', (text, bits, value) => {
    expect(parseIpAddress(text)).toEqual({ bits, value });
  });

  test.each([
    '',
    ' ',
    '10.1.2',
    '10.1.2.256',
    '010.1.2.3',
    '1.2.3.4:80',
    '[::1]',
    ':::',
    '1::2::3',
    'localhost',
    '1',
    '%eth0',
  ])('reads no address in %j', (text) => {
    expect(parseIpAddress(text)).toBeUndefined();
  });
});

test.each([
  ['10.255.0.1', '10.0.0.0', 8, true],
  ['11.0.0.1', '10.0.0.0', 8, false],
  ['192.0.2.127', '192.0.2.0', 25, true],
  ['192.0.2.128', '192.0.2.0', 25, false],
  ['192.0.2.1', '192.0.2.1', 32, true],
  ['192.0.2.2', '192.0.2.1', 32, false],
  ['::ffff:10.0.0.1', '10.0.0.0', 8, true],
  ['fd12::1', 'fd00::', 8, true],
  ['fe00::1', 'fd00::', 8, false],
  ['::a00:1', '10.0.0.0', 8, false],
])('%s in %s/%i: %s', (address, first, prefix, expected) => {
  expect(isIn(address, first, prefix)).toBe(expected);
});

test('addresses of one sender have one network', () => {
  expect(networkOf('2001:db8:1:2::1')).toBe(networkOf('2001:db8:1:2:ffff::9'));
  expect(networkOf('2001:db8:1:2::1')).not.toBe(networkOf('2001:db8:1:3::1'));
  expect(networkOf('::ffff:192.0.2.1')).toBe(networkOf('192.0.2.1'));
  expect(networkOf('192.0.2.1')).not.toBe(networkOf('192.0.2.2'));
  expect(networkOf('')).toBe('');
});
