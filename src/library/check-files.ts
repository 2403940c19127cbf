// Files that are sent as a version of a skill: everything that is wrong with them, or the version that they are (L7). Pure.
import { isUtf8 } from 'node:buffer';
import type { FrontmatterReader } from '../document/frontmatter.ts';
import { parseSkillDocument } from '../document/skill-document.ts';
import { isValidName } from '../document/validate.ts';
import { foldName } from '../sources/choose-files.ts';
import { sha256Of, skillDigest } from '../sources/skill-digest.ts';
import { grouped } from '../text/counted.ts';
import { toOneLine } from '../text/one-line.ts';
import { fail, ok, type Result } from '../values/result.ts';
import type { VersionFile } from './library.ts';

/** With exactly one of `text` and `base64`. */
export interface GivenFile {
  readonly path: string;
  readonly text?: string;
  readonly base64?: string;
  readonly executable?: boolean;
}

export interface CheckedFiles {
  readonly digest: string;
  readonly files: readonly (VersionFile & { readonly bytes: Buffer })[];
}

export const MOST_FILES = 512;
export const MOST_BYTES = 16 * 1_048_576;
/** As `check` and the tools have it (T6). */
const MOST_SKILL_BYTES = 1_048_576;

/** `name`: the address. The failure has a sentence for every fault. */
export function checkFiles(
  name: string,
  given: readonly GivenFile[],
  yaml: FrontmatterReader,
): Result<CheckedFiles, readonly string[]> {
  const read = given.map(readFile);
  // Only of as many as there may be, and of good paths: what a path of a million parts collides with takes long to find.
  const placed = given.slice(0, MOST_FILES).filter((_, at) => read[at]?.isPlaced);
  const faults = [
    ...(isValidName(name) ? [] : [`name: "${toOneLine(name, 80)}" is no name for a skill: ${NAME_RULE}`]),
    ...(given.length > MOST_FILES
      ? [`files: there are ${grouped(given.length)}, and a skill may have ${MOST_FILES}`]
      : []),
    ...read.flatMap((file) => file.faults),
    ...collisionsIn(placed),
    ...sizeFaults(read),
    ...skillFaults(name, read, yaml),
  ];
  if (faults.length > 0) return fail(faults);
  const files = read.map(({ path, bytes, executable }) => ({
    path,
    bytes,
    executable,
    sha256: sha256Of(bytes),
    size: bytes.length,
  }));
  files.sort((a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)));
  return ok({ digest: skillDigest(files), files });
}

const NAME_RULE = 'use 1 to 64 lower-case letters a-z, digits and single hyphens between words';

interface ReadFile {
  readonly path: string;
  readonly bytes: Buffer;
  readonly executable: boolean;
  /** Its path is good. */
  readonly isPlaced: boolean;
  readonly faults: readonly string[];
}

function readFile({ path, text, base64, executable = false }: GivenFile): ReadFile {
  const faults = pathFaults(path);
  const isPlaced = faults.length === 0;
  const at = shown(path);
  if ((text === undefined) === (base64 === undefined)) faults.push(`${at}: send exactly one of text and base64`);
  if (text !== undefined && /\p{Surrogate}/u.test(text)) faults.push(`${at}: its text has half a character`);
  if (base64 !== undefined && !isBase64(base64)) faults.push(`${at}: what it has is not base64`);
  const bytes = text === undefined ? Buffer.from(base64 ?? '', 'base64') : Buffer.from(text);
  return { path, bytes, executable, isPlaced, faults };
}

const isBase64 = (text: string): boolean => text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);

const shown = (path: string): string => `"${toOneLine(path, 120)}"`;

/** No file system gives more to a name, or to a path below the data directory. */
const LONGEST_NAME = 255;
const LONGEST_PATH = 1_024;
/** Taken by other systems for a repository of their own. */
const FORBIDDEN = /^(?:\.git|git~\d+)$/i;

function pathFaults(path: string): string[] {
  const parts = path.split('/');
  const at = shown(path);
  const leaves = path.startsWith('/') || path.includes('\\') || /^[a-z]:/i.test(path) || parts.includes('..');
  if (leaves) return [`${at}: a path must stay in the skill's folder, with / between its parts`];
  const isBad =
    parts.some((part) => part === '' || part === '.' || FORBIDDEN.test(part)) || /[\p{Cc}\p{Surrogate}]/u.test(path);
  if (isBad) return [`${at}: is no path for a file of a skill`];
  const isLong = Buffer.byteLength(path) > LONGEST_PATH || parts.some((part) => Buffer.byteLength(part) > LONGEST_NAME);
  return isLong ? [`${at}: its path is too long`] : [];
}

/** Two names that are one on a disk without letter case, or a file where another needs a folder. */
function collisionsIn(files: readonly GivenFile[]): readonly string[] {
  const faults: string[] = [];
  const seen = new Map<string, { readonly part: string; readonly isFile: boolean }>();
  for (const { path } of files) {
    const parts = path.split('/');
    for (let length = 1; length <= parts.length; length += 1) {
      const part = parts.slice(0, length).join('/');
      const isFile = length === parts.length;
      const before = seen.get(foldName(part));
      if (before === undefined) seen.set(foldName(part), { part, isFile });
      else if (before.part !== part || isFile || before.isFile) {
        faults.push(
          before.part === part
            ? `${shown(part)}: is there twice`
            : `${shown(part)}: is the same name as ${shown(before.part)} where letter case does not count`,
        );
        break;
      }
    }
  }
  return faults;
}

function sizeFaults(files: readonly ReadFile[]): readonly string[] {
  const bytes = files.reduce((sum, file) => sum + file.bytes.length, 0);
  if (bytes <= MOST_BYTES) return [];
  return [`files: they have ${grouped(bytes)} bytes together, and a skill may have ${grouped(MOST_BYTES)}`];
}

const isSkillFile = (path: string): boolean => /(?:^|\/)skill\.md$/i.test(path);

/** Skills inside the skill are skills of their own: their errors are errors, too (D2). */
function skillFaults(name: string, files: readonly ReadFile[], yaml: FrontmatterReader): readonly string[] {
  const own = files.filter(({ path }) => isSkillFile(path));
  const faults = own.flatMap((file) => textFaults(file, yaml, file.path.includes('/') ? undefined : name));
  return own.some(({ path }) => !path.includes('/'))
    ? faults
    : ['files: there is no SKILL.md at the top of the folder', ...faults];
}

/** `name`: that the document must have. */
function textFaults({ path, bytes }: ReadFile, yaml: FrontmatterReader, name: string | undefined): readonly string[] {
  const at = shown(path);
  if (bytes.length > MOST_SKILL_BYTES) return [`${at}: is larger than ${grouped(MOST_SKILL_BYTES)} bytes`];
  if (!isUtf8(bytes)) return [`${at}: is not valid UTF-8`];
  const parsed = parseSkillDocument(bytes.toString('utf8'), yaml);
  const errors = (parsed?.issues ?? []).filter(({ severity }) => severity === 'error');
  const own = parsed?.document?.name;
  return [
    ...errors.map(({ message, line }) => `${at}: ${message}${line === undefined ? '' : ` (line ${line})`}`),
    ...(name !== undefined && own !== undefined && own !== name
      ? [`${at}: its name is "${toOneLine(own, 80)}", and the address says "${toOneLine(name, 80)}"`]
      : []),
  ];
}
