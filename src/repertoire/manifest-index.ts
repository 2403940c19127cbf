// The files of a skill as it serves them, those of skills inside it included: put together, or one looked up.
import type { Catalog } from '../catalog/catalog.ts';
import type { Skill } from '../catalog/view/skill.ts';
import type { Manifest, ManifestFile } from '../document/manifest.ts';
import { compareCodePoints } from '../document/names.ts';
import { skillUri } from '../document/skill-uri.ts';
import type { FileAddress } from './repertoire.ts';

/**
 * What lies below a served nested skill is as that skill serves it: under one address there is one state (R2). It may
 * come from another root, or be a text that is held while the file on disk is broken.
 */
export function manifestOf(catalog: Catalog, skill: Skill): Manifest {
  const manifest = catalog.manifestOf(skill);
  const nested = new Map<string, readonly ManifestFile[]>();
  for (const path of manifest.folders) {
    const inner = findNested(catalog, skill, path);
    if (inner) nested.set(path, catalog.manifestOf(inner).files);
  }
  if (nested.size === 0) return manifest;
  const isServedBy = (owner: string, path: string) =>
    (foldersAbove(path).find((each) => nested.has(each)) ?? '') === owner;
  const all = [...nested.set('', manifest.files)]
    .flatMap(([owner, files]) =>
      (owner === '' ? files : files.map((file) => within(owner, file))).filter(({ path }) => isServedBy(owner, path)),
    )
    .sort((a, b) => compareCodePoints(a.path, b.path));
  return { ...manifest, files: all, totalSize: all.reduce((sum, file) => sum + file.size, 0) };
}

const within = (folder: string, file: ManifestFile): ManifestFile => ({ ...file, path: `${folder}/${file.path}` });

const findNested = (catalog: Catalog, skill: Skill, folder: string): Skill | undefined =>
  catalog.current.findByUri(skillUri([...skill.segments, ...folder.split('/')]));

/** `a/b/c.md` → `a/b`, `a`. */
function foldersAbove(path: string): readonly string[] {
  const above: string[] = [];
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) above.push(path.slice(0, at));
  return above;
}

/** One who reads all files of a skill looks each of them up. */
interface ManifestIndex {
  /** By path. */
  readonly files: ReadonlyMap<string, ManifestFile>;
  /** By URI. */
  readonly paths: ReadonlyMap<string, string>;
  readonly folders: ReadonlySet<string>;
}

const indexes = new WeakMap<Manifest, ManifestIndex>();

export function indexOf(manifest: Manifest): ManifestIndex {
  const known = indexes.get(manifest);
  if (known) return known;
  const files = new Map(manifest.files.map((file) => [file.path, file]));
  const paths = new Map(manifest.files.map(({ uri, path }) => [uri, path]));
  const index = { files, paths, folders: new Set(manifest.folders) };
  indexes.set(manifest, index);
  return index;
}

/** What `manifestOf` has at this path, without putting all of it together. */
export function findInManifest(catalog: Catalog, { skill, path }: FileAddress): ManifestFile | undefined {
  const { files, folders } = indexOf(catalog.manifestOf(skill));
  for (const folder of foldersAbove(path)) {
    const inner = folders.has(folder) ? findNested(catalog, skill, folder) : undefined;
    if (inner === undefined) continue;
    const file = indexOf(catalog.manifestOf(inner)).files.get(path.slice(folder.length + 1));
    return file && within(folder, file);
  }
  return files.get(path);
}
