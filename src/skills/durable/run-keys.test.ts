import { expect, test } from 'vitest';
import { agentCaller } from '../../identity/caller.ts';
import { canonicalJson, createHashKey, keyFault } from './run-keys.ts';

const hashKey = createHashKey(async () => 'one secret');
const given = { key: 'k', skill: 'charge', caller: agentCaller('a'), input: { b: 1, a: [{ y: 1, x: 2 }] } };

test('the same input in another order of keys is the same (J3)', async () => {
  const other = { ...given, input: { a: [{ x: 2, y: 1 }], b: 1 } };
  expect(await hashKey(other)).toEqual(await hashKey(given));
});

test.each([
  ['input', { input: { b: 2 } }, false],
  ['key', { key: 'K' }, true],
  ['skill', { skill: 'refund' }, true],
  ['caller', { caller: agentCaller('b') }, true],
])('another %s is something else (J3)', async (_what, change, isOtherKey) => {
  const [one, other] = [await hashKey(given), await hashKey({ ...given, ...change })];
  expect(other.inputHash).not.toBe(one.inputHash);
  expect(other.keyHash !== one.keyHash).toBe(isOtherKey);
});

test('hashes of another installation are others (J3)', async () => {
  expect(await createHashKey(async () => 'another')(given)).not.toEqual(await hashKey(given));
});

test('JSON that differs has another text', () => {
  const texts = [{}, [], null, '', 0, { a: null }, { a: [1, 2] }, { a: [2, 1] }, { __proto__: null, a: 1 }];
  expect(new Set(texts.map(canonicalJson)).size).toBe(texts.length);
});

test.each([
  ['', true],
  ['a', false],
  ['a b', true],
  ['é', true],
  ['x'.repeat(255), false],
  ['x'.repeat(256), true],
  ['a\n', true],
])('a key has 1 to 255 visible characters: %j (J3)', (key, isBad) => {
  expect(keyFault(key) !== undefined).toBe(isBad);
});
