// The facade that every surface calls: read the present snapshot, search, load a skill, read its files, invoke a typed one.
import { createBoundedMap } from '../async/bounded-map.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { type CatalogChange, compareSnapshots, type Swap } from '../catalog/view/compare-snapshots.ts';
import { type DirectoryChild, findChildren } from '../catalog/view/directory-children.ts';
import type { FolderFailure } from '../catalog/view/found-folder.ts';
import { nearestSkills } from '../catalog/view/nearest-skills.ts';
import { type Page, pageOf } from '../catalog/view/page.ts';
import { contentOf, type Skill } from '../catalog/view/skill.ts';
import type { Snapshot } from '../catalog/view/snapshot.ts';
import { isTextBytes, type Manifest, type ManifestFile } from '../document/manifest.ts';
import { directoryUri, parseSkillUri } from '../document/skill-uri.ts';
import { type Caller, LOCAL_OPERATOR } from '../identity/caller.ts';
import type { SkillAnswer } from '../skills/define/invocation.ts';
import type { RegisteredSkill } from '../skills/define/registered-skill.ts';
import type { InvokeRequest } from '../skills/run/active-invocation.ts';
import type { Runtime } from '../skills/run/runtime.ts';
import { withoutCredentials } from '../text/credentials.ts';
import { fail, ok, type Result } from '../values/result.ts';
import type { IndexFile } from './index-file.ts';
import type { LimitedCatalog } from './limited-catalog.ts';
import type { NoteFile, NoteLoad } from './load-log.ts';
import { findInManifest, indexOf, manifestOf } from './manifest-index.ts';
import { SEARCH_LIMIT, type SkillHit, SkillSearch } from './skill-search.ts';
import type { Visibility, VisibleView } from './visibility.ts';

export type { FileNote, LoadNote, NoteFile, NoteLoad } from './load-log.ts';
export { SEARCH_LIMIT, type SkillHit } from './skill-search.ts';

/**
 * One file of a skill as it was read. Its digest and size are those of `bytes`.
 *
 * @example
 * const address = repertoire.findFile('skill://sql-review/SKILL.md');
 * const read = address && (await repertoire.readFile(address));
 * if (read?.ok && read.value.isText) console.log(read.value.bytes.toString('utf8'));
 */
export interface SkillFileContent {
  readonly file: ManifestFile;
  readonly bytes: Buffer;
  /** Valid UTF-8: served as text. */
  readonly isText: boolean;
}

/**
 * One file of a skill that is read while it is sent: it never lies in memory as a whole.
 *
 * @example
 * const address = repertoire.findFile('skill://sql-review/references/measurements.csv');
 * const opened = address && repertoire.openFile(address);
 * if (opened) for (const piece of opened.pieces()) console.log(piece.length);
 */
export interface OpenedSkillFile {
  readonly file: ManifestFile;
  /** Valid UTF-8: served as text. */
  readonly isText: boolean;
  /** The bytes of `file.digest`. Throws, with the code `FILE_CHANGED`, before the last piece when it has changed. */
  pieces(): Generator<Buffer>;
}

/**
 * A SKILL.md that was asked for by the name of its folder.
 *
 * @example
 * const found = repertoire.loadByFolder('sql-review');
 * if (found.ok) console.log(found.value.skillName, found.value.documentation.length);
 */
export interface FolderDocument {
  /** As it was asked for. */
  readonly skillName: string;
  /** The whole SKILL.md. */
  readonly documentation: string;
  /** `fallback`: the file is broken now; this is its last good text (D8). */
  readonly availability: Skill['availability'];
}

/**
 * Everything one can ask about skills, of both kinds. `createRepertoire` makes one over a catalog.
 *
 * @example
 * const hits = await repertoire.search('review a migration', 3);
 * const skill = repertoire.loadByName('sql-review');
 * if (skill) console.log(repertoire.textOf(skill));
 */
export interface Repertoire {
  /** False for the first moments: skills inside other skills are still being searched for. */
  readonly isWhole: boolean;
  /** Resolves when every skill has been found. */
  whole(): Promise<void>;
  /**
   * The repertoire as this caller may see it: what the configuration hides from them is not there (N4). The same one for callers
   * who see the same, and this one where nothing is hidden.
   */
  for(caller: Caller): Repertoire;
  /** The skills and problems as they are now. */
  readonly snapshot: Snapshot;
  /** A document skill by its name, in any letter case. */
  loadByName(name: string): Skill | undefined;
  /** A document skill by the URI of its SKILL.md. */
  loadByUri(uri: string): Skill | undefined;
  /** A SKILL.md by the name of its folder; the failure is the sentence that every surface answers. */
  loadByFolder(name: string): Result<FolderDocument, string>;
  /** The full text of a skill's SKILL.md. */
  textOf(skill: Skill): string;
  /** One page of these skills, in name order. `undefined`: the cursor is none of ours. */
  page(skills: readonly Skill[], cursor: string | undefined, limit: number): Page | undefined;
  /** Skills that are served by their name, in name order: what another one shadows has only its URI. */
  named(): readonly Skill[];
  /** Those whose names are nearest to this one, for "did you mean". */
  nearest(name: string, limit: number): readonly Skill[];
  /**
   * The skills that fit the words, or a whole request, best first: of the typed ones those that the caller may invoke. All
   * of them when it is left out. The first search starts the index, and among many skills does not wait for it.
   */
  search(query: string, limit?: number, caller?: Caller): Promise<readonly SkillHit[]>;
  /** Makes the index and resolves when it is there: worth waiting for before many searches. */
  searchReady(): Promise<void>;
  /**
   * Every file of the skill, SKILL.md included, of the same state as the skill; below a nested skill what that one serves.
   * Asked for the first time it reads them all, now.
   */
  manifestOf(skill: Skill): Manifest;
  /** One file of what `manifestOf` gives, found without going through all of them; `SKILL.md` under any spelling on disk. */
  findManifestFile(address: FileAddress): ManifestFile | undefined;
  /** What lies directly in a folder of the skill:// tree. `undefined`: no such folder. */
  listDirectory(segments: readonly string[]): readonly DirectoryChild[] | undefined;
  /** The skill and path that a file's URI names; only files of a skill's manifest have one. */
  findFile(uri: string): FileAddress | undefined;
  /** The bytes of one file; the failure says why not, in half a sentence. */
  readFile(address: FileAddress): Promise<Result<SkillFileContent, string>>;
  /** Whether a file is a program: by the disk, or by the lock of its source. */
  isExecutable(address: FileAddress): boolean;
  /** A large file to be sent while it is read; `undefined` where `readFile` has to be asked. */
  openFile(address: FileAddress): OpenedSkillFile | undefined;
  /** Call it whenever you hand out a document skill: the load is recorded then. */
  readonly noteLoad: NoteLoad;
  /** Call it whenever you hand out another file of a document skill. */
  readonly noteFile: NoteFile;
  /** Hears of every change of the catalog; answers the function that ends it. */
  subscribe(listener: (change: CatalogChange) => void): () => void;
  /** The typed skills; none without a runtime. */
  readonly typedSkills: readonly RegisteredSkill[];
  /** Runs a typed skill. Never rejects: what goes wrong is a result, a name that no skill has NOT_FOUND. */
  invoke(request: InvokeRequest): Promise<SkillAnswer>;
}

/**
 * What a repertoire has beside its catalog. Every option may be left out.
 *
 * @example
 * const options: RepertoireOptions = { runtime, noteLoad: ({ skillName }) => console.log(skillName) };
 * const both = createRepertoire(catalog, options);
 */
export interface RepertoireOptions {
  /** Where loads are recorded; nowhere when absent. */
  readonly noteLoad?: NoteLoad;
  /** Where it is recorded which other files of document skills were read; nowhere when absent. */
  readonly noteFile?: NoteFile;
  /** Typed skills: search finds them beside the document skills, and `invoke` runs them. */
  readonly runtime?: Pick<Runtime, 'skills' | 'invoke'> | undefined;
}

/**
 * One file of a skill: the skill and a path of its manifest.
 *
 * @example
 * const address: FileAddress | undefined = repertoire.findFile('skill://sql-review/SKILL.md');
 * if (address) console.log(address.skill.name, address.path);
 */
export interface FileAddress {
  readonly skill: Skill;
  /** Below the skill's folder, with `/`. */
  readonly path: string;
}

/**
 * The facade that every surface asks: search, lookups by name, URI or folder, manifests, files, and typed skills when
 * it is given a runtime (`createRuntime` of `repertoire/skills`). It opens nothing: close the catalog and the runtime.
 *
 * @example
 * const repertoire = createRepertoire(catalog, { runtime });
 * for (const { name, why } of await repertoire.search('greet a person')) console.log(name, why);
 * const answer = await repertoire.invoke({ name: 'greet', input: { name: 'Ada' } });
 */
export const createRepertoire = (catalog: Catalog, options: RepertoireOptions = {}): Repertoire =>
  createKeptRepertoire(catalog, options, {});

export interface KeptParts {
  /** Where the search index is kept between two starts; nowhere when absent. */
  readonly indexFile?: IndexFile | undefined;
  /** Who may see what; everyone everything when absent. */
  readonly visibility?: Visibility | undefined;
}

export function createKeptRepertoire(
  catalog: Catalog,
  options: RepertoireOptions,
  { indexFile, visibility }: KeptParts,
): Repertoire {
  const { noteLoad = () => undefined, noteFile = () => undefined, runtime } = options;
  const search = new SkillSearch({ catalog, typed: runtime?.skills ?? [], indexFile });
  const views = visibility && createViews(catalog, options, visibility);
  const viewFor = views?.viewFor;
  const repertoire: Repertoire = {
    get isWhole() {
      return catalog.isWhole;
    },
    whole: () => catalog.whole(),
    for: (caller) => viewFor?.(caller) ?? repertoire,
    get snapshot() {
      return catalog.current;
    },
    loadByName: (name) => catalog.current.findByName(name),
    loadByUri: (uri) => catalog.current.findByUri(uri),
    loadByFolder: (name) => findFolderDocument(catalog.current, name),
    textOf: contentOf,
    page: pageOf,
    named: () => namedSkills(catalog.current),
    nearest: (name, limit) => nearestSkills(namedSkills(catalog.current), name, limit),
    search: (query, limit = SEARCH_LIMIT.usual, caller = LOCAL_OPERATOR) =>
      viewFor?.(caller)?.search(query, limit, caller) ?? search.find(query, limit, caller),
    searchReady: () => search.ready(),
    manifestOf: (skill) => manifestOf(catalog, skill),
    findManifestFile: (address) => findManifestFile(catalog, address),
    listDirectory: (segments) => findChildren(catalog.current, segments, (skill) => manifestOf(catalog, skill)),
    findFile: (uri) => findFile(catalog, uri),
    readFile: (address) => readFile(catalog, address),
    isExecutable: (address) => {
      const { skill, path } = ownAddress(catalog, address);
      return catalog.isExecutable(skill, path);
    },
    openFile: (address) => openFile(catalog, address),
    noteLoad,
    noteFile,
    subscribe: (listener) => catalog.subscribe(listener),
    typedSkills: runtime?.skills ?? [],
    invoke: runtime?.invoke ?? invokeNothing,
  };
  if (views !== undefined) viewed.set(repertoire, views);
  return repertoire;
}

/** Of those that were asked for last: each has an index of its own, so that no score tells of what is hidden. */
const MOST_VIEWS = 32;

/** `undefined`: this caller sees everything. A view hides nothing more from anyone: it is asked as it is. */
function createViews(catalog: Catalog, options: RepertoireOptions, visibility: Visibility) {
  const views = createBoundedMap<string, Repertoire>({ most: MOST_VIEWS });
  const viewFor = (caller: Caller): Repertoire | undefined => {
    const view = visibility.viewOf(caller);
    if (view === undefined) return undefined;
    const known = views.get(view.key) ?? createView(view, catalog, options);
    views.set(view.key, known);
    return known;
  };
  return {
    viewFor,
    /** Those that are in use. */
    all: () => views.entries().map(([, view]) => view),
    subscribe: (listener: (swap: Swap) => void) => catalog.subscribeSwaps?.(listener) ?? catalog.subscribe(listener),
  };
}

const viewed = new WeakMap<Repertoire, ReturnType<typeof createViews>>();

/** The views of it that are in use, itself among them. */
export const viewsOf = (repertoire: Repertoire): readonly Repertoire[] => [
  repertoire,
  ...(viewed.get(repertoire)?.all() ?? []),
];

/** Hears of all that may be a change to one of its views. */
export const subscribeViews = (repertoire: Repertoire, listener: (swap: Swap) => void): (() => void) =>
  viewed.get(repertoire)?.subscribe(listener) ?? repertoire.subscribe(listener);

const limited = new WeakMap<Repertoire, LimitedCatalog>();
const names = new WeakMap<Repertoire, string>();

function createView(visible: VisibleView, whole: Catalog, options: RepertoireOptions): Repertoire {
  const catalog = visible.limit(whole);
  const view = createKeptRepertoire(catalog, options, {});
  limited.set(view, catalog);
  names.set(view, visible.name());
  return view;
}

/** What every server with the same limits calls this view; `undefined`: nothing is hidden in it. */
export const viewNameOf = (view: Repertoire): string | undefined => names.get(view);

/** What a new snapshot of all skills is to those who see this repertoire. `undefined`: nothing new. */
export function changeSeenBy(view: Repertoire, swap: Swap | CatalogChange): CatalogChange | undefined {
  const catalog = limited.get(view);
  if (catalog !== undefined) return catalog.seenOf(swap);
  return 'changed' in swap ? swap : compareSnapshots(swap.before, swap.snapshot);
}

/** Whether a skill of the library of this name is hidden from those who see this repertoire, also where none is served. */
export const hidesInLibrary = (view: Repertoire, name: string): boolean =>
  limited.get(view)?.hidesInLibrary(name) ?? false;

/** Without typed skills every name is unknown. Loaded when asked: reading documents does not pay for it. */
async function invokeNothing(request: InvokeRequest): Promise<SkillAnswer> {
  const { createRuntime } = await import('../skills/run/runtime.ts');
  return await createRuntime({ skills: [] }).invoke(request);
}

/** A name stands for one skill: those that another one shadows are served by their URI alone. */
const namedSkills = (snapshot: Snapshot): readonly Skill[] => snapshot.skills.filter(snapshot.isNamed);

/** The nearest skill folder above the file whose manifest has it. Client text is compared, never joined to a path. */
function findFile(catalog: Catalog, uri: string): FileAddress | undefined {
  const parsed = parseSkillUri(uri);
  if (!parsed.ok) return undefined;
  const segments = parsed.value;
  for (let length = segments.length - 1; length > 0; length -= 1) {
    const skill = catalog.current.findByUri(`${directoryUri(segments.slice(0, length))}/SKILL.md`);
    if (skill === undefined) continue;
    const wanted = directoryUri(segments);
    const path = indexOf(catalog.manifestOf(skill)).paths.get(wanted);
    // Not in the nearest: another root may hold a skill at a path that runs through the folders of this one.
    if (path !== undefined) return { skill, path };
  }
  return undefined;
}

/** SKILL.md under any spelling on disk has that one address, so it is that one path, too (R1). */
function findManifestFile(catalog: Catalog, { skill, path }: FileAddress): ManifestFile | undefined {
  const own = path === 'SKILL.md' ? indexOf(catalog.manifestOf(skill)).paths.get(skill.uri) : undefined;
  return findInManifest(catalog, { skill, path: own ?? path });
}

/** What a path of the manifest stands for: below a nested skill, that skill's own. */
function ownAddress(catalog: Catalog, address: FileAddress): FileAddress {
  const wanted = findInManifest(catalog, address);
  return (wanted && findFile(catalog, wanted.uri)) ?? address;
}

function openFile(catalog: Catalog, address: FileAddress): OpenedSkillFile | undefined {
  const { skill, path } = ownAddress(catalog, address);
  const opened = catalog.openFile(skill, path);
  const current = catalog.current.findByUri(skill.uri) ?? skill;
  const file = indexOf(catalog.manifestOf(current)).files.get(path);
  if (opened === undefined || file?.digest !== opened.digest) return undefined;
  return { file, isText: opened.isText, pieces: opened.pieces };
}

async function readFile(catalog: Catalog, address: FileAddress): Promise<Result<SkillFileContent, string>> {
  const { skill, path } = ownAddress(catalog, address);
  const read = await catalog.readFile(skill, path);
  if (!read.ok) return read;
  // Looked up after reading: the file may have changed on the way, and its digest is that of these bytes (R2).
  const current = catalog.current.findByUri(skill.uri) ?? skill;
  const file = indexOf(catalog.manifestOf(current)).files.get(path);
  if (file === undefined) return fail('it is not one of the files of the skill');
  return ok({ file, bytes: read.value, isText: isTextBytes(read.value) });
}

/** The failure is the one sentence that says why there is none (T6). */
function findFolderDocument(snapshot: Snapshot, requested: string): Result<FolderDocument, string> {
  const name = shortened(requested);
  if (isUnsafe(requested))
    return fail(`Invalid skill name: '${echoed(requested)}'. Skill names must not contain '/', '\\', or '..'`);
  const answer = snapshot.findFolder(name);
  if (answer === undefined) return fail(`Skill '${echoed(requested)}' not found in skills folder`);
  if ('failure' in answer) return fail(failureText[answer.failure](echoed(requested)));
  const { availability = 'available' } = answer.skill ?? {};
  return ok({ skillName: name, documentation: answer.text.toString('utf8'), availability });
}

/** No folder has a longer name; a request may, and is not echoed whole. */
const MAX_NAME = 1_000;

const shortened = (name: string): string => (name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}…` : name);

/** More is not looked at; what is cut here is not shown. */
const echoed = (name: string): string => shortened(withoutCredentials(name.slice(0, 2 * MAX_NAME)));

/** A name that could lead anywhere but to a folder's own name is refused before anything is looked up. */
const isUnsafe = (name: string): boolean => name === '' || /[/\\]|\.\./.test(name);

const failureText = {
  'no-skill-file': (name) => `SKILL.MD not found for skill '${name}'`,
  empty: (name) => `SKILL.MD is empty for skill '${name}'`,
  denied: (name) => `Permission denied reading SKILL.MD for skill '${name}'`,
  'too-large': (name) => `SKILL.MD too large (>1MB) for skill '${name}'`,
  'invalid-utf8': (name) => `SKILL.MD contains invalid UTF-8 for skill '${name}'`,
} satisfies Record<FolderFailure, (name: string) => string>;
