// What an earlier process learned of one root. A clue, never a proof: the disk must show the very stamps that go with it.
import type { Issue } from '../../document/issue.ts';
import type { SkillDocument } from '../../document/skill-document.ts';
import type { Entry, FileStamp } from './safe-read.ts';

export interface Memory {
  /** What a folder held. `real`: its real path. */
  listing(real: string): RememberedListing | undefined;
  /** What the SKILL.md at this path said of itself. */
  text(path: string): RememberedFacts | undefined;
  /** Size, digest and kind of a file. */
  record(path: string): RememberedRecord | undefined;
  /** How often the disk had to be asked all the same: then there is something new to remember. */
  misses: number;
}

export interface RememberedListing {
  readonly stamp: FileStamp;
  readonly entries: () => Entry[];
}

export interface RememberedFacts {
  readonly stamp: FileStamp;
  readonly document: () => SkillDocument;
  readonly issues: readonly Issue[];
  /** What the rules say of it in its folder. */
  readonly ruleIssues: readonly Issue[];
}

export interface RememberedRecord {
  readonly size: number;
  readonly digest: string;
  readonly mimeType: string;
  readonly isText: boolean;
  readonly changedMs: number;
  readonly inode: number;
}
