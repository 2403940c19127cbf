// The library: every public name, listed by hand. Each line is a promise.

export type { Catalog, RootStatus } from './catalog/catalog.ts';
export type { Root } from './catalog/scan/root.ts';
export type { CatalogChange } from './catalog/view/compare-snapshots.ts';
export type { DirectoryChild } from './catalog/view/directory-children.ts';
export type { FilePieces } from './catalog/view/file-records.ts';
export type { HostPlaces } from './catalog/view/find-native.ts';
export type { FolderFailure } from './catalog/view/found-folder.ts';
export type { Page as SkillPage } from './catalog/view/page.ts';
export { contentOf, type Problem, type Skill } from './catalog/view/skill.ts';
export type { FolderAnswer, Snapshot } from './catalog/view/snapshot.ts';
export type { Issue, Severity } from './document/issue.ts';
export type { Manifest, ManifestFile } from './document/manifest.ts';
export { type OpenCatalogOptions, openCatalog } from './open-catalog.ts';
export {
  createRepertoire,
  type FileAddress,
  type FileNote,
  type FolderDocument,
  type LoadNote,
  type NoteFile,
  type NoteLoad,
  type OpenedSkillFile,
  type Repertoire,
  type RepertoireOptions,
  type SkillFileContent,
  type SkillHit,
} from './repertoire/repertoire.ts';
export { defineConfig, type UserConfig, type VisibleSkills } from './settings/user-config.ts';
export { defineSkill } from './skills/define/define-skill.ts';
export { failure } from './skills/define/failure.ts';
export { secret } from './skills/define/secret.ts';
export type { Schedule } from './skills/durable/schedule.ts';
export type { Result } from './values/result.ts';
