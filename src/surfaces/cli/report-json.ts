// The shapes that several commands print with --json, so that they are the same everywhere. snake_case, as on every surface.
import type { RootStatus } from '../../catalog/catalog.ts';
import type { Problem, Skill } from '../../catalog/view/skill.ts';
import type { SkillEntry } from '../../operations/list-skills.ts';

/** The fields that list_skills answers (T2), uncut. */
export const skillJson = ({ name, description, uri, source, availability }: Skill): SkillEntry => ({
  name,
  description,
  uri,
  source,
  availability,
});

/** As `by_folder` of list_skills (T2), and where it is. */
export const unnamedJson = ({ name, description, uri, source }: Skill) => ({
  skill_name: name,
  description,
  uri,
  source,
});

/** T2's fields first; the rest is for people who look after the machine. */
export const problemJson = ({ path, rule, message, fix, severity, source, line }: Problem) => ({
  path,
  rule,
  message,
  fix,
  severity,
  source,
  line: line ?? null,
});

export const rootJson = ({ root, state, skills, watching }: RootStatus) => ({
  label: root.label,
  path: root.path,
  state,
  skills,
  watching,
});

export type RootJson = ReturnType<typeof rootJson>;
