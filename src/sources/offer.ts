// What a source has to offer at one commit: its skills, made and ready to be kept, and what of it cannot be taken.
import { fail, type Result } from '../values/result.ts';
import type { MadeSkill, Workshop } from './content.ts';
import type { SourceProblem } from './find-skill-folders.ts';
import type { SourcePlace } from './source-address.ts';

export interface Offer {
  readonly commit: string;
  /** The full name of the ref that was asked for; absent for a commit and for an index. */
  readonly refName: string | undefined;
  /** In path order. */
  readonly skills: readonly MadeSkill[];
  readonly problems: readonly SourceProblem[];
  /** The ref is a branch whose history does not have the commit of before any more. */
  readonly isRewritten: boolean;
}

/** What fetching takes from the world. */
export interface SourceWorld {
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Without progress for this long it is given up (S5). */
  readonly quietMs: number;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((line: string) => void) | undefined;
}

export interface OfferRequest {
  readonly place: SourcePlace;
  readonly ref: string | null;
  /** A commit that was pinned: it and no other is fetched. */
  readonly pinned?: string | undefined;
  /** The commit of before: is it still part of the history? */
  readonly former?: string | undefined;
  readonly paths: readonly string[];
  /** Paths of the skills that are needed; absent: all. */
  readonly only?: ReadonlySet<string> | undefined;
  readonly workshop: Workshop;
  readonly world: SourceWorld;
}

/** Under the given paths (S5). */
export const LIMITS = { files: 10_000, bytes: 512 * 1024 * 1024 } as const;

export const QUIET_MS = 60_000;

/** The failure is half a sentence. */
export async function fetchOffer(request: OfferRequest): Promise<Result<Offer, string>> {
  const { place } = request;
  if (place.kind === 'git') return (await import('./offer-of-git.ts')).offerOfGit(request, place);
  if (request.ref !== null) return fail('an index has no branches or tags; leave --ref out');
  return (await import('./offer-of-index.ts')).offerOfIndex(request, place.origin);
}
