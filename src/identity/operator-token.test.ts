// What may serve as the operator's token, and what is said of a text that may not (H5).
import { expect, test } from 'vitest';
import { operatorTokenFault } from './operator-token.ts';

test('takes what a bearer token may consist of, 32 characters or more (H5)', () => {
  expect(operatorTokenFault('aB9._~+/=-'.repeat(4))).toBeUndefined();
  expect(operatorTokenFault('x'.repeat(32))).toBeUndefined();
  expect(operatorTokenFault('x'.repeat(4_096))).toBeUndefined();
});

test.each([
  ['', 'it is empty'],
  ['x'.repeat(31), 'it has fewer than 32 characters'],
  [`${'x'.repeat(31)} `, 'it has other characters than'],
  [`${'x'.repeat(32)}\n`, 'it has other characters than'],
  [`${'x'.repeat(32)};`, 'it has other characters than'],
])('says what is wrong with %j (H5)', (text, fault) => {
  expect(operatorTokenFault(text)).toContain(fault);
});

test('says that a token is too long, whatever it consists of (H5)', () => {
  expect(operatorTokenFault('x'.repeat(4_097))).toBe('it has more than 4096 characters');
});
