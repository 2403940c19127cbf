import { expect, test } from 'vitest';
import { callerText } from './run-state.ts';

const ID = '4f8d27c7-3fe0-4d69-bccf-9dab4c6bd1bc';

test.each([
  [ID, 'user 4f8d27c7'],
  [`${ID} via Claude`, 'user 4f8d27c7 via Claude'],
  ['night-shift', 'night-shift'],
  ['local', 'local'],
  ['', ''],
  [`${ID}-2`, `${ID}-2`],
])('the caller %j of the log is shown as %j', (name, shown) => {
  expect(callerText(name)).toBe(shown);
});
