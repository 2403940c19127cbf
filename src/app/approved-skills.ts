// What the operator's settings make of definitions: those that must be approved, and those that cannot be kept where nothing is recorded.
import type { UserConfig } from '../settings/user-config.ts';
import type { AnySkill } from '../skills/define/define-skill.ts';
import { type DefinitionProblem, problemOf } from '../skills/define/definition-problems.ts';

/** The operator's file may hold anything: what is no skill is refused when it is registered. */
type Unchecked = Partial<AnySkill> | null | undefined;

/** Those that say of themselves that they destroy wait for a person, if the operator wants it so (J8). */
export function withApproval(
  skills: readonly AnySkill[],
  approvalFor: UserConfig['approvalFor'] = [],
): readonly AnySkill[] {
  if (!approvalFor.includes('destructive')) return skills;
  return skills.map((skill: Unchecked) =>
    skill?.annotations?.destructive === true ? requiringApproval(skill as AnySkill) : (skill as AnySkill),
  );
}

/** A copy with the same prototype: `run` may use `this`. */
const requiringApproval = (skill: AnySkill): AnySkill =>
  Object.create(Object.getPrototypeOf(skill), {
    ...Object.getOwnPropertyDescriptors(skill),
    approval: { value: 'required', enumerable: true },
  }) as AnySkill; // true: every property is the skill's own, but for one

export interface Keepable {
  readonly skills: readonly AnySkill[];
  readonly problems: readonly DefinitionProblem[];
}

/** A run that must survive is a row of the log: without one the skill is refused (X7). One that resumes is an ordinary call there. */
export function withoutDurable(skills: readonly AnySkill[]): Keepable {
  const needsLog = ({ durable, approval }: Partial<AnySkill>) =>
    approval !== undefined || (durable !== undefined && durable.resumes !== true);
  const isRefused = (skill: Unchecked) => typeof skill === 'object' && skill !== null && needsLog(skill);
  return {
    skills: skills.filter((skill) => !isRefused(skill)),
    problems: skills.filter(isRefused).map((skill) => {
      const field = skill.approval === undefined ? 'durable' : 'approval';
      const what = 'needs the log, in which its runs survive, but nothing is recorded (--no-log)';
      return problemOf(skill, [field, what, `Start without --no-log, or leave ${field} out.`]);
    }),
  };
}
