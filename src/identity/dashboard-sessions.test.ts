// Sessions of the dashboard: what is sealed, who can open it, and for how long (H5).
import { describe, expect, test } from 'vitest';
import { createDashboardSessions, SESSION_SECONDS } from './dashboard-sessions.ts';
import { createAgentToken } from './token.ts';

const SECRET = 's'.repeat(32);
const TOKEN = createAgentToken();
const NOW = Date.UTC(2026, 0, 1);

const sessionsAt = (ms: number, secret = SECRET) => createDashboardSessions({ secret, now: () => new Date(NOW + ms) });
const afterSeconds = (seconds: number) => sessionsAt(seconds * 1_000).unseal(sealed);

const sealed = sessionsAt(0).seal(TOKEN);

test('a session is known wherever the secret is, also after a restart (H5)', () => {
  expect(sessionsAt(0).unseal(sealed)).toEqual({ token: TOKEN, isOld: false });
  const long = `${'eyJ'.repeat(500)}.a+/=~-_.b`;
  expect(sessionsAt(0).unseal(sessionsAt(0).seal(long))?.token).toBe(long);
});

test('it shows nothing of its token, and no two are the same (H5)', () => {
  expect(sealed).toMatch(/^rps_[\w-]+$/);
  const text = Buffer.from(sealed.slice(4), 'base64url').toString('latin1');
  expect(text).not.toContain(TOKEN.slice(4, 12));
  expect(sessionsAt(0).seal(TOKEN)).not.toBe(sealed);
});

describe('none of ours (H5)', () => {
  test('sealed with another secret', () => {
    expect(sessionsAt(0, 't'.repeat(32)).unseal(sealed)).toBeUndefined();
  });

  test('changed in any character, cut short or made longer', () => {
    for (let at = 0; at < sealed.length; at += 1) {
      const other = sealed[at] === 'A' ? 'B' : 'A';
      expect(sessionsAt(0).unseal(sealed.slice(0, at) + other + sealed.slice(at + 1))).toBeUndefined();
      expect(sessionsAt(0).unseal(sealed.slice(0, at))).toBeUndefined();
    }
    for (const more of ['A', '=', ' ', '!']) expect(sessionsAt(0).unseal(sealed + more)).toBeUndefined();
  });

  test.each([
    ['a token', TOKEN],
    ['a token in its place', `rps_${TOKEN.slice(4)}`],
    ['nothing', ''],
    ['the beginning alone', 'rps_'],
    ['what has the length of one', `rps_${'A'.repeat(sealed.length - 4)}`],
    ['the text that is sealed', `rps_${Buffer.from(`${NOW / 1_000} ${TOKEN}`).toString('base64url')}`],
  ])('%s', (_what, value) => {
    expect(sessionsAt(0).unseal(value)).toBeUndefined();
  });
});

test('it ends after a week, and is worth a new one after a day (H5)', () => {
  expect(SESSION_SECONDS).toBe(7 * 86_400);
  expect(afterSeconds(86_399)).toEqual({ token: TOKEN, isOld: false });
  expect(afterSeconds(86_400)).toEqual({ token: TOKEN, isOld: true });
  expect(afterSeconds(SESSION_SECONDS - 1)).toEqual({ token: TOKEN, isOld: true });
  expect(afterSeconds(SESSION_SECONDS)).toBeUndefined();
});

test('a clock that is a little behind knows it, one that is far off does not (H5)', () => {
  expect(afterSeconds(-60)).toEqual({ token: TOKEN, isOld: false });
  expect(afterSeconds(-61)).toBeUndefined();
});
