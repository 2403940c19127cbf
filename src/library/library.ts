// The library: skills that are kept in the store, in versions (L1–L4). What it is; store/ keeps it, and served-library.ts serves it.
import type { Result } from '../values/result.ts';

/** Topic of the bus: what is current has changed. */
export const LIBRARY_TOPIC = 'library';

export const VERSION_STATES = ['proposed', 'approved', 'rejected'] as const;

export type VersionState = (typeof VERSION_STATES)[number];

/** `on`: a version becomes current only after someone other than its author approved it (L2). */
export type ReviewPolicy = 'off' | 'on';

/** A file of a version, without its bytes. */
export interface VersionFile {
  /** Below the skill's folder, with `/`. */
  readonly path: string;
  /** 64 lower-case hexadecimal digits. */
  readonly sha256: string;
  readonly executable: boolean;
  readonly size: number;
}

/** Who does something. */
export interface Actor {
  /** As the trail calls them. */
  readonly name: string;
  /** Stays the same where the name may not. */
  readonly key: string;
  /** The keys of all who may have had a hand in what they do: `makersOf`. */
  readonly makers: readonly string[];
  /** They may say which version is served. */
  readonly mayApprove: boolean;
  /** Themselves, not through a client. */
  readonly isOperator: boolean;
}

interface Decision {
  readonly by: string;
  readonly at: Date;
  readonly message: string;
}

/** Immutable but for its state. */
export interface Version {
  readonly name: string;
  /** S2's digest over the manifest. */
  readonly digest: string;
  /** Of this name: 1, 2, 3 … */
  readonly number: number;
  readonly state: VersionState;
  readonly author: string;
  readonly time: Date;
  readonly message: string;
  /** What it was made from, as its author said. */
  readonly base: string | null;
  readonly files: readonly VersionFile[];
  /** Absent while it waits. */
  readonly decision: Decision | undefined;
  /** It is, or was, what is served. */
  readonly wasCurrent: boolean;
  readonly isCurrent: boolean;
}

export interface LibrarySkill {
  readonly name: string;
  readonly current: string | null;
  readonly newest: string;
  /** Digests of versions that wait, oldest first. */
  readonly proposed: readonly string[];
}

export interface CurrentSkill {
  readonly name: string;
  readonly digest: string;
}

export interface NewVersion {
  readonly name: string;
  readonly digest: string;
  readonly files: readonly (VersionFile & { readonly bytes: Buffer })[];
  readonly message: string;
  readonly base: string | undefined;
  readonly actor: Actor;
  /** It waits for a decision, no matter who made it (L6). */
  readonly onlyProposed: boolean;
}

/** Why a change is not made. `conflict`: what it was made from is not the newest; `newest` is, null where there is none. */
export type LibraryRefusal =
  | { readonly kind: 'missing'; readonly said: string }
  | { readonly kind: 'state'; readonly said: string }
  | { readonly kind: 'own' }
  | { readonly kind: 'conflict'; readonly base: string; readonly newest: string | null };

export interface Made {
  readonly version: Version;
  /** False: the same files were a version already. */
  readonly isNew: boolean;
}

export interface Choice {
  readonly name: string;
  readonly digest: string;
  readonly actor: Actor;
  readonly message: string;
}

type Changed = Promise<Result<Version, LibraryRefusal>>;

/** Its promises reject when the store cannot be reached. */
export interface Library {
  list(): Promise<readonly LibrarySkill[]>;
  /** What is served, by name. */
  current(): Promise<readonly CurrentSkill[]>;
  /** Newest first; also of a skill that was deleted. */
  versions(name: string): Promise<readonly Version[]>;
  findVersion(name: string, digest: string): Promise<Version | undefined>;
  /** By the digits of their SHA-256; those that are not there are left out. */
  readFiles(files: readonly Pick<VersionFile, 'sha256' | 'size'>[]): Promise<ReadonlyMap<string, Buffer>>;
  make(version: NewVersion): Promise<Result<Made, LibraryRefusal>>;
  approve(choice: Choice): Changed;
  reject(choice: Choice): Changed;
  /** To an approved version of that name. */
  rollBack(choice: Choice): Changed;
  /** Nothing of that name is served any more. */
  withdraw(name: string, actor: Actor): Promise<Result<LibrarySkill, LibraryRefusal>>;
  /** Of a version that was never current: it and the bytes that only it has are gone for good. Answers what it was. */
  discard(choice: Omit<Choice, 'message'>): Changed;
  /** Out of the list; its versions stay. */
  remove(name: string, actor: Actor): Promise<Result<LibrarySkill, LibraryRefusal>>;
  policy(): Promise<ReviewPolicy>;
  setPolicy(policy: ReviewPolicy, actor: Actor): Promise<void>;
}
