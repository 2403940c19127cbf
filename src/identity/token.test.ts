// The tokens that we make cannot be guessed, and only their digest is kept (H5).
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { AGENT_TOKEN, createAgentToken, createOperatorToken, digestOf } from './token.ts';

test('tokens have their prefix, 256 random bits, and never come twice (H5)', () => {
  expect(createOperatorToken()).toMatch(/^rpo_[\w-]{43}$/);
  expect(createAgentToken()).toMatch(AGENT_TOKEN);
  expect(new Set(Array.from({ length: 1_000 }, createAgentToken)).size).toBe(1_000);
});

test('of a token SHA-256 is kept (H5)', () => {
  expect(digestOf('rpa_x')).toBe(createHash('sha256').update('rpa_x').digest('hex'));
});
