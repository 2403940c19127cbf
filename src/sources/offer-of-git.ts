// What a git repository offers at a commit: its skill folders, their files from the object database, and what cannot be taken.
import { join } from 'node:path';
import { fail, ok, type Result } from '../values/result.ts';
import { type ChosenFile, chooseFiles, isPointer, pointerLeft, type RawEntry } from './choose-files.ts';
import type { MadeSkill, OpenSkill, Workshop } from './content.ts';
import { findSkillFolders, type SourceProblem } from './find-skill-folders.ts';
import { type GitPlace, Repository, type ResolvedRef, SUBMODULE, type TreeEntry } from './git/repository.ts';
import type { GitWorld } from './git/run-git.ts';
import { LIMITS, type Offer, type OfferRequest } from './offer.ts';

type GitEntry = TreeEntry & RawEntry;

export async function offerOfGit(request: OfferRequest, place: GitPlace): Promise<Result<Offer, string>> {
  const { ref, pinned, former, paths, workshop, only } = request;
  const opened = await Repository.open(place, join(workshop.directory, 'git'), gitWorld(request, place));
  if (!opened.ok) return opened;
  const repository = opened.value;
  const resolved: Result<ResolvedRef, string> =
    pinned === undefined ? await repository.resolve(ref) : ok({ commit: pinned, name: undefined });
  if (!resolved.ok) return resolved;
  const fetched = await repository.fetch(resolved.value.commit, { onlySome: paths.length > 0 });
  if (!fetched.ok) return fetched;
  const commit = fetched.value;
  const listed = await repository.entries(commit, paths, LIMITS);
  if (!listed.ok) return listed;
  const entries = await withTargets(listed.value, repository);
  if (!entries.ok) return entries;
  const taken = await takeSkills(entries.value, { paths, only, repository, workshop });
  if (!taken.ok) return taken;
  const refName = resolved.value.name;
  const mayBeRewritten =
    former !== undefined && former !== commit && refName !== undefined && !refName.startsWith('refs/tags/');
  const isRewritten = mayBeRewritten && (await repository.hasInHistory(commit, former)) === false;
  return ok({ ...taken.value, commit, refName, isRewritten });
}

/** Plain http is for this machine only; what a source does not use is not allowed either. */
export const gitWorld = ({ world }: Pick<OfferRequest, 'world'>, { url }: GitPlace): GitWorld => ({
  ...world,
  protocols: ['https', 'ssh', 'file', ...(url.startsWith('http://') ? ['http'] : [])],
});

/** A target that is longer is none. */
const LONGEST_TARGET = 4_096;
const LINK = '120000';

async function withTargets(
  entries: readonly TreeEntry[],
  repository: Repository,
): Promise<Result<readonly GitEntry[], string>> {
  const links = entries.filter(({ mode, size }) => mode === LINK && size <= LONGEST_TARGET);
  const targets = new Map<string, string>();
  const ids = [...new Set(links.map(({ id }) => id))];
  const read = await repository.read(ids, (id, bytes) => targets.set(id, bytes.toString('utf8')));
  if (!read.ok) return read;
  return ok(
    entries.map((entry) => ({
      ...entry,
      kind: kindOf(entry.mode),
      executable: entry.mode === '100755',
      target: entry.mode === LINK ? targets.get(entry.id) : undefined,
    })),
  );
}

function kindOf(mode: string): RawEntry['kind'] {
  if (mode.startsWith('100')) return 'file';
  if (mode === LINK) return 'link';
  return mode === SUBMODULE ? 'nested' : 'other';
}

interface TakeRequest extends Pick<OfferRequest, 'paths' | 'only'> {
  readonly repository: Repository;
  readonly workshop: Workshop;
}

interface Opened {
  readonly path: string;
  readonly skill: OpenSkill;
  readonly files: readonly ChosenFile<GitEntry>[];
}

type Taken = Pick<Offer, 'skills' | 'problems'>;

async function takeSkills(entries: readonly GitEntry[], request: TakeRequest): Promise<Result<Taken, string>> {
  const { paths, only, repository, workshop } = request;
  const found = findSkillFolders(entries, paths);
  const problems: SourceProblem[] = [...found.problems];
  const opened: Opened[] = [];
  for (const folder of found.folders) {
    if (only && !only.has(folder.path)) continue;
    const choice = chooseFiles(folder.entries);
    const { path } = folder;
    if (!choice.ok) problems.push({ ...choice.failure, path });
    else {
      problems.push(...choice.value.issues.map((issue) => ({ ...issue, path })));
      opened.push({ path, skill: workshop.open(), files: choice.value.files });
    }
  }
  const written = await writeFiles(opened, repository);
  if (!written.ok) return written;
  const skills: MadeSkill[] = opened.map(({ path, skill }) => skill.close(path));
  return ok({ skills, problems: [...problems, ...written.value] });
}

/** Each object is read once, however many skills have it. Answers what is not what it seems. */
async function writeFiles(
  opened: readonly Opened[],
  repository: Repository,
): Promise<Result<readonly SourceProblem[], string>> {
  const wanted = new Map<string, { readonly in: Opened; readonly file: ChosenFile<GitEntry> }[]>();
  for (const each of opened) {
    for (const file of each.files) {
      const { id } = file.entry;
      const same = wanted.get(id);
      if (same) same.push({ in: each, file });
      else wanted.set(id, [{ in: each, file }]);
    }
  }
  const problems: SourceProblem[] = [];
  const read = await repository.read([...wanted.keys()], (id, bytes) => {
    for (const { in: owner, file } of wanted.get(id) ?? []) {
      owner.skill.add(file.path, bytes, file.executable);
      if (isPointer(bytes)) problems.push({ ...pointerLeft(file.path), path: owner.path });
    }
  });
  return read.ok ? ok(problems) : fail(read.failure);
}
