// Makes what is kept of a source what its lock says, and nothing else (S4). Only what cannot be put right here is fetched.
import { fail, ok, type Result } from '../values/result.ts';
import { checkSource } from './check-source.ts';
import { type ContentPlace, checkSkill, type KeptSkill, type MadeSkill, Workshop } from './content.ts';
import { isFetched, isNoted, noteFetched } from './fetched-entries.ts';
import type { LockedSkill, LockedSource } from './lock.ts';
import type { LockPlace } from './lock-stamp.ts';
import { fetchOffer, type SourceWorld } from './offer.ts';
import { nameOfMade } from './skill-name.ts';
import { placeOf } from './source-address.ts';

export interface SyncRequest {
  readonly source: LockedSource;
  readonly lock: Pick<LockPlace, 'project'>;
  readonly content: ContentPlace;
  readonly world: SourceWorld;
}

/**
 * `ready`: nothing had to be done. `repaired`: without fetching. The failure is half a sentence, and nothing was changed then. An entry
 * of the lock that was never compared with its source is, even where all of its content is here: anybody may have written it.
 */
export async function syncSource(request: SyncRequest): Promise<Result<'ready' | 'repaired' | 'fetched', string>> {
  const { source, content } = request;
  const needed = await amissOf(source.skills, content);
  if (needed.length === 0 && isNoted(content, source)) return ok('ready');
  const workshop = new Workshop(content);
  try {
    await workshop.keep(needed.flatMap(knownFiles));
    const missing = await amissOf(
      needed.map(({ skill }) => skill),
      content,
    );
    const isKnown = isFetched(content, source);
    if (missing.length === 0 && isKnown) {
      noteFetched(content, source);
      return ok(needed.length === 0 ? 'ready' : 'repaired');
    }
    const made = await fetchSkills(isKnown ? missing.map(({ skill }) => skill) : source.skills, workshop, request);
    if (!made.ok) return made;
    noteFetched(content, source);
    await workshop.keep(made.value);
    const { differences } = await checkSource(source, content);
    return differences.length === 0 ? ok('fetched') : fail('its content changes while it is being written');
  } finally {
    workshop.discard();
  }
}

interface Amiss {
  readonly skill: LockedSkill;
  readonly kept: KeptSkill;
}

async function amissOf(skills: readonly LockedSkill[], content: ContentPlace): Promise<readonly Amiss[]> {
  const amiss: Amiss[] = [];
  for (const skill of skills) {
    const kept = await checkSkill(content, skill.digest);
    if (kept.differences.length > 0) amiss.push({ skill, kept });
  }
  return amiss;
}

/** What the files must be is known: then strangers, modes and the list itself are put right here. */
const knownFiles = ({ skill: { path, digest }, kept: { files } }: Amiss): readonly MadeSkill[] =>
  files === undefined ? [] : [{ path, digest, files }];

async function fetchSkills(
  wanted: readonly LockedSkill[],
  workshop: Workshop,
  { source, lock, world }: SyncRequest,
): Promise<Result<readonly MadeSkill[], string>> {
  const place = placeOf(source.source, lock);
  if (!place.ok) return place;
  const { ref, commit, paths } = source;
  const only = new Set(wanted.map(({ path }) => path));
  const offer = await fetchOffer({
    place: place.value,
    ref: place.value.kind === 'index' ? null : ref,
    pinned: commit,
    paths,
    only,
    workshop,
    world,
  });
  if (!offer.ok) return offer;
  const byPath = new Map(offer.value.skills.map((skill) => [skill.path, skill]));
  const at = `at ${commit.slice(0, 7)} the skill`;
  for (const { path, digest, name } of wanted) {
    const made = byPath.get(path);
    if (made === undefined) return fail(`${at} "${path}" is not there any more`);
    if (made.digest !== digest) return fail(`${at} "${path}" has other files than the lock says`);
    const own = nameOfMade(made, workshop.made);
    if (own !== name) return fail(`${at} "${path}" is called "${own}", and the lock says "${name}"`);
  }
  return ok(offer.value.skills);
}
