// What a skill's folder holds, read without any code of ours: the truth that answers are compared with.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parse } from 'yaml';

export interface SkillOnDisk {
  /** By URI, in no order. */
  readonly files: ReadonlyMap<string, Buffer>;
  /** URIs of the folders below the skill's own. */
  readonly folders: readonly string[];
  readonly uri: string;
  /** Of the SKILL.md. */
  readonly bytes: Buffer;
}

/** `folder`: the folders below the root. */
export function readSkillOnDisk(path: string, folder: string): SkillOnDisk {
  const files = new Map<string, Buffer>();
  const folders: string[] = [];
  const names = readdirSync(path);
  const skillFile = names.find((name) => name === 'SKILL.md') ?? names.find((name) => /^skill\.md$/i.test(name)) ?? '';
  for (const entry of readdirSync(path, { recursive: true, withFileTypes: true })) {
    const full = join(entry.parentPath, entry.name);
    const below = relative(path, full);
    const uri = uriOf(`${folder}/${below === skillFile ? 'SKILL.md' : below}`);
    if (entry.isDirectory()) folders.push(uri);
    else if (entry.isFile() || isLinkInside(full, path)) files.set(uri, readFileSync(full));
  }
  const uri = uriOf(`${folder}/SKILL.md`);
  return { files, folders, uri, bytes: files.get(uri) ?? Buffer.alloc(0) };
}

/** Every character but the unreserved ones is encoded. */
export const uriOf = (path: string): string =>
  `skill://${path
    .split('/')
    .map((segment) => Array.from(segment, encodeCharacter).join(''))
    .join('/')}`;

const encodeCharacter = (character: string): string =>
  /[A-Za-z0-9._~-]/.test(character)
    ? character
    : [...Buffer.from(character)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');

/** The entry that skills/list and skills/get owe, its resources in the order of their URIs. */
export const entryOnDisk = ({ files, uri, bytes }: SkillOnDisk) => ({
  uri,
  frontmatter: frontmatterOf(bytes.toString('utf8')),
  resources: [...files]
    .map(([each, content]) => ({ uri: each, digest: digestOf(content), size: content.length }))
    .sort((a, b) => (a.uri < b.uri ? -1 : 1)),
});

export const digestOf = (bytes: Uint8Array): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

/** Every field, as JSON, by the YAML library alone. */
export function frontmatterOf(text: string): unknown {
  const [, block = ''] = /^\ufeff?---[ \t]*\r?\n(.*?\n)---[ \t]*(?:\r?\n|$)/s.exec(text) ?? [];
  return JSON.parse(JSON.stringify(parse(block, { version: '1.2', schema: 'core', merge: false })));
}

/** A link to a file of the same skill counts as that file; one that leaves the skill does not. */
function isLinkInside(link: string, skill: string): boolean {
  const real = statSync(link, { throwIfNoEntry: false })?.isFile() ? realpathSync(link) : undefined;
  return real?.startsWith(`${realpathSync(skill)}/`) === true;
}
