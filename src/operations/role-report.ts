// What roles open: the typed skills that an agent of these roles may invoke, and a sentence for each role that no skill
// names, which is most often a slip of the pen (X10). Pure.
import { agentCaller, EVERY_SKILL, mayInvoke } from '../identity/caller.ts';
import type { RegisteredSkill } from '../skills/define/registered-skill.ts';
import { adviceFor } from '../text/nearest.ts';

export interface RoleReport {
  /** Names of typed skills, in their order. */
  readonly opens: readonly string[];
  readonly warnings: readonly string[];
}

type Skills = readonly Pick<RegisteredSkill, 'name' | 'access'>[];

export function reportRoles(roles: readonly string[], skills: Skills): RoleReport {
  const caller = agentCaller('', roles);
  const named = [...new Set(skills.flatMap(({ access }) => access.assignedTo))];
  const strangers = roles.filter((role) => role !== EVERY_SKILL && !named.includes(role));
  return {
    opens: skills.filter(({ access }) => mayInvoke(caller, access)).map(({ name }) => name),
    warnings: strangers.map((role) => `No typed skill names the role "${role}": ${adviceOn(role, named)}`),
  };
}

const adviceOn = (role: string, named: readonly string[]): string =>
  named.length === 0 ? 'none of them names any' : adviceFor(role, named, 'they name');
