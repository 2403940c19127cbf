// What one refresh changed.
import type { Skill } from './skill.ts';
import type { Snapshot } from './snapshot.ts';

/**
 * What one refresh changed, as listeners of a catalog or a repertoire are told.
 *
 * @example
 * const stop = catalog.subscribe(({ added, changed, removed }: CatalogChange) => {
 *   console.log(`${added.length} new, ${changed.length} changed, ${removed.length} gone`);
 * });
 */
export interface CatalogChange {
  /** Each by its URI. */
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
  readonly snapshot: Snapshot;
  /** The one that was replaced. */
  readonly before: Snapshot;
}

/** A snapshot and the one that it replaced. */
export type Swap = Pick<CatalogChange, 'snapshot' | 'before'>;

/**
 * `undefined` when nothing changed. Skills are compared by identity: an unchanged one is the same value. Those of the library are all made
 * anew when one of them changes; their directories are called by the digest of what is in them. `looksSame`: of two values that are not
 * the same one, whether a reader could tell.
 */
export function compareSnapshots(
  before: Snapshot,
  after: Snapshot,
  looksSame: (known: Skill, skill: Skill) => boolean = () => false,
): CatalogChange | undefined {
  const added: string[] = [];
  const changed: string[] = [];
  for (const skill of servedBy(after)) {
    const known = before.findByUri(skill.uri);
    if (known === undefined) added.push(skill.uri);
    else if (before.isNamed(known) !== after.isNamed(skill)) changed.push(skill.uri);
    else if (!isUnchanged(known, skill) && !looksSame(known, skill)) changed.push(skill.uri);
  }
  const removed = servedBy(before)
    .filter(({ uri }) => after.findByUri(uri) === undefined)
    .map(({ uri }) => uri);
  if (added.length + changed.length + removed.length === 0 && sameProblems(before, after)) return undefined;
  return { added, changed, removed, snapshot: after, before };
}

const isUnchanged = (known: Skill, skill: Skill): boolean =>
  known === skill ||
  (known.isOfLibrary === true &&
    skill.isOfLibrary === true &&
    known.filePath === skill.filePath &&
    known.availability === skill.availability &&
    known.bytes.equals(skill.bytes));

const servedBy = ({ skills, unnamed }: Snapshot): readonly Skill[] =>
  unnamed.length === 0 ? skills : [...skills, ...unnamed];

const sameProblems = (before: Snapshot, after: Snapshot): boolean =>
  before.problems.length === after.problems.length &&
  before.problems.every((problem, index) => {
    const other = after.problems[index];
    return (
      other !== undefined &&
      problem.path === other.path &&
      problem.rootPath === other.rootPath &&
      problem.rule === other.rule &&
      problem.message === other.message
    );
  });
