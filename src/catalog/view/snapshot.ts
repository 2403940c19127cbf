// One frozen view of every skill we can serve. Never touches the disk; see scan-root.ts.
import type { Issue } from '../../document/issue.ts';
import { compareNamed, isSkillAddress, lookAlikeSkeleton, normaliseName } from '../../document/names.ts';
import { canonicalSkillUri } from '../../document/skill-uri.ts';
import { isValidName } from '../../document/validate.ts';
import { toOneLine } from '../../text/one-line.ts';
import type { Root } from '../scan/root.ts';
import { findNative, type HostPlaces } from './find-native.ts';
import { type FolderFailure, type FoundFolder, problemAt } from './found-folder.ts';
import type { Problem, Skill } from './skill.ts';

/**
 * One frozen view of every skill that can be served. Keep it as long as you like; the catalog has the newest one.
 *
 * @example
 * const { skills, problems } = catalog.current;
 * const skill = catalog.current.findByUri('skill://sql-review/SKILL.md');
 */
export interface Snapshot {
  /** Every skill that can be read, in name order (code points of the normalised names), then URI order. */
  readonly skills: readonly Skill[];
  /**
   * Every readable SKILL.md without a usable name or description, in the order of their folders' names: served by URI and
   * by folder, and in no list of skills.
   */
  readonly unnamed: readonly Skill[];
  readonly problems: readonly Problem[];
  /** The roots that are there, as configured. */
  readonly sources: readonly string[];
  /** Case-insensitive, O(1) (D5). What is written as a `skill://` URI is no name. */
  findByName(name: string): Skill | undefined;
  /** Served by its name, too; false for one that another shadows. */
  isNamed(skill: Skill): boolean;
  /** Of the folders at the same path in later roots, which are not served: the problems that say so. */
  copiesOf(skill: Skill): readonly Problem[];
  /** The URI of a SKILL.md, in any equivalent percent-encoding; of an unnamed one, too. */
  findByUri(uri: string): Skill | undefined;
  /** A folder's own name, as T6 orders candidates. `undefined`: no such folder. */
  findFolder(name: string): FolderAnswer | undefined;
  /** Of the names that are to be left out, those that no skill and no folder here has. */
  findUnusedWithout(): readonly string[];
  /** Skills that a host finds in these places by itself: there, by a link to where they are, or as a copy (D10). */
  findNative(places: HostPlaces): ReadonlySet<Skill>;
}

/**
 * What a folder of that name holds: the text of its SKILL.md, and its skill, which may be an unnamed one; or why there is none.
 *
 * @example
 * const answer = catalog.current.findFolder('sql-review');
 * if (answer && 'text' in answer) console.log(answer.text.toString('utf8'));
 */
export type FolderAnswer =
  | { readonly text: Buffer; readonly skill: Skill | undefined }
  | { readonly failure: FolderFailure };

/** `folders`: in root order, then path order. `without`: names of skills that are to be in no lookup. */
export function createSnapshot(
  folders: readonly FoundFolder[],
  without: readonly string[],
  roots: readonly Root[] = [],
): Snapshot {
  const visible = withoutNamed(withoutAliases(folders), without);
  const { served, byName, problems, copies } = resolveDuplicates(visible);
  const byUri = new Map(served.map((folder) => [folder.skill.uri, folder.skill]));
  const skills = sortSkills(served);
  let byFolderName: FolderIndex | undefined;
  const snapshot: Snapshot = {
    skills: skills.filter(({ isUnnamed }) => !isUnnamed),
    unnamed: skills.filter(({ isUnnamed }) => isUnnamed),
    problems,
    sources: roots.map(({ label }) => label),
    findByName: (name) => (isSkillAddress(name) ? undefined : byName.get(normaliseName(name))),
    isNamed: (skill) => byName.get(skill.key) === skill,
    copiesOf: ({ uri }) => copies.get(uri) ?? [],
    findByUri: (uri) => byUri.get(uri) ?? findCanonical(byUri, uri),
    findFolder: (name) => {
      byFolderName ??= indexFolders(withoutNamed(withLinks(folders, visible), without));
      return findFolder(byFolderName, name);
    },
    findUnusedWithout: () => without.filter((name) => withoutNamed(folders, [name]).length === folders.length),
    // Also in folders that are not served: a link or a copy there is what the host reads.
    findNative: (places) => findNative(folders, places),
  };
  origins.set(snapshot, { folders, without, roots });
  return snapshot;
}

/** What a snapshot was made of. */
export interface SnapshotOrigin {
  readonly folders: readonly FoundFolder[];
  readonly without: readonly string[];
  readonly roots: readonly Root[];
}

const origins = new WeakMap<Snapshot, SnapshotOrigin>();

/** Of one that `createSnapshot` made: to make another of some of its folders (limit-snapshot.ts). */
export function originOf(snapshot: Snapshot): SnapshotOrigin {
  const origin = origins.get(snapshot);
  if (origin === undefined) throw new Error('A snapshot that was not made of folders cannot be limited');
  return origin;
}

type SkillFolder = FoundFolder & { readonly skill: Skill };

const holdsSkill = (folder: FoundFolder): folder is SkillFolder => folder.skill !== undefined;

/** The same folder reached twice (by a link, by overlapping roots) is one skill and no problem. */
function withoutAliases(folders: readonly FoundFolder[]): readonly FoundFolder[] {
  const byPlace = new Map<string, FoundFolder>();
  for (const folder of folders) {
    const place = wayTo(folder);
    const first = byPlace.get(place);
    if (first === undefined || isBetterWay(folder, first)) byPlace.set(place, folder);
  }
  return byPlace.size === folders.length ? folders : folders.filter((folder) => byPlace.get(wayTo(folder)) === folder);
}

/** Content that is kept by its digest is in one folder, however many skills of however many sources have it (S3). */
const wayTo = ({ root, real, relative }: FoundFolder): string =>
  root.pinned === undefined ? real : `${root.pinned.key}\n${relative}`;

/** Where skills are searched for before where they are not, and inside one root the folder itself before a link to it. */
const isBetterWay = (folder: FoundFolder, first: FoundFolder): boolean =>
  folder.searchable === first.searchable
    ? folder.root === first.root && first.linked && !folder.linked
    : folder.searchable;

/** Those that are visible, and again under the name of every link to one: a host that lists the root sees these names (T6). */
function withLinks(folders: readonly FoundFolder[], visible: readonly FoundFolder[]): readonly FoundFolder[] {
  const byPlace = new Map(visible.map((folder) => [wayTo(folder), folder]));
  return folders.flatMap((folder) => {
    const shown = byPlace.get(wayTo(folder));
    if (shown === undefined || shown === folder) return shown ?? [];
    return { ...shown, name: folder.name, depth: folder.depth };
  });
}

function withoutNamed(folders: readonly FoundFolder[], without: readonly string[]): readonly FoundFolder[] {
  if (without.length === 0) return folders;
  const names = new Set(without.map(normaliseName));
  return folders.filter(({ name, skill }) => !names.has(normaliseName(name)) && !(skill && names.has(skill.key)));
}

interface Resolution {
  readonly served: readonly SkillFolder[];
  readonly byName: ReadonlyMap<string, Skill>;
  readonly problems: readonly Problem[];
  /** By the URI that a folder of an earlier root is served under. */
  readonly copies: ReadonlyMap<string, readonly Problem[]>;
}

/**
 * First root wins; inside a root the folder that bears the name, then the name that is spelled by the rules, then path
 * order. The loser is reported, not dropped (D5).
 */
function resolveDuplicates(folders: readonly FoundFolder[]): Resolution {
  const owners = findNameOwners(folders);
  const impostors = findImpostors(owners);
  const byName = new Map<string, Skill>();
  const byUri = new Map<string, SkillFolder>();
  const problems: Problem[] = [];
  const copies = new Map<string, readonly Problem[]>();
  for (const folder of folders) {
    problems.push(...folder.problems);
    if (!holdsSkill(folder)) continue;
    const { skill } = folder;
    const key = skill.key;
    const double = impostors.get(key);
    const owner = owners.get(key);
    const samePath = byUri.get(skill.uri);
    if (double !== undefined) problems.push(skillProblem(folder, looksLike(skill, double)));
    else if (samePath === undefined) byUri.set(skill.uri, folder);
    else if (!isCopy(folder, samePath)) noteCopy(folder, samePath, { problems, copies });
    if (double !== undefined || samePath !== undefined) continue;
    if (owner === undefined || wayTo(owner) === wayTo(folder)) byName.set(key, skill);
    else problems.push(skillProblem(folder, shadowed(skill, owner)));
  }
  addUnnamed(folders, owners, { byUri, problems, copies });
  return { served: [...byUri.values()], byName, problems, copies };
}

interface Unresolved {
  readonly byUri: Map<string, SkillFolder>;
  readonly problems: Problem[];
  readonly copies: Map<string, readonly Problem[]>;
}

/** They take what addresses the skills leave, in root order, and no name that looks like another. */
function addUnnamed(
  folders: readonly FoundFolder[],
  owners: ReadonlyMap<string, SkillFolder>,
  { byUri, problems, copies }: Unresolved,
): void {
  const unnamed = folders.flatMap((folder): SkillFolder[] =>
    folder.unnamed === undefined ? [] : [{ ...folder, skill: folder.unnamed }],
  );
  const names = new Map(unnamed.map(({ skill }) => [skill.key, skill.name]));
  for (const folder of unnamed) {
    const { skill } = folder;
    const skeleton = lookAlikeSkeleton(skill.name);
    const double = skeleton === skill.key ? undefined : (owners.get(skeleton)?.skill.name ?? names.get(skeleton));
    const samePath = byUri.get(skill.uri);
    if (double !== undefined) problems.push(skillProblem(folder, looksLike(skill, double)));
    else if (samePath === undefined) byUri.set(skill.uri, folder);
    else if (!isCopy(folder, samePath)) noteCopy(folder, samePath, { problems, copies });
  }
}

function noteCopy(
  folder: SkillFolder,
  first: SkillFolder,
  { problems, copies }: Pick<Unresolved, 'problems' | 'copies'>,
): void {
  const problem = skillProblem(folder, sameFolder(folder.skill, first));
  problems.push(problem);
  copies.set(folder.skill.uri, [...(copies.get(folder.skill.uri) ?? []), problem]);
}

/**
 * Agents keep the same skill in a folder each: that is no news. Between a project and its user it is, because only the
 * text was compared: a repository could put its own scripts beside a text that the user knows.
 */
const isCopy = ({ root, skill }: SkillFolder, first: SkillFolder): boolean =>
  root.ofHost === true && skill.isOfProject === first.skill.isOfProject && skill.bytes.equals(first.skill.bytes);

/** By normalised name: the folder whose skill is served under it. */
function findNameOwners(folders: readonly FoundFolder[]): ReadonlyMap<string, SkillFolder> {
  const owners = new Map<string, SkillFolder>();
  const paths = new Map<string, string>();
  for (const folder of folders) {
    if (!holdsSkill(folder)) continue;
    const { skill } = folder;
    // Where two roots offer the same path only the first root's is served: the second cannot own a name either.
    const pathOwner = paths.get(skill.uri);
    const at = rootPlace(folder.root);
    if (pathOwner !== undefined && pathOwner !== at) continue;
    paths.set(skill.uri, at);
    const key = skill.key;
    const owner = owners.get(key);
    if (owner === undefined || (owner.root === folder.root && hasBetterClaim(folder, owner))) owners.set(key, folder);
  }
  return owners;
}

/** All sources have their content in one directory. */
const rootPlace = ({ path, pinned }: Root): string => (pinned === undefined ? path : `${path}\n${pinned.key}`);

/** Path order decides between equal claims: the first keeps the name. */
function hasBetterClaim(folder: SkillFolder, owner: SkillFolder): boolean {
  const borne = Number(bearsName(folder)) - Number(bearsName(owner));
  return borne > 0 || (borne === 0 && isValidName(folder.skill.name) && !isValidName(owner.skill.name));
}

const bearsName = (folder: SkillFolder): boolean => normaliseName(folder.name) === folder.skill.key;

/** Names that only look like another: the plain ASCII one stays, else the first. By key, with the name they imitate. */
function findImpostors(owners: ReadonlyMap<string, SkillFolder>): ReadonlyMap<string, string> {
  const impostors = new Map<string, string>();
  const bySkeleton = new Map<string, string>();
  for (const [key, { skill }] of owners) {
    // Plain ASCII is its own skeleton: nothing to compare unless another name folds into it.
    if (!NOT_ASCII.test(key)) continue;
    const skeleton = lookAlikeSkeleton(skill.name);
    if (skeleton === key) continue;
    const original = owners.get(skeleton)?.skill.name ?? bySkeleton.get(skeleton);
    if (original === undefined) bySkeleton.set(skeleton, skill.name);
    else impostors.set(key, original);
  }
  return impostors;
}

const NOT_ASCII = /[^\0-\x7f]/;

function sortSkills(folders: readonly SkillFolder[]): readonly Skill[] {
  return folders.map(({ skill }) => skill).sort(compareNamed);
}

function findCanonical(byUri: ReadonlyMap<string, Skill>, uri: string): Skill | undefined {
  const canonical = canonicalSkillUri(uri);
  return canonical.ok ? byUri.get(canonical.value) : undefined;
}

type FolderIndex = ReadonlyMap<string, readonly FoundFolder[]>;

/** By lower-case folder name: direct children of a root, then nested skill folders; each in root order, then path order (T6). */
function indexFolders(folders: readonly FoundFolder[]): FolderIndex {
  const index = new Map<string, FoundFolder[]>();
  const candidates = folders.filter(({ depth, failure }) => depth === 1 || (depth > 1 && failure !== 'no-skill-file'));
  for (const folder of [...candidates].sort((a, b) => Number(a.depth > 1) - Number(b.depth > 1))) {
    const key = folder.name.toLowerCase();
    const same = index.get(key);
    if (same) same.push(folder);
    else index.set(key, [folder]);
  }
  return index;
}

/** Exact letter case before any other; among those the first that can be served, else the first with its reason. */
function findFolder(index: FolderIndex, name: string): FolderAnswer | undefined {
  const all = index.get(name.toLowerCase()) ?? [];
  const exact = all.filter((folder) => folder.name === name);
  const candidates = exact.length > 0 ? exact : all;
  const best = candidates.find((folder) => folder.text !== undefined) ?? candidates[0];
  if (best === undefined) return undefined;
  if (best.text !== undefined) return { text: best.text.bytes, skill: best.skill ?? best.unnamed };
  return { failure: best.failure ?? 'no-skill-file' };
}

const skillProblem = ({ root, relative, skill }: SkillFolder, issue: Issue): Problem =>
  problemAt(root, `${relative}/${skill.fileName}`, issue);

const shown = (skill: Skill): string => toOneLine(skill.name, 80);

const placeOf = (folder: SkillFolder): string => `${folder.relative} in ${folder.root.label}`;

const shadowed = (skill: Skill, owner: SkillFolder): Issue => ({
  rule: 'shadowed',
  severity: 'warning',
  message: `Cannot serve this skill by its name "${shown(skill)}": ${placeOf(owner)} comes first`,
  fix: `Rename or remove one of the two; this one is still served as ${skill.uri}`,
});

const sameFolder = (skill: Skill, owner: SkillFolder): Issue => ({
  rule: 'shadowed',
  severity: 'warning',
  message: `Cannot serve this copy of "${shown(skill)}": the same folder in ${owner.root.label} comes first`,
  fix: 'Remove one of the two copies, or rename this folder',
});

const looksLike = (skill: Skill, original: string): Issue => ({
  rule: 'look-alike',
  severity: 'error',
  message: `Cannot serve "${shown(skill)}": its name only looks like "${toOneLine(original, 80)}", with letters of another script`,
  fix: 'Retype the name in one script, or give the skill a name of its own',
});
