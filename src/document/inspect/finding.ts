// Something suspicious in a document: what a rule reports (a hit) and what a reader is shown (a finding).
import type { SourceText } from './source-text.ts';

export type FindingSeverity = 'high' | 'medium' | 'low';

export interface Finding {
  readonly rule: string;
  /** `high`: look before you serve it. `medium`: honest skills do this, but know of it. `low`: probably an accident. */
  readonly severity: FindingSeverity;
  /** 1-based. */
  readonly line: number;
  /** One sentence: what is the case. Safe to print. */
  readonly message: string;
  /** One sentence in the imperative: what to do about it. */
  readonly fix: string;
  /** The place, on one line, safe to print: no raw control or invisible character, no secret. */
  readonly excerpt: string;
}

/** What a rule saw, as offsets into the whole text. */
export interface Hit {
  readonly index: number;
  readonly severity: FindingSeverity;
  readonly message: string;
  readonly fix: string;
}

/** A place that a rule judged: a hit, or one that it let go. Both cost time, so both are counted. */
export type Sighting = Hit | 'spared';

/** One named check. `find` is pure and lazy: a caller who has seen enough stops asking. */
export interface InspectionRule {
  readonly rule: string;
  readonly find: (source: SourceText) => Iterable<Sighting>;
}
