// Where a goal falls apart, and where it does not (B4).
import { expect, test } from 'vitest';
import { goalParts } from './goal-parts.ts';

test.each([
  ['Move to Graz', ['Move to Graz']],
  ['Write the release notes, then tell the customers', ['Write the release notes', 'tell the customers']],
  ['write the notes and review the query', ['write the notes', 'review the query']],
  ['Find a flat. Pack the books.\nCall the bank!', ['Find a flat', 'Pack the books', 'Call the bank']],
  ['buy salt and pepper', ['buy salt and pepper']],
  ['ship 2.0 today', ['ship 2.0 today']],
  ['- paint the wall\n- hang the lamp', ['- paint the wall', '- hang the lamp']],
  ['???', ['???']],
])('%j (B4)', (goal, parts) => {
  expect(goalParts(goal)).toEqual(parts);
});

test('a text of nothing but marks is read at once', () => {
  for (const mark of ['.', '. ', ',', ', ', ';', ' and ', '\n'])
    expect(goalParts(mark.repeat(10_000)).length).toBeLessThanOrEqual(6);
});

test('there are never more than six', () => {
  expect(goalParts('do this thing. '.repeat(50))).toHaveLength(6);
});
