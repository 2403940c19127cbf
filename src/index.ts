// The library: every public name, listed by hand. Each line is a promise.

export type { Catalog, RootStatus } from './catalog/catalog.ts';
export type { CatalogChange } from './catalog/compare-snapshots.ts';
export type { DirectoryChild } from './catalog/directory-children.ts';
export type { HostPlaces } from './catalog/find-native.ts';
export type { FolderDocument } from './catalog/folder-document.ts';
export type { FolderFailure } from './catalog/found-folder.ts';
export type { Page as SkillPage } from './catalog/page.ts';
export type { Root } from './catalog/roots.ts';
export { contentOf, type Problem, type Skill } from './catalog/skill.ts';
export type { FolderAnswer, Snapshot } from './catalog/snapshot.ts';
export type { Issue, Severity } from './document/issue.ts';
export type { Manifest, ManifestFile } from './document/manifest.ts';
export { type OpenCatalogOptions, openCatalog } from './open-catalog.ts';
export {
  createRepertoire,
  type FileAddress,
  type LoadNote,
  type NoteLoad,
  type Repertoire,
  type RepertoireOptions,
  type SkillFileContent,
  type SkillHit,
} from './repertoire/repertoire.ts';
export { defineConfig, type UserConfig } from './settings/user-config.ts';
export { defineSkill } from './skills/define-skill.ts';
export { secret } from './skills/secrets/secret.ts';
export { failure } from './skills/skill-failure.ts';
export type { Result } from './values/result.ts';
