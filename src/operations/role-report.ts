// What roles open: the typed skills that a caller of these roles may invoke, and a sentence for each role that neither a typed
// skill nor a limit of document skills names, which is most often a slip of the pen (X10, N4). Pure.
import { isAgentName } from '../identity/agents.ts';
import { type Caller, EVERY_SKILL, mayInvoke } from '../identity/caller.ts';
import type { RegisteredSkill } from '../skills/define/registered-skill.ts';
import { adviceFor } from '../text/nearest.ts';

export interface RoleReport {
  /** Names of typed skills, in their order. */
  readonly opens: readonly string[];
  readonly warnings: readonly string[];
}

type Skills = readonly Pick<RegisteredSkill, 'name' | 'access'>[];

/** Which skills name which roles. */
export interface NamedRoles {
  readonly runtime: { readonly skills: Skills };
  /** Roles that document skills are limited to (N4). */
  readonly documentRoles?: readonly string[];
}

export function reportRoles(caller: Caller, { runtime: { skills }, documentRoles = [] }: NamedRoles): RoleReport {
  const { roles } = caller;
  const named = [...new Set([...skills.flatMap(({ access }) => access.assignedTo), ...documentRoles])];
  const strangers = roles.filter((role) => role !== EVERY_SKILL && !named.includes(role));
  const subject = documentRoles.length === 0 ? 'No typed skill' : 'No skill';
  return {
    opens: skills.filter(({ access }) => mayInvoke(caller, access)).map(({ name }) => name),
    warnings: strangers.map((role) => `${subject} names the role "${role}": ${adviceOn(role, named)}`),
  };
}

const BAD_ROLE =
  'must have 1 to 64 letters, digits, _ - or .: a role is a name that skills are assigned to, or * for every typed skill';

/** Ends the sentence "Cannot …: "; `undefined` when a role may be called so. */
export const roleFault = (role: string): string | undefined =>
  role === EVERY_SKILL || isAgentName(role) ? undefined : BAD_ROLE;

const adviceOn = (role: string, named: readonly string[]): string =>
  named.length === 0 ? 'none of them names any' : adviceFor(role, named, 'they name');
