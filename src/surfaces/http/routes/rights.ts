// What a caller may do, as `/api/me` tells it: pages offer that and nothing else. Who may is decided in caller.ts (H5).

import { type Caller, mayReadLog, refusalOf } from '../../../identity/caller.ts';
import type { RegisteredSkill } from '../../../skills/define/registered-skill.ts';

type Skills = readonly Pick<RegisteredSkill, 'name' | 'access'>[];

export const rightsOf = (caller: Caller, skills: Skills) => ({
  may_read_log: mayReadLog(caller),
  may_invoke: skills.filter((skill) => mayInvoke(caller, skill)).map(({ name }) => name),
  is_operator: caller.kind === 'operator',
});

/** With the best input they could send: a user names themselves. */
function mayInvoke(caller: Caller, { access }: Skills[number]): boolean {
  const input = access.userField === undefined ? {} : { [access.userField]: caller.name };
  return refusalOf(caller, access, input) === undefined;
}
