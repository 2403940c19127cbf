import { expect, test } from 'vitest';
import { operatorTokenFault } from './operator-token.ts';

test('takes what a bearer token may consist of, 32 characters or more (H5)', () => {
  expect(operatorTokenFault('aB9._~+/=-'.repeat(4))).toBeUndefined();
  expect(operatorTokenFault('x'.repeat(32))).toBeUndefined();
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
