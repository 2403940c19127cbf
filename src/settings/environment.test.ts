// The home directory, also where nobody says which one it is.
import { userInfo } from 'node:os';
import { expect, onTestFinished, test } from 'vitest';
import { readEnvironment } from './environment.ts';

/** A user without an entry in /etc/passwd, as containers have them. */
const UNLISTED = 54_321;

function withHome(home: string | undefined): void {
  const before = process.env.HOME;
  const set = (value: string | undefined) => {
    if (value === undefined) delete process.env.HOME;
    else process.env.HOME = value;
  };
  set(home);
  onTestFinished(() => set(before));
}

test('is what HOME says', () => {
  withHome('/home/of/someone');
  expect(readEnvironment().home).toBe('/home/of/someone');
});

test.each([undefined, ''])('is that of the user where HOME is %j', (home) => {
  withHome(home);
  expect(readEnvironment().home).toBe(userInfo().homedir);
});

test.runIf(process.getuid?.() === 0)('is / where HOME is not set and the user is unknown, as in containers', () => {
  withHome(undefined);
  process.seteuid?.(UNLISTED);
  onTestFinished(() => process.seteuid?.(0));
  expect(readEnvironment().home).toBe('/');
});
