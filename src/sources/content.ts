// What is kept of sources in the data directory: each skill under its digest, read-only, with its manifest beside it (S3). What is new
// is written aside and then given its name, so that a process that is killed leaves the old or the new, whole (S5).
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { open as openFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isAlive } from '../files/is-alive.ts';
import { makeDirectory } from '../files/make-directory.ts';
import { keepRename, nameBeside } from '../files/whole-file.ts';
import { codeOf } from '../values/error-code.ts';
import { hashFile } from './hash-file.ts';
import { hexOf, manifestText, type PinnedFile, parseManifest, sha256Of, skillDigest } from './skill-digest.ts';

export interface ContentPlace {
  /** Absolute: a folder for each skill, called by the digits of its digest. */
  readonly skills: string;
  readonly manifests: string;
  /** Absolute: what is in the making. */
  readonly making: string;
  /** Absolute: which locks use it. */
  readonly locks: string;
  /** Absolute: which entries of locks were compared with their sources. */
  readonly entries: string;
}

/** `of`: what it is kept for; nothing that is kept for one is touched by the other. */
export function contentPlace(dataDirectory: string, of: 'sources' | 'library' = 'sources'): ContentPlace {
  const at = (name: string) => join(dataDirectory, of, name);
  return {
    skills: at('skills'),
    manifests: at('manifests'),
    making: at('making'),
    locks: at('locks'),
    entries: at('entries'),
  };
}

/** How a file of a kept skill differs from what it must be. */
export interface Difference {
  /** Below the skill's folder; empty for the skill as a whole. */
  readonly path: string;
  readonly what: 'missing' | 'changed' | 'extra' | 'mode';
}

export interface KeptSkill {
  /** `undefined`: it is not known what its files must be. */
  readonly files: readonly PinnedFile[] | undefined;
  readonly differences: readonly Difference[];
}

const READ_ONLY = 0o444;
const READ_ONLY_EXECUTABLE = 0o555;

/** The manifest that goes with the digest. `undefined`: there is none, or not the one. */
export function loadManifest({ manifests }: ContentPlace, digest: string): readonly PinnedFile[] | undefined {
  const text = readText(join(manifests, hexOf(digest)));
  if (text === undefined || sha256Of(text) !== hexOf(digest)) return undefined;
  const parsed = parseManifest(text);
  return parsed.ok ? parsed.value : undefined;
}

/** Reads every byte, in pieces between which a server goes on answering. */
export async function checkSkill(place: ContentPlace, digest: string): Promise<KeptSkill> {
  const folder = join(place.skills, hexOf(digest));
  if (!isFolder(folder)) return { files: undefined, differences: [{ path: '', what: 'missing' }] };
  const there = listFiles(folder);
  const noted = loadManifest(place, digest);
  if (noted === undefined) {
    const found = await describeFiles(folder, there);
    // Without the list of its files no file can be checked when it is read: it is amiss even where every byte is right.
    const files = found !== undefined && skillDigest(found) === digest ? found : undefined;
    return { files, differences: [{ path: '', what: 'changed' }] };
  }
  return { files: noted, differences: [...(await differencesOf(folder, noted)), ...strangersIn(there, noted)] };
}

async function differencesOf(folder: string, files: readonly PinnedFile[]): Promise<readonly Difference[]> {
  const differences: Difference[] = [];
  for (const { path, sha256, executable } of files) {
    const found = await describeFile(join(folder, path));
    if (found === undefined) differences.push({ path, what: 'missing' });
    else if (found.sha256 !== sha256) differences.push({ path, what: 'changed' });
    else if (found.executable !== executable) differences.push({ path, what: 'mode' });
  }
  return differences;
}

function strangersIn(there: readonly string[], files: readonly PinnedFile[]): readonly Difference[] {
  const known = new Set(files.map(({ path }) => path));
  return there.filter((path) => !known.has(path)).map((path) => ({ path, what: 'extra' }));
}

async function describeFiles(folder: string, paths: readonly string[]): Promise<readonly PinnedFile[] | undefined> {
  const files: PinnedFile[] = [];
  for (const path of paths) {
    const { sha256, executable } = (await describeFile(join(folder, path))) ?? {};
    if (sha256 === undefined || executable === undefined) return undefined;
    files.push({ path, sha256, executable });
  }
  return files;
}

interface FoundFile {
  /** `undefined`: it is no file, or cannot be read. */
  readonly sha256: string | undefined;
  readonly executable: boolean;
}

/** `undefined`: there is nothing. */
async function describeFile(file: string): Promise<FoundFile | undefined> {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  const executable = isExecutable(stats.mode);
  return { sha256: stats.isFile() ? await hashFile(file, stats.size) : undefined, executable };
}

const isExecutable = (mode: number): boolean => process.platform !== 'win32' && (mode & 0o100) !== 0;

/** Everything that is no folder, in the order of the disk; of a link, the link. */
function listFiles(folder: string, below = '', into: string[] = []): readonly string[] {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) listFiles(join(folder, entry.name), path, into);
    else into.push(path);
  }
  return into;
}

function readText(path: string): string | undefined {
  try {
    return lstatSync(path).isFile() ? readFileSync(path, 'utf8') : undefined;
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return undefined;
  }
}

const isFolder = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** A skill that was written aside. */
export interface MadeSkill {
  /** In its source. */
  readonly path: string;
  readonly digest: string;
  readonly files: readonly PinnedFile[];
}

/** A folder of this process, in which skills are made before they are kept. Ends with `discard`. */
export class Workshop {
  readonly directory: string;
  readonly #place: ContentPlace;
  #count = 0;

  constructor(place: ContentPlace) {
    this.#place = place;
    clearAbandoned(place.making);
    this.directory = nameBeside(join(place.making, 'work'), 'tmp');
    makeDirectory(join(this.directory, 'skills'));
  }

  /** What stands for the place while nothing is kept yet: the made skills lie in it under their digests. */
  get made(): ContentPlace {
    const at = (name: string) => join(this.directory, name);
    return { ...this.#place, skills: at('skills'), manifests: at('manifests') };
  }

  open(): OpenSkill {
    this.#count += 1;
    return new OpenSkill(join(this.directory, `new-${this.#count}`), this.made);
  }

  /** Gives the skills their names, or puts right what is wrong with those that are there. All of it is on the disk before. */
  async keep(skills: readonly MadeSkill[]): Promise<void> {
    if (skills.length === 0) return;
    makeDirectory(this.#place.skills);
    makeDirectory(this.#place.manifests);
    const moves: Move[] = [];
    // Skills with the same files are kept once.
    for (const skill of new Map(skills.map((each) => [each.digest, each])).values())
      moves.push(...this.#manifestMove(skill), ...(await this.#fileMoves(skill)));
    await flushAll(moves.flatMap(({ files }) => files));
    for (const { from, to } of moves) {
      if (lstatSync(from).isFile()) clearFor(to);
      giveName(from, to);
    }
    keepRename(join(this.#place.skills, 'any'));
    keepRename(join(this.#place.manifests, 'any'));
  }

  #manifestMove({ digest, files }: MadeSkill): readonly Move[] {
    const to = join(this.#place.manifests, hexOf(digest));
    const text = manifestText(files);
    if (readText(to) === text) return [];
    const from = join(this.directory, `manifest-${hexOf(digest)}`);
    writeFileSync(from, text, { mode: READ_ONLY });
    return [{ from, to, files: [from] }];
  }

  async #fileMoves({ digest, files }: MadeSkill): Promise<readonly Move[]> {
    const from = join(this.made.skills, hexOf(digest));
    const to = join(this.#place.skills, hexOf(digest));
    if (!isFolder(to)) return isFolder(from) ? [{ from, to, files: files.map(({ path }) => join(from, path)) }] : [];
    return putRight(from, to, files);
  }

  discard(): void {
    rmSync(this.directory, { recursive: true, force: true });
  }
}

/** A skill whose files are being written. */
export class OpenSkill {
  readonly #directory: string;
  readonly #made: ContentPlace;
  readonly #files: PinnedFile[] = [];

  constructor(directory: string, made: ContentPlace) {
    this.#directory = directory;
    this.#made = made;
  }

  add(path: string, bytes: Buffer, executable: boolean): void {
    const file = join(this.#directory, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, bytes, { flag: 'wx' });
    chmodSync(file, executable ? READ_ONLY_EXECUTABLE : READ_ONLY);
    this.#files.push({ path, sha256: sha256Of(bytes), executable });
  }

  close(path: string): MadeSkill {
    const digest = skillDigest(this.#files);
    const to = join(this.#made.skills, hexOf(digest));
    if (!isFolder(to)) renameSync(this.#directory, to);
    mkdirSync(this.#made.manifests, { recursive: true });
    writeFileSync(join(this.#made.manifests, hexOf(digest)), manifestText(this.#files));
    return { path, digest, files: this.#files };
  }
}

/** What gets another name, and which files of it must be on the disk before. */
interface Move {
  readonly from: string;
  readonly to: string;
  readonly files: readonly string[];
}

/** File by file: each is the one that it was, or the one that it must be. Strangers and modes need no other file. */
async function putRight(from: string, to: string, files: readonly PinnedFile[]): Promise<readonly Move[]> {
  for (const { path } of strangersIn(listFiles(to), files)) rmSync(join(to, path), { force: true });
  const executables = new Set(files.filter(({ executable }) => executable).map(({ path }) => path));
  return (await differencesOf(to, files)).flatMap(({ path, what }): readonly Move[] => {
    const file = join(to, path);
    if (what === 'mode') chmodSync(file, executables.has(path) ? READ_ONLY_EXECUTABLE : READ_ONLY);
    if (what === 'mode' || !isFolder(from)) return [];
    return [{ from: join(from, path), to: file, files: [join(from, path)] }];
  });
}

/** Another process may have kept the same skill a moment ago: under its digest it is the same. */
function giveName(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST'].includes(codeOf(error) ?? '')) throw error;
  }
}

function clearFor(file: string): void {
  if (isFolder(file)) rmSync(file, { recursive: true, force: true });
  mkdirSync(dirname(file), { recursive: true });
}

/** Some at a time: a disk takes many together in the time of one. */
const FLUSHED_AT_ONCE = 64;

async function flushAll(files: readonly string[]): Promise<void> {
  for (let at = 0; at < files.length; at += FLUSHED_AT_ONCE) {
    await Promise.all(files.slice(at, at + FLUSHED_AT_ONCE).map(flush));
  }
}

async function flush(file: string): Promise<void> {
  const handle = await openFile(file, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** A process of another container cannot be seen from here: what it makes is left alone for so long. */
const ABANDONED_MS = 60_000;

/** What processes that are gone left in the making. */
function clearAbandoned(making: string): void {
  for (const name of existsSync(making) ? readdirSync(making) : []) {
    const pid = Number(/^\.work\.(\d+)-/.exec(name)?.[1]);
    if (!(pid > 0) || pid === process.pid || isAlive(pid)) continue;
    const stats = lstatSync(join(making, name), { throwIfNoEntry: false });
    if (stats === undefined || Date.now() - stats.mtimeMs < ABANDONED_MS) continue;
    rmSync(join(making, name), { recursive: true, force: true });
  }
}

/** Of every skill that is there, whole or not. */
export const keptDigests = ({ skills }: ContentPlace): readonly string[] =>
  (existsSync(skills) ? readdirSync(skills) : []).map((hex) => `sha256:${hex}`);

/** It is there; its bytes are not looked at. */
export const isKept = ({ skills, manifests }: ContentPlace, digest: string): boolean =>
  isFolder(join(skills, hexOf(digest))) && existsSync(join(manifests, hexOf(digest)));

/** Removes every skill whose digest is not in use, and what was left in the making. Answers how many. */
export function pruneContent(place: ContentPlace, used: ReadonlySet<string>): number {
  clearAbandoned(place.making);
  const hexes = new Set([...used].map(hexOf));
  const unused = (folder: string) => (existsSync(folder) ? readdirSync(folder) : []).filter((name) => !hexes.has(name));
  const skills = unused(place.skills);
  // A name that is no digest first: a process that is killed in between leaves no half of a skill under its own.
  for (const name of skills) {
    const going = nameBeside(join(place.making, 'work'), 'tmp');
    mkdirSync(place.making, { recursive: true });
    renameSync(join(place.skills, name), going);
    rmSync(going, { recursive: true, force: true });
  }
  for (const name of unused(place.manifests)) rmSync(join(place.manifests, name), { force: true });
  return skills.length;
}
