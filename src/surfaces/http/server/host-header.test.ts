// Which Host and Origin are ours (H4).
import { describe, expect, test } from 'vitest';
import { createHostCheck, isLoopbackAddress, isLoopbackHost, isSameOrigin } from './host-header.ts';

const local = createHostCheck({ host: '127.0.0.1', allowHosts: [] });
const open = createHostCheck({ host: '0.0.0.0', allowHosts: ['Skills.Example', '2001:db8::1'] });

describe('createHostCheck (H4)', () => {
  test.each(['localhost', 'LOCALHOST:8080', '127.0.0.1', '127.0.0.1:1', '[::1]', '[::1]:65535'])(
    'on loopback %s is ours',
    (header) => {
      expect([local.allows(header), local.allows(header), open.allows(header)]).toEqual([true, true, true]);
    },
  );

  test.each([
    '',
    'evil.example',
    'localhost.evil.example',
    'evil.example:80',
    '127.0.0.1.evil.example',
    '127.0.0.2',
    '192.168.1.5',
    '[::2]',
    '::1',
    'localhost:x',
    'localhost:123456',
    'localhost@evil.example',
    'evil.example@localhost',
    'localhost/',
    'localhost,evil.example',
    'localhost evil',
    'localhost.',
    '[::1',
    '[::1]x',
    '0x7f.1',
    '2130706433',
  ])('on loopback %s is not', (header) => {
    expect(local.allows(header)).toBe(false);
  });

  test('beyond loopback addresses and the given names are ours, other names not', () => {
    expect(
      ['10.0.0.5:80', '[2001:db8::2]', 'skills.example:443', 'SKILLS.example', '[2001:db8::1]'].map(open.allows),
    ).toEqual(Array(5).fill(true));
    expect(['evil.example', 'a.skills.example', 'skills.example.evil', '10.0.0.256'].map(open.allows)).toEqual(
      Array(4).fill(false),
    );
  });

  test('a name that it listens on is ours', () => {
    expect(createHostCheck({ host: 'machine.lan', allowHosts: [] }).allows('machine.lan:80')).toBe(true);
  });
});

describe('isSameOrigin (H4)', () => {
  test.each([
    ['http://localhost:80', 'localhost:80', true],
    ['HTTPS://Skills.Example', 'skills.example', true],
    ['http://[::1]:8080', '[::1]:8080', true],
    ['http://localhost', 'localhost:8080', false],
    ['http://localhost:8081', 'localhost:8080', false],
    ['null', 'null', false],
    ['', '', false],
    ['file://localhost', 'localhost', false],
    ['http://localhost/', 'localhost', false],
    ['http://x@localhost', 'localhost', false],
    ['http://localhost http://evil.example', 'localhost', false],
  ])('%s to %s: %s', (origin, host, same) => {
    expect(isSameOrigin(origin, host)).toBe(same);
  });
});

test.each([
  ['127.0.0.1', true],
  ['127.9.9.9', true],
  ['::1', true],
  ['[::1]', true],
  ['localhost', true],
  ['0.0.0.0', false],
  ['::', false],
  ['127.evil.example', false],
  ['10.0.0.1', false],
])('listening on %s is loopback: %s (H4)', (host, loopback) => {
  expect(isLoopbackHost(host)).toBe(loopback);
});

test('an address of IPv4 within IPv6 is loopback, too (T1)', () => {
  expect(['::ffff:127.0.0.1', '::ffff:10.0.0.1'].map(isLoopbackAddress)).toEqual([true, false]);
});
