// Which token is shown for which host.
import { expect, test } from 'vitest';
import { createFreshTokens } from './fresh-tokens.ts';

test('each host keeps the token that was made for it, and one that was made for any goes along (U1)', () => {
  const tokens = createFreshTokens();
  tokens.keep({ agent: 'codex', token: 'a', host: 'codex', access: undefined });
  tokens.keep({ agent: 'Reader', token: 'b', host: undefined, access: undefined });
  expect(tokens.agentFor('codex', undefined)).toBe('codex');
  expect(tokens.agentFor('cursor', 'codex')).toBeUndefined();
  expect(tokens.agentFor('cursor', 'Reader')).toBe('Reader');
  // Of an earlier page: its token is not known any more.
  expect(tokens.agentFor('cursor', 'earlier')).toBeUndefined();
  tokens.forget('Reader');
  expect([tokens.find('Reader'), tokens.agentFor('cursor', 'Reader')]).toEqual([undefined, undefined]);
});
