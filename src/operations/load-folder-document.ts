// A SKILL.md that is asked for by its folder's name: loaded, noted, and the same object on every surface (T6, D9).
import type { LoadNote } from '../repertoire/load-log.ts';
import type { FolderDocument, Repertoire } from '../repertoire/repertoire.ts';
import { ok, type Result } from '../values/result.ts';

interface LoadedFolder extends Pick<FolderDocument, 'availability'> {
  readonly document: Readonly<Record<'skill_name' | 'documentation', string>>;
}

/** `reader`: who reads it, and as what. */
export function loadFolderDocument(
  repertoire: Repertoire,
  folderName: string,
  reader: Pick<LoadNote, 'client' | 'caller'>,
): Result<LoadedFolder, string> {
  const found = repertoire.loadByFolder(folderName);
  if (!found.ok) return found;
  const { skillName, documentation, availability } = found.value;
  const folder = repertoire.snapshot.findFolder(skillName);
  // In the log it has the skill's own name, where the folder holds a named one.
  const named = folder && 'skill' in folder ? folder.skill?.name : undefined;
  repertoire.noteLoad({ skillName: named ?? skillName, text: documentation, ...reader, surface: 'get_skill' });
  return ok({ document: { skill_name: skillName, documentation }, availability });
}
