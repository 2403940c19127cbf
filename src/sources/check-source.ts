// Whether what is kept of a source is what its lock says: file by file, every byte; and the lock what was fetched, line by line (S4).
import { toOneLine } from '../text/one-line.ts';
import { type ContentPlace, checkSkill, type Difference } from './content.ts';
import { findChangedLines, type LineDifference } from './fetched-entries.ts';
import type { LockedSkill, LockedSource } from './lock.ts';

/** `ready`: all of it is here and as it must be. `missing`: some of it is not here. `changed`: some of it is not what it must be. */
export type SourceState = 'ready' | 'missing' | 'changed';

interface SkillDifference extends Difference {
  readonly skill: LockedSkill;
}

export interface CheckedSource {
  readonly state: SourceState;
  readonly differences: readonly SourceDifference[];
}

/** Of what is kept, or of a line of the lock. */
export type SourceDifference = SkillDifference | LineDifference;

export async function checkSource(source: LockedSource, content: ContentPlace): Promise<CheckedSource> {
  const kept: SkillDifference[] = [];
  for (const skill of source.skills) {
    const { differences } = await checkSkill(content, skill.digest);
    kept.push(...differences.map((each) => ({ ...each, skill })));
  }
  const lines = changedLines(source, content, kept);
  return { state: lines.length > 0 ? 'changed' : stateOf(kept), differences: [...kept, ...lines] };
}

/** Without those that say again what is wrong with the content. */
function changedLines(
  source: LockedSource,
  content: ContentPlace,
  kept: readonly SkillDifference[],
): readonly LineDifference[] {
  const missing = new Set(kept.filter(isMissing).map(({ skill }) => skill.path));
  return findChangedLines(content, source).filter(({ skill, line, was }) => {
    if (skill === undefined) return line !== 'entry' || missing.size === 0;
    return (line !== 'digest' && (line !== 'entry' || was !== undefined)) || !missing.has(skill.path);
  });
}

const isMissing = ({ path, what }: SkillDifference): boolean => path === '' && what === 'missing';

function stateOf(differences: readonly SkillDifference[]): SourceState {
  if (differences.length === 0) return 'ready';
  return differences.every(isMissing) ? 'missing' : 'changed';
}

/** For JSON: `skill` is empty for the source as a whole, and `path` the line of the lock where `what` is `lock`. */
export const differenceJson = (difference: SourceDifference) =>
  'line' in difference
    ? { skill: difference.skill?.path ?? '', path: difference.line, what: 'lock' as const }
    : { skill: difference.skill.path, path: difference.path, what: difference.what };

/** One line: where, and what is wrong there. */
export const differenceText = (difference: SourceDifference): string =>
  'line' in difference ? lineText(difference) : keptText(difference);

function lineText({ skill, line, was }: LineDifference): string {
  const place = skill === undefined ? '' : `${skill.path}: `;
  if (line === 'entry' && skill === undefined)
    return 'the entry in the lock was not compared with its source on this machine';
  if (line === 'entry')
    return `${place}${was === undefined ? 'the lock has the skill, and it was not fetched' : 'the skill was fetched, and the lock does not have it'}`;
  const fetched = was === '' || was === 'null' ? 'without one' : `with ${toOneLine(was ?? '', 80)}`;
  return `${place}the line "${line}" of the lock was changed: it was fetched ${fetched}`;
}

function keptText({ skill, path, what }: SkillDifference): string {
  const place = path === '' ? skill.path : `${skill.path === '.' ? '' : `${skill.path}/`}${path}`;
  return `${place}: ${path === '' ? WHOLE[what] : WORDS[what]}`;
}

const WHOLE = {
  missing: 'the skill is not on this machine',
  changed: 'the skill, or the list of its files, is not what the lock says',
  extra: 'it is not in the lock',
  mode: 'it has another mode than the lock says',
} satisfies Record<Difference['what'], string>;

const WORDS = {
  missing: 'the file is missing',
  changed: 'the file is not what the lock says',
  extra: 'the file is not in the lock',
  mode: 'the file is executable, or not, other than the lock says',
} satisfies Record<Difference['what'], string>;
