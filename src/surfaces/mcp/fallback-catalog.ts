// A catalog with texts to fall back on: each is served, as such, while its skill cannot be read from disk (T10).
import type { Catalog } from '../../catalog/catalog.ts';
import type { Skill } from '../../catalog/view/skill.ts';
import type { FolderAnswer, Snapshot } from '../../catalog/view/snapshot.ts';
import { digestOf, type Manifest } from '../../document/manifest.ts';
import { compareNamed, normaliseName } from '../../document/names.ts';
import { priorityOf } from '../../document/priority.ts';
import { parseSkillDocument } from '../../document/skill-document.ts';
import { canonicalSkillUri, directoryUri, parseSkillUri, skillUri } from '../../document/skill-uri.ts';
import { validateDocument } from '../../document/validate.ts';
import { readYamlFrontmatter } from '../../document/yaml-frontmatter.ts';
import { fail, ok } from '../../values/result.ts';

/** `texts`: by the URI of a SKILL.md. Throws on one that could never be served. */
export function withFallbacks(catalog: Catalog, texts: Readonly<Record<string, string>>): Catalog {
  const fallbacks = Object.entries(texts).map(([uri, text]) => fallbackSkill(uri, text));
  if (fallbacks.length === 0) return catalog;
  const isFallback = (skill: Skill): boolean => fallbacks.includes(skill);
  const snapshots = new WeakMap<Snapshot, Snapshot>();
  return {
    get current() {
      const known = snapshots.get(catalog.current) ?? fillGaps(catalog.current, fallbacks);
      snapshots.set(catalog.current, known);
      return known;
    },
    get isWhole() {
      return catalog.isWhole;
    },
    get roots() {
      return catalog.roots;
    },
    whole: () => catalog.whole(),
    manifestOf: (skill) => (isFallback(skill) ? manifestOfText(skill) : catalog.manifestOf(skill)),
    loadManifests: () => catalog.loadManifests(),
    readFile: async (skill, path) => {
      if (!isFallback(skill)) return catalog.readFile(skill, path);
      return path === skill.fileName ? ok(skill.bytes) : fail('it is not one of the files of the skill');
    },
    openFile: (skill, path) => (isFallback(skill) ? undefined : catalog.openFile(skill, path)),
    isExecutable: (skill, path) => !isFallback(skill) && catalog.isExecutable(skill, path),
    subscribe: (listener) => catalog.subscribe(listener),
    refresh: () => catalog.refresh(),
    close: () => catalog.close(),
  };
}

function fillGaps(snapshot: Snapshot, fallbacks: readonly Skill[]): Snapshot {
  const needed = fallbacks.filter(({ uri }) => snapshot.findByUri(uri)?.isUnnamed !== false);
  if (needed.length === 0) return snapshot;
  const byUri = new Map(needed.map((skill) => [skill.uri, skill]));
  // A skill that can be read keeps its name.
  const unnamed = needed.filter(({ name }) => snapshot.findByName(name) === undefined);
  const byName = new Map(unnamed.map((skill) => [skill.key, skill]));
  return {
    skills: [...snapshot.skills, ...needed].sort(compareNamed),
    unnamed: snapshot.unnamed.filter(({ uri }) => !byUri.has(uri)),
    problems: snapshot.problems,
    sources: snapshot.sources,
    findByName: (name) => snapshot.findByName(name) ?? byName.get(normaliseName(name)),
    isNamed: (skill) => snapshot.isNamed(skill) || byName.get(skill.key) === skill,
    findByUri: (uri) => {
      const found = snapshot.findByUri(uri);
      return found && !found.isUnnamed ? found : (byUri.get(canonicalOf(uri)) ?? found);
    },
    findFolder: (name) => findFolder(snapshot, needed, name),
    copiesOf: (skill) => snapshot.copiesOf(skill),
    findNative: (places) => snapshot.findNative(places),
    findUnusedWithout: () => snapshot.findUnusedWithout(),
  };
}

const canonicalOf = (uri: string): string => {
  const canonical = canonicalSkillUri(uri);
  return canonical.ok ? canonical.value : uri;
};

function findFolder(snapshot: Snapshot, needed: readonly Skill[], name: string): FolderAnswer | undefined {
  const answer = snapshot.findFolder(name);
  if (answer && 'text' in answer) return answer;
  const skill = needed.find(({ segments }) => segments.at(-1)?.toLowerCase() === name.toLowerCase());
  return skill ? { text: skill.bytes, skill } : answer;
}

/** Its frontmatter counts as it would on disk; without one it has the name of its folder and stays out of skills/list. */
function fallbackSkill(requested: string, text: string): Skill {
  const segments = parseSkillUri(requested);
  if (!segments.ok || segments.value.length < 2 || segments.value.at(-1) !== 'SKILL.md') {
    throw new Error(`Cannot add skills: fallback has "${requested}"; use URIs like skill://my-skill/SKILL.md`);
  }
  if (text.trim() === '') {
    throw new Error(`Cannot add skills: the fallback of ${requested} is empty; give the text to serve`);
  }
  const description = `Fallback text of the skill ${segments.value.at(-2)}`;
  return skillOfText(segments.value.slice(0, -1), text, { description, source: 'fallback', availability: 'fallback' });
}

interface TextOrigin extends Pick<Skill, 'source' | 'availability'> {
  /** For a text that has none of its own. */
  readonly description: string;
}

/** A skill that is on no disk, at these folders below `skill://`. */
export function skillOfText(folders: readonly string[], text: string, origin: TextOrigin): Skill {
  const folder = folders.at(-1) ?? '';
  const document = parseSkillDocument(text, readYamlFrontmatter)?.document;
  const issues = document ? validateDocument(document, folder) : [];
  const name = document?.name ?? folder;
  return {
    name,
    key: normaliseName(name),
    isUnnamed: false,
    description: document?.description ?? origin.description,
    // Nothing of it is on disk: its address stands where a directory would.
    baseDirectory: directoryUri(folders),
    filePath: `${directoryUri(folders)}/SKILL.md`,
    fileName: 'SKILL.md',
    source: origin.source,
    segments: folders,
    isOfProject: false,
    isShared: false,
    isNested: false,
    priority: document ? priorityOf(document.frontmatter) : 0,
    uri: skillUri(folders),
    bytes: Buffer.from(text),
    frontmatter: document?.frontmatter ?? {},
    lastLoaded: new Date(0),
    availability: origin.availability,
    issues,
    listable: document !== undefined && !document.repaired && issues.length === 0,
  };
}

/** Of a skill that is one text. */
export const manifestOfText = ({ bytes, fileName: path, uri }: Skill): Manifest => ({
  files: [{ path, uri, digest: digestOf(bytes), size: bytes.length, mimeType: 'text/markdown' }],
  folders: [],
  totalSize: bytes.length,
  isComplete: true,
});
