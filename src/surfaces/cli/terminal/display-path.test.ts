// Paths as a person in the working directory or the home directory would write them.
import { expect, test } from 'vitest';
import { toDisplayPath } from './display-path.ts';

test.each([
  ['/home/me/work/a/SKILL.md', 'a/SKILL.md'],
  ['/home/me/work', '.'],
  ['/home/me/work-other/x', '~/work-other/x'],
  ['/home/me/work/..hidden', '..hidden'],
  ['/etc/x', '/etc/x'],
  ['/home/meow', '/home/meow'],
])('toDisplayPath() writes %s as %s', (path, expected) => {
  expect(toDisplayPath(path, { workingDirectory: '/home/me/work', home: '/home/me' })).toBe(expected);
});
