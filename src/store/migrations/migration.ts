// The shape of a migration: numbered, append-only, the same logical change in both dialects.
import type { StoreKind } from '../../settings/store-place.ts';

export interface Migration {
  /** From 1 on, without gaps. One that was published is never changed. */
  readonly number: number;
  readonly name: string;
  /** What it is for: a store without a log has nothing of `log` (X7). */
  readonly part: 'log' | 'accounts';
  /** Statements, in order. */
  readonly statements: Readonly<Record<StoreKind, readonly string[]>>;
}
