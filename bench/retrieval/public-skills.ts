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
    const clone = join(folder, repository.name.replace('/', '+'));
    if (!existsSync(clone)) fetchRepository(repository, clone);
    return readFiles(repository, clone).map(documentOf);
  });
}

function fetchRepository({ name, commit }: PublicRepository, clone: string): void {
  git(['init', '--quiet', '--bare', clone], '');
  git(['-C', clone, 'fetch', '--quiet', '--depth', '1', `https://github.com/${name}.git`, commit], '');
}

interface PublicText {
  readonly place: string;
  readonly text: string;
}

function readFiles({ name, commit, files }: PublicRepository, clone: string): readonly PublicText[] {
  const answer = git(['-C', clone, 'cat-file', '--batch'], files.map(({ path }) => `${commit}:${path}\n`).join(''));
  let at = 0;
  return files.map(({ digest, path }) => {
    const headEnd = answer.indexOf('\n', at);
    const size = Number(answer.toString('utf8', at, headEnd).split(' ').at(-1));
    const bytes = answer.subarray(headEnd + 1, headEnd + 1 + size);
    at = headEnd + 1 + size + 1;
    const place = `${path} of ${name}`;
    if (!createHash('sha256').update(bytes).digest('hex').startsWith(digest)) {
      throw new Error(`Cannot use ${place}: it is not the text that the queries were written for`);
    }
    return { place, text: bytes.toString('utf8') };
  });
}

function git(args: readonly string[], input: string): Buffer {
  const { status, stdout, stderr } = spawnSync('git', args, { input, maxBuffer: 2 ** 30 });
  if (status !== 0) throw new Error(`Cannot read the public skills: git ${args.join(' ')} failed: ${stderr}`);
  return stdout;
}

function documentOf({ place, text }: PublicText): SkillDocument {
  const document = parseSkillDocument(text, readYamlFrontmatter)?.document;
  if (document === undefined) throw new Error(`Cannot use ${place}: it has no usable name or description`);
  return { name: document.name, description: document.description, body: text.slice(document.bodyOffset) };
}
