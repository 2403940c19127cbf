// The Skills extension on a tree of odd skills, over stdio, in both eras: every answer is compared with the disk.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ToolResult } from '../support/document-tools.ts';
import { type EraClient, eras, serveEra } from '../support/era-client.ts';
import { entryOnDisk, readSkillOnDisk, type SkillOnDisk, uriOf } from '../support/skill-on-disk.ts';
import { type SkillTree, type TreeSkill, writeSkillTree } from '../support/skill-tree.ts';
import { World } from '../support/world.ts';

interface Entry {
  readonly uri: string;
  readonly frontmatter: Record<string, unknown>;
  readonly resources: readonly { readonly uri: string; readonly digest: string; readonly size: number }[];
}

interface Content {
  readonly uri: string;
  readonly mimeType: string;
  readonly text?: string;
  readonly blob?: string;
}

interface Child {
  readonly uri: string;
  readonly name: string;
  readonly mimeType: string;
  readonly size?: number;
}

/** No file above the extension's limit is served at all. */
const MOST_BYTES = 16 * 1024 * 1024;
const FOLDER = 'inode/directory';

let world: World;
let tree: SkillTree;
const disk = new Map<TreeSkill, SkillOnDisk>();
const onDisk = (skill: TreeSkill) => disk.get(skill) as SkillOnDisk;

beforeAll(() => {
  world = new World();
  tree = writeSkillTree(world.path);
  for (const skill of tree.skills) disk.set(skill, readSkillOnDisk(skill.path, skill.folder));
});
afterAll(() => world.close());

const withFate = (...fates: readonly TreeSkill['fate'][]) => tree.skills.filter(({ fate }) => fates.includes(fate));
const served = () => withFate('listed', 'unlisted', 'over-limits');

describe.each(eras)('skills in the %s era', (era) => {
  let client: EraClient;
  beforeAll(async () => {
    client = await serveEra(world, era, tree.roots);
    // Digests are made in the background; after them every problem is known.
    const rules = async () => new Set((await problemsOf(client)).map(({ rule }) => rule));
    while (!(await rules()).has('files-left-out')) await sleep(20);
  });

  const listEntries = async () => (await client.pages('skills/list')).flatMap(({ skills }) => skills as Entry[]);

  test('skills/list comes in pages that name each skill once, and only those that every host accepts (R2)', async () => {
    const pages = await client.pages('skills/list');
    expect(pages.length).toBeGreaterThan(1);
    const uris = (await listEntries()).map(({ uri }) => uri);
    expect(new Set(uris).size).toBe(uris.length);
    const wanted = withFate('listed').map((skill) => onDisk(skill).uri);
    expect(uris.toSorted()).toEqual(wanted.toSorted());
  });

  test('every entry has the frontmatter as written and every file with its digest and size (R2)', async () => {
    const entries = new Map((await listEntries()).map((entry) => [entry.uri, entry]));
    for (const skill of withFate('listed')) {
      const { uri } = onDisk(skill);
      const wanted = entryOnDisk(onDisk(skill));
      expect(sorted(entries.get(uri) as Entry), skill.folder).toEqual(wanted);
      expect(Object.keys(entries.get(uri) ?? {}).toSorted()).toEqual(['frontmatter', 'resources', 'uri']);
      expect((await client.get('skills/get', { uri })).skill, skill.folder).toEqual(entries.get(uri));
    }
  });

  test('every listed file is read back, byte for byte, as a resource and by read_skill_file (R1, R2, T12)', async () => {
    const contents = new Map(withFate('listed').flatMap((skill) => [...onDisk(skill).files]));
    for (const { resources } of await listEntries()) {
      for (const { uri } of resources) {
        const wanted = contents.get(uri) as Buffer;
        const read = await readResource(client, uri);
        expect(read.uri).toBe(uri);
        expect(isSame(read, wanted), uri).toBe(true);
        const { content } = await callTool(client, 'read_skill_file', { uri });
        const [item] = content;
        expect(isSame(item?.resource ?? { text: item?.text ?? '' }, wanted), uri).toBe(true);
      }
    }
  });

  test('a SKILL.md is text/markdown and the same text by get_skill and resources/read (R1, T4)', async () => {
    for (const skill of served()) {
      const { uri, bytes } = onDisk(skill);
      const text = bytes.toString('utf8');
      const read = await readResource(client, uri);
      expect(read, uri).toEqual({ uri, mimeType: 'text/markdown', text });
      const { structuredContent, isError } = await callTool(client, 'get_skill', { uri });
      expect({ structuredContent, isError }).toEqual({ structuredContent: read, isError: false });
    }
  });

  test('bytes that are no UTF-8 come as base64, all others as text, each with its media type (R1)', async () => {
    const read = (name: string) => readResource(client, uriOf(`odd-bytes/${name}`));
    for (const name of ['every-byte.bin', 'latin-1.md', 'utf-16.txt', 'overlong.txt', 'surrogate.txt', 'cut.txt']) {
      expect(Object.keys(await read(name)), name).toContain('blob');
    }
    for (const name of ['empty.txt', 'empty.bin', 'mark.txt', 'nul.txt', 'windows.txt', 'separators.txt']) {
      expect(Object.keys(await read(name)), name).toContain('text');
    }
    expect(await read('picture.png')).toMatchObject({ mimeType: 'image/png', blob: expect.any(String) });
    expect((await read('every-byte.bin')).mimeType).toBe('application/octet-stream');
  });

  test('directories, read from the top down, are those of the disk, empty ones included (R2)', async () => {
    const wanted = directoriesOf(served().map(onDisk));
    const found = new Map<string, readonly Child[]>();
    const queue = [...wanted.keys()].filter((uri) => !uri.slice('skill://'.length).includes('/'));
    for (let uri = queue.pop(); uri !== undefined; uri = queue.pop()) {
      const children = await childrenOf(client, uri);
      found.set(uri, children);
      queue.push(...children.filter(({ mimeType }) => mimeType === FOLDER).map((child) => child.uri));
    }
    expect([...found.keys()].toSorted()).toEqual([...wanted.keys()].toSorted());
    for (const [uri, children] of found) {
      const sizes = Object.fromEntries(children.map((child) => [child.uri, child.size]));
      expect(sizes, uri).toEqual(wanted.get(uri));
      for (const child of children) {
        expect(uriOf(child.name)).toBe(`skill://${child.uri.slice(child.uri.lastIndexOf('/') + 1)}`);
        expect(child.mimeType === FOLDER).toBe(child.size === undefined);
        expect(child.uri.endsWith('/')).toBe(false);
      }
    }
    expect(await childrenOf(client, 'skill://empty-folders/nothing')).toEqual([]);
  });

  test.each([
    'skill://odd-bytes/SKILL.md',
    'skill://odd-bytes/empty.txt',
    'skill://odd-bytes/',
    'skill://no-such-folder',
    'skill://empty-category',
    'skill://links/loop',
    'skill://links/folder',
    'skill://links-again',
    'skill://stranger',
    'skill://odd-bytes/../odd-names',
    'skill://odd-bytes/%2e%2e',
    'file:///',
    '',
    7,
  ])('resources/directory/read refuses %j with -32602 (R2)', async (uri) => {
    expect(await client.codeOf('resources/directory/read', { uri })).toBe(-32602);
  });

  test('what hosts would reject is a problem, and served by the tools and skills/get all the same (R2, T2)', async () => {
    const problems = await problemsOf(client);
    for (const skill of withFate('unlisted')) {
      const { uri } = onDisk(skill);
      const path = `${skill.folder}/SKILL.md`;
      expect(problems, skill.folder).toContainEqual(expect.objectContaining({ path, rule: skill.rule }));
      const { skill: entry } = await client.get('skills/get', { uri });
      // What had to be repaired is no YAML, so that there is nothing to compare its fields with.
      const wanted = skill.rule === 'unquoted-colon' ? undefined : entryOnDisk(onDisk(skill));
      if (wanted) expect(JSON.stringify(sorted(entry as Entry)), skill.folder).toBe(JSON.stringify(wanted));
    }
  });

  const checkOverLimits = async (isChecked: (skill: TreeSkill) => boolean) => {
    const problems = await problemsOf(client);
    for (const skill of withFate('over-limits').filter(isChecked)) {
      const path = `${skill.folder}/SKILL.md`;
      expect(problems, skill.folder).toContainEqual(expect.objectContaining({ path, rule: skill.rule }));
      expect(await client.codeOf('skills/get', { uri: onDisk(skill).uri }), skill.folder).toBe(-32602);
    }
  };

  test('a skill above the limits is a problem and no entry, and the tools serve it (R2)', () =>
    checkOverLimits(({ rule }) => rule !== 'files-left-out'));

  test('a skill with a file that cannot be served has no entry (R2)', () =>
    checkOverLimits(({ rule }) => rule === 'files-left-out'));

  test('what cannot be read as a skill is a problem, and a text that is found by its folder (R2, D3, T2)', async () => {
    const problems = await problemsOf(client);
    for (const skill of withFate('refused')) {
      const { uri } = onDisk(skill);
      const path = `${skill.folder}/SKILL.md`;
      expect(problems, skill.folder).toContainEqual(expect.objectContaining({ path, rule: skill.rule }));
      expect(await client.codeOf('skills/get', { uri })).toBe(-32602);
      expect(await client.codeOf('resources/read', { uri })).toBeUndefined();
      expect((await callTool(client, 'get_skill', { uri })).isError).toBe(false);
    }
    for (const problem of tree.problems) expect(problems).toContainEqual(expect.objectContaining(problem));
    const shadowed = problems.filter(({ rule }) => rule === 'shadowed').map(({ path }) => path);
    expect(shadowed.toSorted()).toEqual(['shared/SKILL.md', 'teams/support/refunds/SKILL.md']);
  });

  test('what lies outside, behind a link or in a second copy is never served (R2)', async () => {
    for (const path of ['links/out.txt', 'links/loop/SKILL.md', 'links/broken', 'links/folder/real.md']) {
      expect(await client.codeOf('resources/read', { uri: uriOf(path) }), path).toBe(-32602);
    }
    for (const path of ['stranger/SKILL.md', 'shared/only-here.md', 'limits/one-big-file/big.bin']) {
      expect(await client.codeOf('resources/read', { uri: uriOf(path) }), path).toBe(-32602);
    }
  });
});

async function callTool(client: EraClient, name: string, args: object): Promise<ToolResult> {
  return (await client.get('tools/call', { name, arguments: args })) as unknown as ToolResult; // Compared by the tests.
}

async function problemsOf(client: EraClient): Promise<readonly { path: string; rule: string }[]> {
  const { structuredContent } = await callTool(client, 'list_skills', { limit: 1 });
  return (structuredContent?.problems ?? []) as { path: string; rule: string }[];
}

async function readResource(client: EraClient, uri: string): Promise<Content> {
  const [content, ...others] = (await client.get('resources/read', { uri })).contents as Content[];
  if (content === undefined || others.length > 0) throw new Error(`${uri} has ${others.length + 1} contents`);
  return content;
}

async function childrenOf(client: EraClient, uri: string): Promise<readonly Child[]> {
  const pages = await client.pages('resources/directory/read', { uri });
  return pages.flatMap(({ resources }) => resources as Child[]);
}

/** Not toEqual: a difference of megabytes cannot be shown. */
const isSame = ({ text, blob }: Pick<Content, 'text' | 'blob'>, wanted: Buffer): boolean =>
  (text === undefined ? Buffer.from(blob ?? '', 'base64') : Buffer.from(text)).equals(wanted);

const sorted = (entry: Entry): Entry => ({
  ...entry,
  resources: entry.resources.toSorted((a, b) => (a.uri < b.uri ? -1 : 1)),
});

/** By the URI of each folder: its children with their sizes; a folder has none. */
function directoriesOf(skills: readonly SkillOnDisk[]): ReadonlyMap<string, Record<string, number | undefined>> {
  const directories = new Map<string, Record<string, number | undefined>>();
  const put = (uri: string, size: number | undefined) => {
    const parent = uri.slice(0, uri.lastIndexOf('/'));
    if (size === undefined && !directories.has(uri)) directories.set(uri, {});
    if (parent === 'skill:/') return;
    put(parent, undefined);
    directories.set(parent, { ...directories.get(parent), [uri]: size });
  };
  for (const { files, folders } of skills) {
    for (const folder of folders) put(folder, undefined);
    for (const [uri, { length }] of files) if (length <= MOST_BYTES) put(uri, length);
  }
  return directories;
}
