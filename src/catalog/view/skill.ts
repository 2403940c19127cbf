// One document skill as the catalog holds it. A value: what changes is replaced, never edited.
import type { Issue } from '../../document/issue.ts';

/**
 * A document skill as the catalog holds it: a value that is replaced when its file changes, and never edited.
 *
 * @example
 * const skill = repertoire.loadByName('sql-review');
 * if (skill?.availability === 'available') console.log(skill.name, skill.description, skill.uri);
 */
export interface Skill {
  readonly name: string;
  /**
   * Its SKILL.md gives no usable name or description. Then `name` is that of its folder and `description` its first heading
   * or sentence, and it is found by its URI and its folder, never by name (T2).
   */
  readonly isUnnamed: boolean;
  /** The name as it is looked up: trimmed, in lower case (D5). */
  readonly key: string;
  readonly description: string;
  /** Absolute path of the skill's folder, as reached from its root. */
  readonly baseDirectory: string;
  /** Absolute path of its SKILL.md (whatever letter case the file has). */
  readonly filePath: string;
  /** The file's name as it is on disk: `SKILL.md`, `skill.md` … */
  readonly fileName: string;
  /** The root as configured: `./.claude/skills`, `~/.agents/skills`, or the path given. */
  readonly source: string;
  /** Folder names below the root. The last one is the folder's own name. */
  readonly segments: readonly string[];
  /** From a folder of the project at hand, not of the user. */
  readonly isOfProject: boolean;
  /** From a folder given by `--root`, or from a source: not found where agents keep what is their own (S6). */
  readonly isShared: boolean;
  /** It is kept in the library: its folder is a copy whose path is shown to no one (L1). */
  readonly isOfLibrary?: true;
  /** Lies inside another skill's folder: listed and served, but not named where there is room for few. */
  readonly isNested: boolean;
  /** The author's wish to be seen early, `metadata.priority`: higher is earlier, 0 says nothing. */
  readonly priority: number;
  /** `skill://…/SKILL.md` */
  readonly uri: string;
  /** The raw bytes of SKILL.md: valid UTF-8, kept so that a read is whole whatever happens on disk. */
  readonly bytes: Buffer;
  readonly frontmatter: Readonly<Record<string, unknown>>;
  readonly lastLoaded: Date;
  /** `fallback`: the file on disk is unreadable or invalid now; this is the last good text (D8). */
  readonly availability: 'available' | 'fallback';
  /** Errors and warnings about this skill, without advice. */
  readonly issues: readonly Issue[];
  /** May appear in skills/list: conforms to the Agent Skills rules as written, nothing repaired (DESIGN 10). */
  readonly listable: boolean;
}

/**
 * Why something is not served, or not as written.
 *
 * @example
 * for (const { path, message, fix } of catalog.current.problems) console.log(`${path}: ${message}. ${fix}`);
 */
export interface Problem extends Issue {
  /** Relative to its root, with `/`: `my-skill/SKILL.md`; `.` is the root itself. */
  readonly path: string;
  /** The root it was found in, as configured. */
  readonly source: string;
  /** That root's absolute path. For local surfaces only: it never leaves this machine. */
  readonly rootPath: string;
}

/**
 * The full text of a SKILL.md, frontmatter included.
 *
 * @example
 * const skill = catalog.current.findByName('sql-review');
 * if (skill) console.log(contentOf(skill));
 */
export const contentOf = (skill: Skill): string => skill.bytes.toString('utf8');
