// What a caller is told to be allowed is what they are allowed (H5, X5).
import { expect, test } from 'vitest';
import { agentCaller, LOCAL_OPERATOR, userCaller } from '../../../identity/caller.ts';
import { permissionsOf } from './session.ts';

const SKILLS = [
  { name: 'for_all', access: { assignedTo: [], userField: undefined } },
  { name: 'for_planner', access: { assignedTo: ['Planner'], userField: undefined } },
  { name: 'for_users', access: { assignedTo: ['Planner'], userField: 'user_id' } },
];

test.each([
  [LOCAL_OPERATOR, ['for_all', 'for_planner', 'for_users'], true, true],
  [agentCaller('Planner'), ['for_all', 'for_planner', 'for_users'], false, false],
  [agentCaller('night', ['Other'], ['log:read']), ['for_all'], true, false],
  [userCaller('u-1'), ['for_users'], false, false],
])('%j may invoke %j (H5)', (caller, mayInvoke, mayReadLog, isOperator) => {
  expect(permissionsOf(caller, SKILLS)).toEqual({
    may_read_log: mayReadLog,
    may_invoke: mayInvoke,
    is_operator: isOperator,
  });
});
