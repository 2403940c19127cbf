// Which entries of locks were compared with their sources on this machine: each as it stood in its lock. By them a line of a lock that
// was changed since is found without the source (S4).
import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeDirectory } from '../files/make-directory.ts';
import { withWholeFile } from '../files/whole-file.ts';
import type { ContentPlace } from './content.ts';
import { type LockedSkill, type LockedSource, renderLock } from './lock.ts';
import { loadLock } from './lock-file.ts';
import { sha256Of } from './skill-digest.ts';

/** What an entry of a lock says otherwise than the one that was fetched. */
export interface LineDifference {
  /** Absent: the line is one of the source itself. */
  readonly skill?: LockedSkill;
  /** Of the lock; `entry` is the source or the skill as a whole. */
  readonly line: 'entry' | 'source' | 'ref' | 'commit' | 'paths' | 'name' | 'digest';
  /** What was fetched; absent where nothing of it was. */
  readonly was?: string;
}

/** Written as soon as it is known to be right, and before its content is kept: what a killed process leaves is missing, not wrong. */
export function noteFetched(content: ContentPlace, entry: LockedSource): void {
  const note = noteOf(content, entry);
  if (existsSync(note)) return;
  makeDirectory(content.entries);
  withWholeFile(note, textOf(entry), 0o600, (temporary) => renameSync(temporary, note));
}

/** A lock with this entry alone: read back by the same rules. */
const textOf = (entry: LockedSource): string => renderLock({ sources: [entry] });

const nameOf = (entry: LockedSource): string => sha256Of(textOf(entry));

const noteOf = ({ entries }: ContentPlace, entry: LockedSource): string => join(entries, nameOf(entry));

export const isNoted = (content: ContentPlace, entry: LockedSource): boolean => existsSync(noteOf(content, entry));

/** At this commit the source has these skills: it was seen before, also if the ref or the paths were others. */
export const isFetched = (content: ContentPlace, { source, commit, skills }: LockedSource): boolean =>
  loadNoted(content).some(
    (noted) => noted.source === source && noted.commit === commit && skills.every((skill) => hasSkill(noted, skill)),
  );

const hasSkill = ({ skills }: LockedSource, { name, path, digest }: LockedSkill): boolean =>
  skills.some((each) => each.path === path && each.name === name && each.digest === digest);

/** Compared with the one that was fetched and is most like it. None where nothing of it was fetched yet. */
export function findChangedLines(content: ContentPlace, entry: LockedSource): readonly LineDifference[] {
  if (isNoted(content, entry)) return [];
  const [nearest] = loadNoted(content)
    .map((noted) => ({ lines: changedLines(entry, noted), isSame: noted.source === entry.source }))
    .sort((a, b) => Number(b.isSame) - Number(a.isSame) || a.lines.length - b.lines.length);
  // Another source is the same one under another name only if nothing else differs.
  const isLike = nearest !== undefined && (nearest.isSame || nearest.lines.length === 1);
  return isLike ? nearest.lines : [{ line: 'entry' }];
}

function changedLines(entry: LockedSource, noted: LockedSource): readonly LineDifference[] {
  const lines: LineDifference[] = [];
  for (const line of ['source', 'ref', 'commit'] as const)
    if (entry[line] !== noted[line]) lines.push({ line, was: String(noted[line]) });
  if (entry.paths.join('\0') !== noted.paths.join('\0')) lines.push({ line: 'paths', was: noted.paths.join(', ') });
  const before = new Map(noted.skills.map((skill) => [skill.path, skill]));
  for (const skill of entry.skills) lines.push(...changedLinesOfSkill(skill, before.get(skill.path)));
  const paths = new Set(entry.skills.map(({ path }) => path));
  const gone = noted.skills.filter(({ path }) => !paths.has(path));
  return [...lines, ...gone.map((skill): LineDifference => ({ skill, line: 'entry', was: skill.path }))];
}

function changedLinesOfSkill(skill: LockedSkill, was: LockedSkill | undefined): readonly LineDifference[] {
  if (was === undefined) return [{ skill, line: 'entry' }];
  return (['name', 'digest'] as const).flatMap((line) =>
    skill[line] === was[line] ? [] : [{ skill, line, was: was[line] }],
  );
}

/** In the order of their names. One that cannot be read is none. */
function loadNoted({ entries }: ContentPlace): readonly LockedSource[] {
  return notesIn(entries).flatMap((name) => {
    const lock = loadLock(join(entries, name));
    return lock.ok ? (lock.value?.sources ?? []) : [];
  });
}

const notesIn = (entries: string): readonly string[] =>
  existsSync(entries)
    ? readdirSync(entries)
        .filter((name) => /^[0-9a-f]{64}$/.test(name))
        .sort()
    : [];

/** Removes what is noted of entries that no lock has. */
export function pruneNoted(content: ContentPlace, used: readonly LockedSource[]): void {
  const names = new Set(used.map(nameOf));
  for (const name of notesIn(content.entries))
    if (!names.has(name)) rmSync(join(content.entries, name), { force: true });
}
