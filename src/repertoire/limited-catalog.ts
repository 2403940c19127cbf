// A catalog without what is hidden: every reader of it finds what it would find if that were not on the disk (N4).
import type { Catalog } from '../catalog/catalog.ts';
import { type CatalogChange, compareSnapshots, type Swap } from '../catalog/view/compare-snapshots.ts';
import { type Hiding, type LimitedSnapshot, limitSnapshot } from '../catalog/view/limit-snapshot.ts';
import type { Skill } from '../catalog/view/skill.ts';
import type { Snapshot } from '../catalog/view/snapshot.ts';
import type { Manifest } from '../document/manifest.ts';
import { fail } from '../values/result.ts';

export interface LimitedCatalog extends Catalog {
  /** What is left of a change of the whole; `undefined`: nothing. */
  seenOf(swap: Swap): CatalogChange | undefined;
  /** Whether a skill of the library of this name is hidden, also where none is served. */
  hidesInLibrary(name: string): boolean;
}

export function limitCatalog(catalog: Catalog, hiding: Hiding): LimitedCatalog {
  const limited = new WeakMap<Snapshot, LimitedSnapshot>();
  // Also of skills that newer ones have replaced: who still holds one is shown no more of it.
  const remembered = new WeakMap<Skill, readonly string[]>();
  const viewOf = (snapshot: Snapshot): LimitedSnapshot => {
    const known = limited.get(snapshot);
    if (known !== undefined) return known;
    const made = limitSnapshot(snapshot, hiding);
    limited.set(snapshot, made);
    for (const [skill, folders] of made.inside) remembered.set(skill, folders);
    return made;
  };
  const hiddenIn = (skill: Skill): readonly string[] => {
    const { snapshot, inside } = viewOf(catalog.current);
    const isCurrent = snapshot.findByUri(skill.uri) === skill;
    return (isCurrent ? inside : remembered).get(skill) ?? NOTHING;
  };
  const isHidden = (skill: Skill, path: string) => hiddenIn(skill).some((folder) => isIn(folder, path));
  const manifests = new WeakMap<Manifest, Manifest>();
  const manifestOf = (skill: Skill): Manifest => {
    const manifest = catalog.manifestOf(skill);
    const hidden = hiddenIn(skill);
    if (hidden.length === 0) return manifest;
    // The same value for the same state: it is looked up by it.
    const known = manifests.get(manifest) ?? withoutFolders(manifest, hidden);
    manifests.set(manifest, known);
    return known;
  };
  // What is hidden in the folder of a skill that is seen may be all that changed of it.
  const looksSame = (known: Skill, skill: Skill): boolean =>
    hiddenIn(known).length + hiddenIn(skill).length > 0 &&
    isSameText(known, skill) &&
    hasSameFiles(manifestOf(known), manifestOf(skill));
  const seenOf = ({ before, snapshot }: Swap) =>
    compareSnapshots(viewOf(before).snapshot, viewOf(snapshot).snapshot, looksSame);
  return {
    get current() {
      return viewOf(catalog.current).snapshot;
    },
    get isWhole() {
      return catalog.isWhole;
    },
    get roots() {
      return catalog.roots.filter(({ root }) => !hiding.hidesRoot(root));
    },
    whole: () => catalog.whole(),
    manifestOf,
    loadManifests: () => catalog.loadManifests(),
    readFile: async (skill, path) =>
      isHidden(skill, path) ? fail('it is not one of the files of the skill') : catalog.readFile(skill, path),
    isExecutable: (skill, path) => !isHidden(skill, path) && catalog.isExecutable(skill, path),
    openFile: (skill, path) => (isHidden(skill, path) ? undefined : catalog.openFile(skill, path)),
    // Of what is hidden nothing is heard, not even that something has changed.
    subscribe: (listener) =>
      subscribeSwaps(catalog, (swap) => {
        const change = seenOf(swap);
        if (change !== undefined) listener(change);
      }),
    seenOf,
    hidesInLibrary: (name) => hiding.hidesInLibrary(name),
    refresh: async () => viewOf(await catalog.refresh()).snapshot,
    close: () => catalog.close(),
  };
}

/** What is hidden may stand before what is seen: a change there is none of the whole. */
const subscribeSwaps = (catalog: Catalog, listener: (swap: Swap) => void): (() => void) =>
  catalog.subscribeSwaps?.(listener) ?? catalog.subscribe(listener);

const NOTHING: readonly string[] = [];

const isIn = (folder: string, path: string): boolean => path === folder || path.startsWith(`${folder}/`);

function withoutFolders(manifest: Manifest, hidden: readonly string[]): Manifest {
  const isShown = (path: string) => !hidden.some((folder) => isIn(folder, path));
  const files = manifest.files.filter(({ path }) => isShown(path));
  const totalSize = files.reduce((sum, { size }) => sum + size, 0);
  return { ...manifest, files, folders: manifest.folders.filter(isShown), totalSize };
}

const isSameText = (a: Skill, b: Skill): boolean =>
  a.filePath === b.filePath &&
  a.availability === b.availability &&
  a.listable === b.listable &&
  a.bytes.equals(b.bytes) &&
  JSON.stringify(a.issues) === JSON.stringify(b.issues);

const hasSameFiles = (a: Manifest, b: Manifest): boolean =>
  a.isComplete === b.isComplete &&
  a.files.length === b.files.length &&
  a.files.every(({ path, digest }, index) => path === b.files[index]?.path && digest === b.files[index]?.digest);
