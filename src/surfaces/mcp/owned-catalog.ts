// A catalog in which some files have the texts that a server's owner gives them: every way to read one gives the same (T10).
import type { Catalog } from '../../catalog/catalog.ts';
import type { Skill } from '../../catalog/view/skill.ts';
import type { FolderAnswer, Snapshot } from '../../catalog/view/snapshot.ts';
import { digestOf, type Manifest } from '../../document/manifest.ts';
import { compareNamed, normaliseName } from '../../document/names.ts';
import { fileUri, parseSkillUri } from '../../document/skill-uri.ts';
import { ok } from '../../values/result.ts';
import { manifestOfText, skillOfText } from './fallback-catalog.ts';
import { type OwnedContent, ourSpelling } from './owner-resources.ts';

/** By our spelling of an address. `undefined`: it is the owner's, and what it holds is not known. */
export type OwnedTexts = ReadonlyMap<string, OwnedContent | undefined>;

export function withOwnedTexts(catalog: Catalog, texts: OwnedTexts): Catalog {
  const snapshots = new WeakMap<Snapshot, Snapshot>();
  // Of every state that was seen: a reader may hold a skill of the one before.
  const originals = new WeakMap<Skill, Skill>();
  const added = new WeakSet<Skill>();
  const originalOf = (skill: Skill) => originals.get(skill) ?? skill;
  const isAdded = (skill: Skill) => added.has(skill);
  const ownedAt = ({ segments }: Skill, path: string) => texts.get(fileUri(segments, path));
  return {
    get current() {
      const known = snapshots.get(catalog.current);
      if (known) return known;
      const owned = ownSkills(catalog.current, texts);
      for (const [skill, replacement] of owned.replaced) originals.set(replacement, skill);
      for (const skill of owned.added) added.add(skill);
      const snapshot = overlay(catalog.current, owned);
      snapshots.set(catalog.current, snapshot);
      return snapshot;
    },
    get isWhole() {
      return catalog.isWhole;
    },
    get roots() {
      return catalog.roots;
    },
    whole: () => catalog.whole(),
    manifestOf: (skill) =>
      isAdded(skill) ? manifestOfText(skill) : ownedManifest(catalog.manifestOf(originalOf(skill)), texts),
    loadManifests: () => catalog.loadManifests(),
    readFile: async (skill, path) => {
      const owned = isAdded(skill) || path === skill.fileName ? skill : ownedAt(skill, path);
      return owned === undefined ? catalog.readFile(originalOf(skill), path) : ok(owned.bytes);
    },
    openFile: (skill, path) =>
      isAdded(skill) || path === skill.fileName || ownedAt(skill, path)
        ? undefined
        : catalog.openFile(originalOf(skill), path),
    isExecutable: (skill, path) => !isAdded(skill) && catalog.isExecutable(originalOf(skill), path),
    subscribe: (listener) => catalog.subscribe(listener),
    refresh: () => catalog.refresh(),
    close: () => catalog.close(),
  };
}

interface OwnSkills {
  /** By the skill of the catalog: the same with the owner's text. */
  readonly replaced: ReadonlyMap<Skill, Skill>;
  /** That the catalog does not have. */
  readonly added: readonly Skill[];
}

function ownSkills(snapshot: Snapshot, texts: OwnedTexts): OwnSkills {
  const replaced = new Map<Skill, Skill>();
  const added: Skill[] = [];
  for (const [uri, content] of texts) {
    const found = snapshot.findByUri(uri);
    // The owner says what is at this address; a text without a name on disk is no skill that could say more.
    const skill = found?.isUnnamed ? undefined : found;
    const owned = skill ? withText(skill, content) : addedSkill(uri, content);
    if (skill && owned) replaced.set(skill, owned);
    else if (owned) added.push(owned);
  }
  return { replaced, added };
}

function overlay(snapshot: Snapshot, { replaced, added }: OwnSkills): Snapshot {
  const originals = new Map([...replaced].map(([skill, owned]) => [owned, skill]));
  const byUri = new Map(added.map((skill) => [skill.uri, skill]));
  // A text without a name on disk gives way to what the owner has at its address.
  const now = (skill: Skill): Skill => replaced.get(skill) ?? byUri.get(skill.uri) ?? skill;
  const before = (skill: Skill): Skill => originals.get(skill) ?? skill;
  // A skill of the catalog keeps its name.
  const byName = new Map(added.filter(({ name }) => !snapshot.findByName(name)).map((skill) => [skill.key, skill]));
  return {
    skills: [...snapshot.skills.map(now), ...added].sort(compareNamed),
    unnamed: snapshot.unnamed.filter(({ uri }) => !byUri.has(uri)),
    problems: snapshot.problems,
    sources: snapshot.sources,
    findByName: (name) => {
      const skill = snapshot.findByName(name);
      return skill ? now(skill) : byName.get(normaliseName(name));
    },
    isNamed: (skill) => snapshot.isNamed(before(skill)) || byName.get(skill.key) === skill,
    findByUri: (uri) => {
      const skill = snapshot.findByUri(uri);
      return skill ? now(skill) : byUri.get(ourSpelling(uri));
    },
    findFolder: (name) => findFolder(snapshot.findFolder(name), added, name, now),
    copiesOf: (skill) => snapshot.copiesOf(before(skill)),
    findNative: (places) => new Set([...snapshot.findNative(places)].map(now)),
    findUnusedWithout: () => snapshot.findUnusedWithout(),
  };
}

/** The catalog says what it is called, the owner what it says. */
function withText(skill: Skill, content: OwnedContent | undefined): Skill {
  // A skill's bytes are an accessor, which is not copied with the rest.
  if (content?.text === undefined) return { ...skill, bytes: content?.bytes ?? skill.bytes, listable: false };
  if (content.bytes.equals(skill.bytes)) return skill;
  const { bytes, frontmatter, issues, listable } = skillOfText(skill.segments, content.text, skill);
  return { ...skill, bytes, frontmatter, issues, listable, availability: 'available' };
}

/** In the lists of tools alone: which files belong to it only the owner knows. */
function addedSkill(uri: string, content: OwnedContent | undefined): Skill | undefined {
  const segments = parseSkillUri(uri);
  const folders = segments.ok && segments.value.at(-1) === 'SKILL.md' ? segments.value.slice(0, -1) : [];
  if (folders.length === 0 || content?.text === undefined) return undefined;
  const description = content.description ?? `A skill of this server: ${folders.at(-1)}`;
  const origin = { description, source: 'server', availability: 'available' } as const;
  return { ...skillOfText(folders, content.text, origin), listable: false };
}

function findFolder(
  answer: FolderAnswer | undefined,
  added: readonly Skill[],
  name: string,
  now: (skill: Skill) => Skill,
): FolderAnswer | undefined {
  if (answer && 'text' in answer) {
    const skill = answer.skill && now(answer.skill);
    return skill === answer.skill ? answer : { text: skill?.bytes ?? answer.text, skill };
  }
  const skill = added.find(({ segments }) => segments.at(-1)?.toLowerCase() === name.toLowerCase());
  return skill ? { text: skill.bytes, skill } : answer;
}

function ownedManifest(manifest: Manifest, texts: OwnedTexts): Manifest {
  if (!manifest.files.some(({ uri }) => texts.has(uri))) return manifest;
  const files = manifest.files.map((file) => {
    const bytes = texts.get(file.uri)?.bytes;
    return bytes ? { ...file, digest: digestOf(bytes), size: bytes.length } : file;
  });
  // An entry of the extension says what every file holds: where one is not known, there is none.
  const isComplete = manifest.isComplete && files.every(({ uri }) => !texts.has(uri) || texts.get(uri) !== undefined);
  return { ...manifest, files, isComplete, totalSize: files.reduce((sum, { size }) => sum + size, 0) };
}
