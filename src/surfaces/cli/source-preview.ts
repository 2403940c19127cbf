// What a source would bring, judged as it would be served: each skill with its problems, its findings and what comes before it (S1).
import type { Catalog } from '../../catalog/catalog.ts';
import { resolveRoots } from '../../catalog/roots.ts';
import type { Root } from '../../catalog/scan/root.ts';
import type { Problem, Skill } from '../../catalog/view/skill.ts';
import type { Issue } from '../../document/issue.ts';
import { startCatalog } from '../../open-catalog.ts';
import type { ContentPlace, MadeSkill } from '../../sources/content.ts';
import { type LockedSkill, type LockedSource, withSource } from '../../sources/lock.ts';
import { loadLock } from '../../sources/lock-file.ts';
import type { LockPlace } from '../../sources/lock-stamp.ts';
import type { Offer } from '../../sources/offer.ts';
import { addresses, labelOf, pinnedRoot, sourceUris } from '../../sources/pinned-roots.ts';
import { nameOfFolder } from '../../sources/skill-name.ts';
import type { CommandContext } from './command.ts';
import { inspectSkill, type LocatedFinding } from './inspect-skill.ts';
import { contentOf, placesOf } from './source-context.ts';

export interface PreviewedSkill extends LockedSkill {
  readonly uri: string;
  readonly problems: readonly Issue[];
  readonly findings: readonly LocatedFinding[];
}

export interface Preview {
  /** As it would stand in the lock. */
  readonly entry: LockedSource;
  readonly skills: readonly PreviewedSkill[];
  /** Those that are taken. */
  readonly made: readonly MadeSkill[];
  /** Of what is not taken. `path`: in the source. */
  readonly problems: readonly (Issue & { readonly path: string })[];
}

export interface PreviewRequest {
  readonly source: string;
  readonly ref: string | null;
  readonly paths: readonly string[];
  readonly offer: Offer;
  readonly target: LockPlace;
  /** Where the made skills lie. */
  readonly made: ContentPlace;
}

const ONE_LOOK = { log: () => {}, watch: false } as const;

export async function previewSource(context: CommandContext, request: PreviewRequest): Promise<Preview> {
  const { source, ref, paths, offer, target, made } = request;
  const all = offer.skills.map(({ path, digest }): LockedSkill => ({ name: nameOfFolder(path), path, digest }));
  const draft: LockedSource = { source, ref, commit: offer.commit, paths, skills: all };
  const alone = await startCatalog(context.settings, { ...ONE_LOOK, roots: [pinnedRoot(draft, target.path, made)] });
  await alone.loadManifests();
  const found = findServed(alone, all);
  const skills = all.flatMap((skill) => {
    const served = found.get(skill.path);
    return served === undefined ? [] : [{ ...skill, name: served.name }];
  });
  const entry = { ...draft, skills };
  const problems = await problemsAmongAll(context, entry, request);
  const findings = await findingsOf(alone, found);
  alone.close();
  const taken = new Set(skills.map(({ path }) => path));
  const ownerAlone = ownerAmong(all);
  const lost = alone.current.problems.filter(({ path }) => !taken.has(ownerAlone(path)?.path ?? ''));
  const owner = ownerAmong(skills);
  const uriOf = sourceUris(skills);
  return {
    entry,
    made: offer.skills.filter(({ path }) => taken.has(path)),
    skills: skills.map((skill) => ({
      ...skill,
      uri: uriOf(skill),
      problems: [
        ...offer.problems.filter(({ path }) => path === skill.path),
        ...problems.filter(({ path }) => owner(path) === skill),
      ],
      findings: findings.get(skill.path) ?? [],
    })),
    problems: [...offer.problems.filter(({ path }) => !taken.has(path)), ...lost],
  };
}

/** By path in the source. */
function findServed(alone: Catalog, skills: readonly LockedSkill[]): ReadonlyMap<string, Skill> {
  const { current } = alone;
  const byAddress = new Map([...current.skills, ...current.unnamed].map((skill) => [skill.segments.join('/'), skill]));
  const address = addresses(skills);
  return new Map(
    skills.flatMap((skill) => {
      const served = byAddress.get(address(skill));
      return served === undefined ? [] : [[skill.path, served] as const];
    }),
  );
}

/** The catalog as it would be: folders, the sources of both locks, and among them the new one. */
async function problemsAmongAll(
  context: CommandContext,
  entry: LockedSource,
  { target, made }: PreviewRequest,
): Promise<readonly Problem[]> {
  const content = contentOf(context);
  const sources = placesOf(context).flatMap((place): readonly Root[] => {
    const lock = loadLock(place.path);
    const known = lock.ok && lock.value !== undefined ? lock.value : { sources: [] };
    const next = place.path === target.path ? withSource(known, entry) : known;
    return next.sources.map((source) => pinnedRoot(source, place.path, source === entry ? made : content));
  });
  const roots = [...resolveRoots(context.settings.rootRequest), ...sources];
  const catalog = await startCatalog(context.settings, { ...ONE_LOOK, roots });
  catalog.close();
  const label = labelOf(entry);
  return catalog.current.problems.filter((problem) => problem.source === label);
}

/** The innermost skill that a path lies in. */
function ownerAmong(skills: readonly LockedSkill[]): (path: string) => LockedSkill | undefined {
  const address = addresses(skills);
  const byAddress = new Map(skills.map((skill) => [address(skill), skill]));
  return (path) => {
    for (let at = path; ; at = at.slice(0, at.lastIndexOf('/'))) {
      const skill = byAddress.get(at);
      if (skill !== undefined || !at.includes('/')) return skill;
    }
  };
}

async function findingsOf(
  alone: Catalog,
  found: ReadonlyMap<string, Skill>,
): Promise<ReadonlyMap<string, readonly LocatedFinding[]>> {
  const findings = new Map<string, readonly LocatedFinding[]>();
  for (const [path, skill] of found) findings.set(path, await inspectSkill(skill, alone));
  return findings;
}
