// What PostgreSQL does not take is refused as bad input, before a store is asked.
import { expect, test } from 'vitest';
import { getUses } from './activity.ts';
import { revokeAgent } from './agents.ts';
import { listVersions } from './library.ts';
import { withdrawSkill } from './library-decisions.ts';
import { grantPerson, ungrantPerson } from './people.ts';

test.each([
  ['grant_person', grantPerson.input.email],
  ['ungrant_person', ungrantPerson.input.email],
  ['revoke_agent', revokeAgent.input.name],
  ['get_uses', getUses.input.name],
  ['list_versions', listVersions.input.name],
  ['withdraw_skill', withdrawSkill.input.name],
])('%s refuses NUL and halves of characters, and takes other letters (N6, H5, L3)', (_id, shape) => {
  for (const bad of ['a\u0000@example.com', 'a\ud800@example.com']) {
    expect(shape.faultsIn(bad, '')).toMatchObject([{ message: 'must not hold NUL or halves of characters' }]);
  }
  expect(shape.faultsIn('é𝄞@example.com', '')).toEqual([]);
});
