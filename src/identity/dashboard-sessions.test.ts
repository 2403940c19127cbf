// Sessions of the dashboard: what is sealed, who can open it, and for how long (H5).
import { describe, expect, test, vi } from 'vitest';
import { createDashboardSessions, SESSION_SECONDS } from './dashboard-sessions.ts';
import { createAgentToken } from './token.ts';

const SECRET = 's'.repeat(32);
const TOKEN = createAgentToken();
const NOW = Date.UTC(2026, 0, 1);

const sessionsAt = (ms: number, secret = SECRET) => createDashboardSessions({ secret, now: () => new Date(NOW + ms) });
const afterSeconds = (seconds: number) => sessionsAt(seconds * 1_000).unseal(sealed);

const sealed = await sessionsAt(0).seal(TOKEN);

test('a session is known wherever the secret is, also after a restart (H5)', async () => {
  expect(await sessionsAt(0).unseal(sealed)).toEqual({ owner: TOKEN, isOld: false });
  const long = `${'eyJ'.repeat(500)}.a+/=~-_.b`;
  expect((await sessionsAt(0).unseal(await sessionsAt(0).seal(long)))?.owner).toBe(long);
});

test('it shows nothing of its token, and no two are the same (H5)', async () => {
  expect(sealed).toMatch(/^rps_[\w-]+\.\.[\w-]+\.[\w-]+\.[\w-]+$/);
  const text = sealed.split('.').map((part) => Buffer.from(part, 'base64url').toString('latin1'));
  expect(text.join()).not.toContain(TOKEN.slice(4, 12));
  expect(await sessionsAt(0).seal(TOKEN)).not.toBe(sealed);
});

describe('none of ours (H5)', () => {
  test('sealed with another secret', async () => {
    expect(await sessionsAt(0, 't'.repeat(32)).unseal(sealed)).toBeUndefined();
  });

  test('changed in any character, cut short or made longer', async () => {
    for (let at = 0; at < sealed.length; at += 1) {
      const other = sealed[at] === 'A' ? 'B' : 'A';
      expect(await sessionsAt(0).unseal(sealed.slice(0, at) + other + sealed.slice(at + 1))).toBeUndefined();
      expect(await sessionsAt(0).unseal(sealed.slice(0, at))).toBeUndefined();
    }
    for (const more of ['A', '=', ' ', '!']) expect(await sessionsAt(0).unseal(sealed + more)).toBeUndefined();
  });

  test.each([
    ['a token', TOKEN],
    ['a token in its place', `rps_${TOKEN.slice(4)}`],
    ['nothing', ''],
    ['the beginning alone', 'rps_'],
    ['what has the length of one', `rps_${'A'.repeat(sealed.length - 4)}`],
    ['the text that is sealed', `rps_${Buffer.from(`${NOW / 1_000} ${TOKEN}`).toString('base64url')}`],
  ])('%s', async (_what, value) => {
    expect(await sessionsAt(0).unseal(value)).toBeUndefined();
  });
});

test('it ends after a week, and is worth a new one after a day (H5)', async () => {
  expect(SESSION_SECONDS).toBe(7 * 86_400);
  expect(await afterSeconds(86_399)).toEqual({ owner: TOKEN, isOld: false });
  expect(await afterSeconds(86_400)).toEqual({ owner: TOKEN, isOld: true });
  expect(await afterSeconds(SESSION_SECONDS - 1)).toEqual({ owner: TOKEN, isOld: true });
  expect(await afterSeconds(SESSION_SECONDS)).toBeUndefined();
});

test('a clock that is a little behind knows it, one that is far off does not (H5)', async () => {
  expect(await afterSeconds(-60)).toEqual({ owner: TOKEN, isOld: false });
  expect(await afterSeconds(-61)).toBeUndefined();
});

test('one that was opened before is known at once, and expires all the same (H5)', async () => {
  let at = NOW;
  const sessions = createDashboardSessions({ secret: SECRET, now: () => new Date(at) });
  expect(await sessions.unseal(sealed)).toEqual({ owner: TOKEN, isOld: false });
  at += 86_400_000;
  expect(sessions.unseal(sealed)).toEqual({ owner: TOKEN, isOld: true });
  at = NOW + SESSION_SECONDS * 1_000;
  expect(sessions.unseal(sealed)).toBeUndefined();
});

test('an opened one stays in memory for five minutes, and not once it has expired (H5)', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  try {
    let at = NOW;
    const sessions = createDashboardSessions({ secret: SECRET, now: () => new Date(at) });
    await sessions.unseal(sealed);
    vi.advanceTimersByTime(5 * 60_000 - 1);
    expect(sessions.unseal(sealed)).toEqual({ owner: TOKEN, isOld: false });
    vi.advanceTimersByTime(1);
    const again = sessions.unseal(sealed);
    expect(again).toBeInstanceOf(Promise);
    expect(await again).toEqual({ owner: TOKEN, isOld: false });
    at = NOW + SESSION_SECONDS * 1_000;
    expect(sessions.unseal(sealed)).toBeUndefined();
    at = NOW;
    expect(sessions.unseal(sealed)).toBeInstanceOf(Promise);
  } finally {
    vi.useRealTimers();
  }
});

test('a person who signed in is in it by their id, and neither can be read (N6)', async () => {
  const owner = { userId: '550e8400-e29b-41d4-a716-446655440000', at: new Date(NOW) };
  const own = await sessionsAt(0).seal(owner);
  expect(await sessionsAt(1_000).unseal(own)).toEqual({ owner, isOld: false });
  expect(await sessionsAt(SESSION_SECONDS * 1_000).unseal(own)).toBeUndefined();
  expect(Buffer.from(own, 'base64url').toString('latin1')).not.toContain(owner.userId.slice(0, 8));
});
