import { expect, test } from 'vitest';
import { findVariableFolder } from './folder-variable.ts';

test.each([
  ['/abs/x/', '/abs/x'],
  [' /abs ', '/abs'],
  ['~/x', '/home/me/x'],
  ['~', '/home/me'],
  ['x/y', undefined],
  ['./x', undefined],
  ['~other/x', undefined],
  ['  ', undefined],
  ['', undefined],
  [undefined, undefined],
])('findVariableFolder() takes %j for %j (D1)', (value, folder) => {
  expect(findVariableFolder('V', { home: '/home/me', variables: { V: value } })).toBe(folder);
});
