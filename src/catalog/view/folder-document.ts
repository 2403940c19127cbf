// The text of a SKILL.md asked for by its folder's own name, or the one sentence that says why there is none (T6).
import { fail, ok, type Result } from '../../values/result.ts';
import type { FolderFailure } from './found-folder.ts';
import type { Snapshot } from './snapshot.ts';

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
}

export function findFolderDocument(snapshot: Snapshot, requested: string): Result<FolderDocument, string> {
  const name = requested.length > MAX_NAME ? `${requested.slice(0, MAX_NAME)}…` : requested;
  if (isUnsafe(requested))
    return fail(`Invalid skill name: '${name}'. Skill names must not contain '/', '\\', or '..'`);
  const answer = snapshot.findFolder(name);
  if (answer === undefined) return fail(`Skill '${name}' not found in skills folder`);
  if ('failure' in answer) return fail(failureText[answer.failure](name));
  return ok({ skillName: name, documentation: answer.text.toString('utf8') });
}

/** No folder has a longer name; a request may, and is not echoed whole. */
const MAX_NAME = 1_000;

/** A name that could lead anywhere but to a folder's own name is refused before anything is looked up. */
const isUnsafe = (name: string): boolean => name === '' || /[/\\]|\.\./.test(name);

const failureText = {
  'no-skill-file': (name) => `SKILL.MD not found for skill '${name}'`,
  empty: (name) => `SKILL.MD is empty for skill '${name}'`,
  denied: (name) => `Permission denied reading SKILL.MD for skill '${name}'`,
  'too-large': (name) => `SKILL.MD too large (>1MB) for skill '${name}'`,
  'invalid-utf8': (name) => `SKILL.MD contains invalid UTF-8 for skill '${name}'`,
} satisfies Record<FolderFailure, (name: string) => string>;
