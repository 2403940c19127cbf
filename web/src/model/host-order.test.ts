// Which hosts are offered first.
import { expect, test } from 'vitest';
import { orderHosts } from './host-order.ts';
import type { Host } from './shapes.ts';

const hostOf = (id: string, is_found: boolean | null): Host => ({
  ...{ id, title: id, client_names: [], is_found, file: null, format: 'json' },
  ...{ http: null, program: { command: null, entry: '' }, token_variable: null, needs: null, next: '' },
});

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];

const hosts = (found: readonly string[]): readonly Host[] => [
  ...NAMES.map((id) => hostOf(id, found.includes(id))),
  hostOf('other', null),
];

const ids = (given: readonly Host[]) => given.map(({ id }) => id).join(' ');

test('hosts of this machine are offered first, and one stands for those that are not known (U1)', () => {
  const { first, further, areFound } = orderHosts(hosts(['b', 'f']), undefined);
  expect([ids(first), ids(further), areFound]).toEqual(['b f other', 'a c d e g', true]);
});

test('the best known ones are offered where none was found (U1)', () => {
  const { first, further, areFound } = orderHosts(hosts([]), undefined);
  expect([ids(first), ids(further), areFound]).toEqual(['a b c d e other', 'f g', false]);
});

test('the one that the address names is among the first (U1)', () => {
  expect(ids(orderHosts(hosts(['b']), 'g').first)).toBe('b g other');
});
