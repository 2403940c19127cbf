// The public set: skills of other people's collections, which are not kept here. public/skills.txt says which ones; they are
// read from clones in a folder of the caller's, and fetched into it where they are missing.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSkillDocument } from '../../src/document/skill-document.ts';
import { readYamlFrontmatter } from '../../src/document/yaml-frontmatter.ts';
import type { SkillDocument } from './documents.ts';

export interface PublicRepository {
  /** `owner/name` on GitHub. */
  readonly name: string;
  readonly commit: string;
  readonly files: readonly PublicFile[];
}

interface PublicFile {
  /** The first digits of its SHA-256. */
  readonly digest: string;
  readonly path: string;
}

/** Blocks: `@ owner/name commit`, then a line per file: `digest path`. */
export function parseRepositories(text: string): readonly PublicRepository[] {
  return text
    .split(/^@ /m)
    .slice(1)
    .map((block) => {
      const [head = '', ...lines] = block.trimEnd().split('\n');
      const [name = '', commit = ''] = head.split(' ');
      return { name, commit, files: lines.map(parseFile) };
    });
}

function parseFile(line: string): PublicFile {
  const end = line.indexOf(' ');
  return { digest: line.slice(0, end), path: line.slice(end + 1) };
}

/** `folder`: where the clones are or shall be. Throws, in a sentence, when a text cannot be had or is another one. */
export function loadPublicDocuments(folder: string): readonly SkillDocument[] {
  const list = readFileSync(new URL('./public/skills.txt', import.meta.url), 'utf8');
  return parseRepositories(list).flatMap((repository) => {
    const files = openClone(folder, repository).read(repository.files.map(({ path }) => path));
    return repository.files.map((file, index) => documentOf(file, files[index] as Buffer, repository.name));
  });
}

export interface Clone {
  /** Of all files. */
  paths(): readonly string[];
  read(paths: readonly string[]): readonly Buffer[];
}

/** At its commit; fetched where it is missing. */
export function openClone(folder: string, { name, commit }: Pick<PublicRepository, 'name' | 'commit'>): Clone {
  const clone = join(folder, name.replace('/', '+'));
  if (!existsSync(clone)) fetchRepository(name, commit, clone);
  return {
    paths: () => git(['-C', clone, 'ls-tree', '-r', '-z', '--name-only', commit], '').toString('utf8').split('\0'),
    read: (paths) => readFiles(clone, commit, paths),
  };
}

function fetchRepository(name: string, commit: string, clone: string): void {
  git(['init', '--quiet', '--bare', clone], '');
  git(['-C', clone, 'fetch', '--quiet', '--depth', '1', `https://github.com/${name}.git`, commit], '');
}

function readFiles(clone: string, commit: string, paths: readonly string[]): readonly Buffer[] {
  const answer = git(['-C', clone, 'cat-file', '--batch'], paths.map((path) => `${commit}:${path}\n`).join(''));
  let at = 0;
  return paths.map(() => {
    const headEnd = answer.indexOf('\n', at);
    const size = Number(answer.toString('utf8', at, headEnd).split(' ').at(-1));
    at = headEnd + 1 + size + 1;
    return answer.subarray(headEnd + 1, headEnd + 1 + size);
  });
}

function git(args: readonly string[], input: string): Buffer {
  const { status, stdout, stderr } = spawnSync('git', args, { input, maxBuffer: 2 ** 30 });
  if (status !== 0) throw new Error(`Cannot read the public skills: git ${args.join(' ')} failed: ${stderr}`);
  return stdout;
}

function documentOf({ digest, path }: PublicFile, bytes: Buffer, repository: string): SkillDocument {
  const place = `${path} of ${repository}`;
  if (!createHash('sha256').update(bytes).digest('hex').startsWith(digest)) {
    throw new Error(`Cannot use ${place}: it is not the text that the queries were written for`);
  }
  const text = bytes.toString('utf8');
  const document = parseSkillDocument(text, readYamlFrontmatter)?.document;
  if (document === undefined) throw new Error(`Cannot use ${place}: it has no usable name or description`);
  return { name: document.name, description: document.description, body: text.slice(document.bodyOffset) };
}
