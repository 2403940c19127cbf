import { expect, test } from 'vitest';
import { grantWords } from './grant-words.ts';

test.each([
  ['ada@example.org', 'user grant ada@example.org --scope log:read'],
  ['$(id)@example.org', "user grant '$(id)@example.org' --scope log:read"],
  ["o'neil; id #@example.org", "user grant 'o'\\''neil; id #@example.org' --scope log:read"],
  [null, 'user grant EMAIL --scope log:read'],
])('of %j a shell runs nothing when the command is copied (N6)', (email, words) => {
  expect(grantWords({ email }, '--scope log:read')).toBe(words);
});
