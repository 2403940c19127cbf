// What a caller sent is shown without credentials, and everything else as it was sent (T9).
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { echoText } from './list-text.ts';

// Put together here, so that no scanner takes this file for a leak.
const tail = 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8';

describe('echoText()', () => {
  test.each([
    [`skill://git/SKILL.md?token=ghp_${tail}`, 'skill://git/SKILL.md?token=[redacted]'],
    [`skill://git/SKILL.md#ghp_${tail}`, 'skill://git/SKILL.md#[redacted]'],
    [`https://user:ghp_${tail}@h/x`, 'https://user:[redacted]@h/x'],
    ['HTTPS://user:hunter2@h/x', 'HTTPS://user:[redacted]@h/x'],
    ['skill://a/b?x=1&api_key=hunter2&y=2', 'skill://a/b?x=1&api_key=[redacted]&y=2'],
    ['skill://a/b?Access-Token=hunter2#c', 'skill://a/b?Access-Token=[redacted]#c'],
    [`/skill%3A%2F%2Fgit%3Ftoken%3Dghp_${tail}`, '/skill://git?token=[redacted]'],
    [`/ghp%255F${tail}`, '/[redacted]'],
    [`/x%E2%80%8Bghp_${tail}`, '/x[redacted]'],
    [`rpa_${tail}`, '[redacted]'],
    [`rpo_${tail}`, '[redacted]'],
    [`sk-${'abcdefgh'.repeat(4)}`, '[redacted]'],
    [`ghp_${tail.slice(0, 10)}\u200b${tail.slice(10)}`, '[redacted]'],
    [`${'x'.repeat(190)} ghp_${tail}`, `${'x'.repeat(190)} [redacte…`],
    [`Basic ${Buffer.from('user:hunter2').toString('base64')}`, '[redacted]'],
  ])('%j becomes %j (T9)', (text, shown) => {
    expect(echoText(text, 200)).toBe(shown);
  });

  test.each([
    'sql-review',
    'skill://my%20skills/a%2Fb/SKILL.md',
    'Basic instructions for the bearer of news',
    'sk-learn-for-absolute-beginners',
    'risk-assessment-agent',
    'assets/aGVsbG8gd29ybGQgaGVsbG8gd29ybGQ.bin',
    'skill://acme/billing/SKILL.md?limit=5&cursor=abc',
    'max_tokens=512&token_count=3',
    `sha256:${'0123456789abcdef'.repeat(4)}`,
    '550e8400-e29b-41d4-a716-446655440000',
  ])('%j stays (T9)', (text) => {
    expect(echoText(text, 200)).toBe(text);
  });

  test('names, ids, digests and paths of base64 letters stay (T9)', () => {
    const word = fc
      .stringMatching(/^[a-z][a-z0-9]{0,11}$/)
      .filter((each) => !/^(sk|rk|pk|rp[oas]|gh[opsur]|xox.)$/.test(each));
    const name = fc.array(word, { minLength: 1, maxLength: 5 }).map((words) => words.join('-'));
    const hex = fc.stringMatching(/^[0-9a-f]{64}$/);
    const base64 = fc.uint8Array({ minLength: 8, maxLength: 60 }).map((bytes) => Buffer.from(bytes).toString('hex'));
    fc.assert(
      fc.property(fc.oneof(name, hex, fc.uuid(), base64), (text) => {
        expect(echoText(text, 1_000)).toBe(text);
      }),
    );
  });
});
