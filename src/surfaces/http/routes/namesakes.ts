// The other skills of one name: those that a skill keeps from being found by it, and the one that keeps it (D5). Pure.
import { join } from 'node:path';
import type { z } from 'zod';
import type { Problem, Skill } from '../../../catalog/view/skill.ts';
import type { Snapshot } from '../../../catalog/view/snapshot.ts';
import { listText } from '../../../text/list-text.ts';
import type { HidePaths } from '../../answers/hide-paths.ts';
import type * as contract from '../contract/documents.ts';

type Namesake = z.output<typeof contract.namesake>;

interface Shadows {
  readonly shadows: Namesake[];
  readonly shadowed_by: Namesake | null;
}

export function shadowsOf(skill: Skill, snapshot: Snapshot, hide: HidePaths): Shadows {
  const named = snapshot.findByName(skill.key);
  const isNamed = named === skill;
  const others = isNamed ? snapshot.skills.filter((other) => other.key === skill.key && other !== skill) : [];
  return {
    shadows: [
      ...others.map((other) => servedJson(other, hide)),
      ...copiesOf(skill, snapshot).map((copy) => copyJson(copy, hide)),
    ],
    shadowed_by: isNamed || named === undefined ? null : servedJson(named, hide),
  };
}

/** At the same path in later roots. They are not served, so that only their problem tells of them. */
const copiesOf = ({ segments, baseDirectory }: Skill, { problems }: Snapshot): readonly Problem[] => {
  const folder = segments.join('/');
  return problems.filter(
    ({ rule, path, rootPath }) =>
      rule === 'shadowed' && folderOf(path) === folder && join(rootPath, folder) !== baseDirectory,
  );
};

const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

const servedJson = ({ uri, segments, fileName, source }: Skill, hide: HidePaths): Namesake => ({
  uri,
  path: listText([...segments, fileName].join('/'), 300),
  source: hide(source),
});

const copyJson = ({ path, source }: Problem, hide: HidePaths): Namesake => ({
  uri: null,
  path: listText(path, 300),
  source: hide(source),
});
