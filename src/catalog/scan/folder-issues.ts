// Why a folder could not be searched, or not whole.
import type { Issue } from '../../document/issue.ts';
import { MAX_DEPTH } from './folder-draft.ts';

export const deniedFolder: Issue = {
  rule: 'folder-unreadable',
  severity: 'error',
  message: 'Cannot look into this folder: permission denied',
  fix: 'Give yourself permission to read it (chmod u+rx)',
};

export const tooManyFolders: Issue = {
  rule: 'too-many-folders',
  severity: 'error',
  message: 'Cannot search everything below: there are more than 100,000 folders',
  fix: 'Choose a root that holds skills and little else',
};

export const tooDeep: Issue = {
  rule: 'too-deep',
  severity: 'warning',
  message: `Cannot serve this SKILL.md: it lies more than ${MAX_DEPTH} folders below the root`,
  fix: 'Move the skill up, or use a folder nearer to it as a root',
};

export const rootIsASkill: Issue = {
  rule: 'root-is-a-skill',
  severity: 'warning',
  message: 'Cannot serve this SKILL.md: it lies in the root itself, and skills are the folders in a root',
  fix: 'Use the folder above as the root, or move the skill into a folder of its own',
};

export const undecodableName: Issue = {
  rule: 'folder-name-invalid',
  severity: 'error',
  message: 'Cannot look into this folder: its name is not valid UTF-8',
  fix: 'Rename the folder with plain letters, digits and hyphens',
};
