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
  [LOCAL_OPERATOR, ['for_all', 'for_planner', 'for_users'], true, true, true],
  [agentCaller('Planner'), ['for_all', 'for_planner', 'for_users'], false, false, false],
  [agentCaller('night', ['Other'], ['log:read']), ['for_all'], true, false, false],
  [agentCaller('board', ['Other'], ['skills:approve']), ['for_all'], false, true, false],
  [agentCaller('judge', ['Other'], ['runs:approve']), ['for_all'], false, false, false],
  [userCaller('u-1'), ['for_users'], false, false, false],
  [userCaller('u-2', ['Planner'], ['log:read']), ['for_planner', 'for_users'], true, false, false],
  [userCaller('u-3', ['*'], ['skills:approve']), ['for_all', 'for_planner', 'for_users'], false, true, false],
])('%j may invoke %j (H5, N6)', (caller, mayInvoke, mayReadLog, mayReadTrail, isOperator) => {
  expect(permissionsOf(caller, SKILLS)).toEqual({
    may_read_log: mayReadLog,
    may_read_trail: mayReadTrail,
    may_decide_runs: caller.kind === 'operator' || caller.scopes.includes('runs:approve'),
    may_invoke: mayInvoke,
    is_operator: isOperator,
  });
});
