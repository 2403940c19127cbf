// One check of passwords, with one count of tries (B4, N6, N7).
import { expect, test } from 'vitest';
import { createPasswordTries } from '../../limits/password-tries.ts';
import { createLocalWindow } from '../../limits/rate-window.ts';
import { StoreUnavailable } from '../../skills/record/invocation-log.ts';
import { createPasswordParts } from './password-check.ts';

test('what cannot be checked while the store is away is no try: who has the password is let in when it is back (N7, B4)', async () => {
  let isAway = true;
  let passwordHash = '';
  const users = {
    findPassword: async () => {
      if (isAway) throw new StoreUnavailable('away');
      return { userId: 'u-1', passwordHash };
    },
  };
  const clock = () => 0;
  const { passwords, check } = createPasswordParts(users, createPasswordTries(createLocalWindow(clock)), clock);
  const { signal } = new AbortController();
  passwordHash = await passwords.hash('correct horse', signal);
  const enter = (password: string) => check('ada@example.org', password, signal);
  for (let tries = 0; tries < 12; tries += 1) await expect(enter('correct horse')).rejects.toThrow(StoreUnavailable);
  isAway = false;
  expect(await enter('correct horse')).toEqual({ userId: 'u-1' });
  for (let tries = 0; tries < 9; tries += 1) expect(await enter('wrong')).toBe('wrong');
  expect(await enter('correct horse')).toEqual({ retryAfter: 60 });
});
