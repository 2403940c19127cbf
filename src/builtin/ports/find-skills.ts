// What the built-in skills need of the search over all skills, documents and typed ones.
import type { Caller } from '../../identity/caller.ts';

export interface FoundSkill {
  readonly name: string;
  readonly kind: 'document' | 'typed';
  readonly description: string;
  /** Of a document. */
  readonly uri: string | undefined;
  /** Greater is better; comparable within one answer. */
  readonly score: number;
  /** Of a document: what it says below its frontmatter. */
  readonly text?: (() => string) | undefined;
  /** Which words were found where. */
  readonly why: string;
}

/** Best first; of the typed ones those that the caller may invoke (X10). */
export type FindSkills = (query: string, limit: number, caller: Caller) => Promise<readonly FoundSkill[]>;

/** Whether there is a typed skill of this name. */
export type IsSkill = (name: string) => boolean;
