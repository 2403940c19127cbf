// A SKILL.md that was asked for by its folder's name, as JSON: the same object on every surface (T6).
import type { FolderDocument } from '../catalog/folder-document.ts';

export const folderDocumentJson = ({ skillName, documentation }: FolderDocument) => ({
  skill_name: skillName,
  documentation,
});
