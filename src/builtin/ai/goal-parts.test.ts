// Where a goal falls apart, in which order, and where it does not (B4).
import { expect, test } from 'vitest';
import { goalParts } from './goal-parts.ts';

const textsOf = (goal: string) => goalParts(goal).map(({ text }) => text);

test.each([
  ['Move to Graz', ['Move to Graz']],
  ['Write the release notes, then tell the customers', ['Write the release notes', 'tell the customers']],
  ['write the notes and review the query', ['write the notes', 'review the query']],
  ['Find a flat. Pack the books.\nCall the bank!', ['Find a flat', 'Pack the books', 'Call the bank']],
  ['buy salt and pepper', ['buy salt and pepper']],
  ['buy salt and pepper, then cook the soup', ['buy salt and pepper', 'cook the soup']],
  ['now and then look at the logs', ['now and then look at the logs']],
  ['ship 2.0 today', ['ship 2.0 today']],
  ['- paint the wall\n- hang the lamp', ['- paint the wall', '- hang the lamp']],
  ['1. paint the wall\n2. hang the lamp', ['paint the wall', 'hang the lamp']],
  ['???', ['???']],
])('%j (B4)', (goal, parts) => {
  expect(textsOf(goal)).toEqual(parts);
});

test.each([
  ['write the notes, then tell the customers', [[], [0]]],
  ['write the notes and then tell the customers', [[], [0]]],
  ['write the notes, then tell the customers, and finally close the ticket', [[], [0], [1]]],
  ['write the notes and update the site, then tell the customers', [[], [], [0, 1]]],
  ['write the notes, then tell the customers and update the site', [[], [0], [0]]],
  ['write the notes; then tell the customers', [[], [0]]],
  ['Write the notes. Then tell the customers. Finally close the ticket.', [[], [0], [1]]],
  ['Pack the books. Call the bank. Then move the boxes.', [[], [], [0, 1]]],
  ['Write the notes, then tell the customers. Call the bank.', [[], [0], []]],
  ['1. paint the wall\n2. hang the lamp and move the chair\n\n3) call the painter', [[], [0], [0], [1, 2]]],
  ['Paint the wall.\n1. hang the lamp\n- call the bank', [[], [], []]],
  ['- paint the wall\n- hang the lamp', [[], []]],
  ['write the notes and review the query', [[], []]],
])('%j puts in order what it says is in order (B4)', (goal, after) => {
  expect(goalParts(goal).map((part) => part.after)).toEqual(after);
});

test('a text of nothing but marks is read at once', () => {
  for (const mark of ['.', '. ', ',', ', ', ';', ' and ', ' then ', ', and then ', '1. ', '\n'])
    expect(goalParts(mark.repeat(10_000)).length).toBeLessThanOrEqual(6);
});

test('there are never more than six', () => {
  expect(goalParts('do this thing. '.repeat(50))).toHaveLength(6);
});
