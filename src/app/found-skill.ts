// What a search found, as the built-in skills that plan know it.
import type { FoundSkill } from '../builtin/ports/find-skills.ts';
import { bodyOf, type SkillHit } from '../repertoire/skill-search.ts';

/** A document comes with its text, which few ask for. */
export const toFoundSkill = ({ skill, ...hit }: SkillHit): FoundSkill => ({
  ...hit,
  text: skill && (() => bodyOf(skill)),
});
