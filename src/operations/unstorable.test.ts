// What PostgreSQL does not take is refused as bad input, before a store is asked.
import { expect, test } from 'vitest';
import { revokeAgent } from './agents.ts';
import { grantPerson, ungrantPerson } from './people.ts';

test.each([
  ['grant_person', grantPerson.input.email],
  ['ungrant_person', ungrantPerson.input.email],
  ['revoke_agent', revokeAgent.input.name],
])('%s refuses NUL and halves of characters, and takes other letters (N6, H5)', (_id, shape) => {
  for (const bad of ['a\u0000@example.com', 'a\ud800@example.com']) {
    expect(shape.faultsIn(bad, '')).toMatchObject([{ message: 'must not hold NUL or halves of characters' }]);
  }
  expect(shape.faultsIn('é𝄞@example.com', '')).toEqual([]);
});
