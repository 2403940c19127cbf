// The key that users' tokens are signed with: given, shared through the store, or of this process alone (B2).
import { describe, expect, test, vi } from 'vitest';
import { createMemorySecretStore } from '../store/fixtures/memory-identities.ts';
import { StoreUnavailable } from '../values/store-unavailable.ts';
import { createUserTokens, type SecretStore, type UserTokenParts } from './user-tokens.ts';

const CLAIMS = { userId: '550e8400-e29b-41d4-a716-446655440000', email: 'ada@example.org', scopes: [] };
const NOW = new Date('2026-11-15T12:00:00Z');

function tokensOf(parts: Partial<UserTokenParts> = {}) {
  const created = createUserTokens({ signingSecret: undefined, secrets: undefined, now: () => NOW, ...parts });
  if (!created.ok) throw new Error(created.failure);
  return created.value;
}

test.each([
  ['short', 'x'.repeat(31)],
  ['empty', ''],
])('a secret that is %s is refused with a sentence (B2)', (_what, signingSecret) => {
  expect(createUserTokens({ signingSecret, secrets: undefined, now: () => NOW })).toEqual({
    ok: false,
    failure: 'Cannot sign tokens: REPERTOIRE_SECRET has fewer than 32 bytes; set it to 32 or more random ones',
  });
});

test('bytes are counted, not characters (B2)', () => {
  expect(createUserTokens({ signingSecret: 'ü'.repeat(16), secrets: undefined, now: () => NOW }).ok).toBe(true);
});

describe('the key', () => {
  const isTaken = async (token: string, by: ReturnType<typeof tokensOf>) => (await by.verify(token)).ok;

  test('is the secret that was given, and the store is not asked (B2)', async () => {
    const secrets = { getOrAdd: vi.fn<SecretStore['getOrAdd']>() };
    const [one, other] = [
      tokensOf({ signingSecret: 's'.repeat(32), secrets }),
      tokensOf({ signingSecret: 's'.repeat(32) }),
    ];
    const { token } = await one.issue(CLAIMS, 300);
    expect(await isTaken(token, other)).toBe(true);
    expect(await isTaken(token, tokensOf({ signingSecret: 't'.repeat(32) }))).toBe(false);
    expect(secrets.getOrAdd).not.toHaveBeenCalled();
  });

  test('is made once and shared through the store (B2)', async () => {
    const secrets = createMemorySecretStore();
    const { token } = await tokensOf({ secrets }).issue(CLAIMS, 300);
    expect(await isTaken(token, tokensOf({ secrets }))).toBe(true);
    expect(await isTaken(token, tokensOf({ secrets: createMemorySecretStore() }))).toBe(false);
  });

  test('lives in the process alone where there is no store (B2)', async () => {
    const tokens = tokensOf();
    const { token } = await tokens.issue(CLAIMS, 300);
    expect(await isTaken(token, tokens)).toBe(true);
    expect(await isTaken(token, tokensOf())).toBe(false);
  });

  test('is asked for by the first token that could be one, once, and again after a failure (F1)', async () => {
    const getOrAdd = vi
      .fn<SecretStore['getOrAdd']>()
      .mockRejectedValueOnce(new StoreUnavailable('away'))
      .mockResolvedValue('k'.repeat(43));
    const tokens = tokensOf({ secrets: { getOrAdd } });
    for (const garbage of ['nonsense', 'a.b.c']) {
      expect(await tokens.verify(garbage)).toEqual({ ok: false, failure: 'bad' });
    }
    expect(getOrAdd).not.toHaveBeenCalled();
    const shaped = `a.b.${'c'.repeat(43)}`;
    expect(await tokens.verify(shaped)).toEqual({ ok: false, failure: 'unavailable' });
    const answers = await Promise.all([shaped, shaped].map((token) => tokens.verify(token)));
    expect(answers).toEqual([
      { ok: false, failure: 'bad' },
      { ok: false, failure: 'bad' },
    ]);
    expect(getOrAdd).toHaveBeenCalledTimes(2);
  });

  test('that cannot be had keeps tokens from being issued (F1)', async () => {
    const tokens = tokensOf({ secrets: { getOrAdd: () => Promise.reject(new StoreUnavailable('away')) } });
    await expect(tokens.issue(CLAIMS, 300)).rejects.toThrow('away');
  });
});
