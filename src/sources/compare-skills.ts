// What an update of a source changes: skills that come and go, and of the others which files and which lines (S1).
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isTextBytes } from '../document/manifest.ts';
import { type DiffHunk, diffLines } from '../text/line-diff.ts';
import { codeOf } from '../values/error-code.ts';
import { type ContentPlace, loadManifest, type MadeSkill } from './content.ts';
import type { LockedSkill } from './lock.ts';
import { hexOf, type PinnedFile, sha256Of } from './skill-digest.ts';

export interface FileChange {
  readonly path: string;
  readonly change: 'added' | 'changed' | 'removed';
  /** Of a text; absent where one side is none, or is not here. */
  readonly hunks?: readonly DiffHunk[];
}

interface SkillChange {
  readonly path: string;
  readonly files: readonly FileChange[];
}

export interface SkillChanges {
  /** Paths in the source. */
  readonly added: readonly string[];
  readonly changed: readonly SkillChange[];
  readonly removed: readonly string[];
}

interface Sides {
  /** Where the skills of before are kept, and where the new ones lie. */
  readonly before: ContentPlace;
  readonly after: ContentPlace;
}

export function compareSkills(before: readonly LockedSkill[], after: readonly MadeSkill[], sides: Sides): SkillChanges {
  const old = new Map(before.map((skill) => [skill.path, skill]));
  const paths = new Set(after.map(({ path }) => path));
  return {
    added: after.filter(({ path }) => !old.has(path)).map(({ path }) => path),
    changed: after.flatMap((skill) => {
      const former = old.get(skill.path);
      if (former === undefined || former.digest === skill.digest) return [];
      return [{ path: skill.path, files: compareFiles(former, skill, sides) }];
    }),
    removed: before.filter(({ path }) => !paths.has(path)).map(({ path }) => path),
  };
}

/** Without the manifest of before all that is known is that it is another one. */
function compareFiles(former: LockedSkill, skill: MadeSkill, { before, after }: Sides): readonly FileChange[] {
  const files = loadManifest(before, former.digest);
  if (files === undefined) return [];
  const old = new Map(files.map((file) => [file.path, file]));
  const now = new Map(skill.files.map((file) => [file.path, file]));
  const changes: FileChange[] = [];
  for (const path of [...new Set([...old.keys(), ...now.keys()])].sort()) {
    const [was, is] = [old.get(path), now.get(path)];
    if (was?.sha256 === is?.sha256 && was?.executable === is?.executable) continue;
    const texts = [textOf(before, former.digest, was), textOf(after, skill.digest, is)] as const;
    const change = was === undefined ? 'added' : is === undefined ? 'removed' : 'changed';
    const [from, to] = texts;
    changes.push(
      from === undefined || to === undefined ? { path, change } : { path, change, hunks: diffLines(from, to) },
    );
  }
  return changes;
}

const MOST_COMPARED = 1024 * 1024;

/** Empty for a file that is not there. `undefined`: it is no text, or not what the manifest says. */
function textOf({ skills }: ContentPlace, digest: string, file: PinnedFile | undefined): string | undefined {
  if (file === undefined) return '';
  try {
    const bytes = readFileSync(join(skills, hexOf(digest), file.path));
    const isFit = bytes.length <= MOST_COMPARED && isTextBytes(bytes) && sha256Of(bytes) === file.sha256;
    return isFit ? bytes.toString('utf8') : undefined;
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return undefined;
  }
}
