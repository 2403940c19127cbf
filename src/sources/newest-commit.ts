// Which commit a source has now, by the same rules as `update` and without fetching what is in it. Asked only when a person asks.
import { join } from 'node:path';
import { fail, ok, type Result } from '../values/result.ts';
import { type ContentPlace, Workshop } from './content.ts';
import type { LockedSource } from './lock.ts';
import type { LockPlace } from './lock-stamp.ts';
import type { SourceWorld } from './offer.ts';
import { placeOf, type SourcePlace } from './source-address.ts';

export interface NewestRequest {
  readonly source: LockedSource;
  readonly lock: Pick<LockPlace, 'project'>;
  readonly content: ContentPlace;
  readonly world: SourceWorld;
}

export interface Newest {
  readonly source: LockedSource;
  /** Of an index: the SHA-256 of its bytes. The failure is half a sentence. */
  readonly commit: Result<string, string>;
}

export async function findNewest({ source, lock, content, world }: NewestRequest): Promise<Newest> {
  const place = placeOf(source.source, lock);
  if (!place.ok) return { source, commit: place };
  // A commit, whole or abbreviated, stays what it is: there is nothing to ask.
  if (source.ref !== null && source.commit.startsWith(source.ref)) return { source, commit: ok(source.commit) };
  const workshop = new Workshop(content);
  try {
    return { source, commit: await askPlace(place.value, source.ref, workshop.directory, world) };
  } finally {
    workshop.discard();
  }
}

async function askPlace(
  place: SourcePlace,
  ref: string | null,
  directory: string,
  world: SourceWorld,
): Promise<Result<string, string>> {
  if (place.kind === 'index') {
    const { fetchIndex } = await import('./offer-of-index.ts');
    const { sha256Of } = await import('./skill-digest.ts');
    const index = await fetchIndex(place.origin, world);
    return index.ok ? ok(sha256Of(index.value)) : index;
  }
  const { Repository } = await import('./git/repository.ts');
  const { gitWorld } = await import('./offer-of-git.ts');
  const opened = await Repository.open(place, join(directory, 'git'), gitWorld({ world }, place));
  if (!opened.ok) return opened;
  const resolved = await opened.value.resolve(ref, { mayFetch: false });
  return resolved.ok ? ok(resolved.value.commit) : fail(resolved.failure);
}
