// How often each skill was used lately, and when last: documents by their reads, typed skills by their runs. Pure.
import type { UseList } from './shapes.ts';
import type { SkillRow } from './skill-rows.ts';

export interface SkillUse {
  readonly count: number;
  readonly lastAt: string | undefined;
}

export interface UsesByName {
  /** `undefined`: not used, or not known yet. A document and a typed skill may have the same name. */
  readonly find: (row: Pick<SkillRow, 'kind' | 'name'>) => SkillUse | undefined;
}

export function usesByName(list: UseList | undefined): UsesByName {
  const byName = new Map((list?.skills ?? []).map((skill) => [skill.skill_name, skill]));
  return {
    find: ({ kind, name }) => {
      const found = byName.get(name);
      if (found === undefined) return undefined;
      return kind === 'document'
        ? { count: found.reads, lastAt: found.last_read_at ?? undefined }
        : { count: found.runs, lastAt: found.last_run_at ?? undefined };
    },
  };
}
