// A skill's folder on the disk as the files of a version, and back (L1). Links are not followed.
import { lstatSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { parseSkillDocument } from '../../document/skill-document.ts';
import { readYamlFrontmatter } from '../../document/yaml-frontmatter.ts';
import { makeDirectory } from '../../files/make-directory.ts';
import { checkFiles, type GivenFile, MOST_BYTES, MOST_FILES } from '../../library/check-files.ts';
import { grouped } from '../../text/counted.ts';
import { toOneLine } from '../../text/one-line.ts';
import { codeOf } from '../../values/error-code.ts';
import { fail, ok, type Result } from '../../values/result.ts';

export interface SkillFolder {
  readonly name: string;
  readonly files: readonly GivenFile[];
}

/** The failure is a sentence. */
export function readSkillFolder(given: string, workingDirectory: string): Result<SkillFolder, string> {
  const directory = resolve(workingDirectory, given);
  const shown = `"${toOneLine(given)}"`;
  if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory())
    return fail(`Cannot publish ${shown}: it is not a folder`);
  try {
    const files: GivenFile[] = [];
    const room = { files: MOST_FILES, bytes: MOST_BYTES };
    const links: string[] = [];
    const fault = collect(directory, '', { files, links }, room);
    if (fault !== undefined) return fail(`Cannot publish ${shown}: ${fault}`);
    const name = nameOf(files) ?? basename(directory);
    if (links.length > 0) return fail(`Cannot publish ${shown}: ${[...links, ...faultsOf(name, files)].join('; ')}`);
    if (!files.some(({ path }) => /^skill\.md$/i.test(path)))
      return fail(`Cannot publish ${shown}: it has no SKILL.md; name the folder of a skill`);
    return ok({ name, files });
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return fail(`Cannot publish ${shown}: it cannot be read (${codeOf(error)})`);
  }
}

/** What else is wrong: it is told at once (L7). */
function faultsOf(name: string, files: readonly GivenFile[]): readonly string[] {
  const checked = checkFiles(name, files, readYamlFrontmatter);
  return checked.ok ? [] : checked.failure;
}

interface Collected {
  readonly files: GivenFile[];
  /** A sentence for each entry that is no file. */
  readonly links: string[];
}

/** What is wrong, if something is. Stops as soon as there is too much: the folder may be any. */
function collect(
  directory: string,
  below: string,
  into: Collected,
  room: { files: number; bytes: number },
): string | undefined {
  for (const entry of readdirSync(join(directory, below), { withFileTypes: true })) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) {
      const fault = entry.name === '.git' ? undefined : collect(directory, path, into, room);
      if (fault !== undefined) return fault;
      continue;
    }
    room.files -= 1;
    if (room.files < 0) return `it has more than ${MOST_FILES} files`;
    if (!entry.isFile()) {
      into.links.push(`"${toOneLine(path)}" is a link or a device: put the file itself there`);
      continue;
    }
    const { size, mode } = lstatSync(join(directory, path));
    room.bytes -= size;
    if (room.bytes < 0) return `its files have more than ${grouped(MOST_BYTES)} bytes together`;
    const executable = process.platform !== 'win32' && (mode & 0o100) !== 0;
    into.files.push({ path, base64: readFileSync(join(directory, path)).toString('base64'), executable });
  }
  return undefined;
}

/** As its SKILL.md says; the check reports what is wrong with that. */
function nameOf(files: readonly GivenFile[]): string | undefined {
  const own = files.find(({ path }) => path === 'SKILL.md') ?? files.find(({ path }) => /^skill\.md$/i.test(path));
  const text = Buffer.from(own?.base64 ?? '', 'base64').toString('utf8');
  return parseSkillDocument(text, readYamlFrontmatter)?.document?.name;
}

interface ExportedFile {
  readonly path: string;
  readonly bytes: Buffer;
  readonly executable: boolean;
}

/** Only into a folder that is empty, or not there. The failure is a sentence. */
export function writeSkillFolder(directory: string, files: readonly ExportedFile[]): Result<undefined, string> {
  const shown = `"${toOneLine(directory)}"`;
  try {
    const there = lstatSync(directory, { throwIfNoEntry: false });
    if (there && (!there.isDirectory() || readdirSync(directory).length > 0))
      return fail(`Cannot export to ${shown}: it is not empty; name another folder, or remove it first`);
    makeDirectory(directory, 0o777);
    for (const { path, bytes, executable } of files) {
      const file = join(directory, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, bytes, { flag: 'wx', mode: executable ? 0o755 : 0o644 });
    }
    return ok(undefined);
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return fail(`Cannot export to ${shown}: it cannot be written (${codeOf(error)})`);
  }
}
