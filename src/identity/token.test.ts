// The tokens that we make cannot be guessed, and only their digest is kept (H5).
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { AGENT_TOKEN, createAgentToken, createOperatorToken, digestOf, operatorTokenFault } from './token.ts';

test('tokens have their prefix, 256 random bits, and never come twice (H5)', () => {
  expect(createOperatorToken()).toMatch(/^rpo_[\w-]{43}$/);
  expect(createAgentToken()).toMatch(AGENT_TOKEN);
  expect(new Set(Array.from({ length: 1_000 }, createAgentToken)).size).toBe(1_000);
});

test('of a token SHA-256 is kept (H5)', () => {
  expect(digestOf('rpa_x')).toBe(createHash('sha256').update('rpa_x').digest('hex'));
});

test('an operator may choose what a bearer token may consist of, 32 characters or more (H5)', () => {
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
])("says what is wrong with %j as an operator's token (H5)", (text, fault) => {
  expect(operatorTokenFault(text)).toContain(fault);
});

test("says that an operator's token is too long, whatever it consists of (H5)", () => {
  expect(operatorTokenFault('x'.repeat(4_097))).toBe('it has more than 4096 characters');
});
