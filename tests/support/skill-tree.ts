// A tree of skills as odd as they come, in two roots, with what must become of each. Never touches anything but its folder.
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { oddFrontmatters } from './odd-frontmatter.ts';
import { write, writeSkill } from './write-skill.ts';

/** As in `OddFrontmatter`; `over-limits`: the tools serve it, but it has no entry. */
type Fate = 'listed' | 'unlisted' | 'over-limits' | 'refused';

export interface TreeSkill {
  /** Its path, and its folders below the root. */
  readonly path: string;
  readonly folder: string;
  readonly fate: Fate;
  /** Of the problem that tells about it. */
  readonly rule: string | undefined;
}

export interface SkillTree {
  /** In the order in which they are to be given. */
  readonly roots: readonly string[];
  readonly skills: readonly TreeSkill[];
  /** Problems that are no skill's own, by their path below the root. */
  readonly problems: readonly { readonly path: string; readonly rule: string }[];
}

const SMALL_SKILLS = 200;
const MAX_FILES = 512;
const MAX_BYTES = 16 * 1024 * 1024;

/** Writes the tree below `place`, which exists. */
export function writeSkillTree(place: string): SkillTree {
  const roots = [join(place, 'first root'), join(place, 'second')] as const;
  const [first, second] = roots;
  const skills: TreeSkill[] = [];
  const add: Add = (folder, fate = 'listed', rule, root = first) => {
    skills.push({ path: join(root, folder), folder, fate, rule });
    return join(root, folder);
  };
  writeFrontmatters(first, add);
  writeNames(first, add);
  writeOddFiles(first, add);
  writeFolders(first, add);
  writeLimits(first, add);
  writeSmallSkills(first, add);
  const problems = writeLinks(place, first, add);
  writeDuplicates(first, second, add);
  return { roots, skills, problems };
}

type Add = (folder: string, fate?: Fate, rule?: string, root?: string) => string;

function writeFrontmatters(root: string, add: Add): void {
  for (const { name, head, fate, rule } of oddFrontmatters) {
    const folder = add(`yaml/${name}`, fate, rule);
    const eol = head.includes('\r') ? '\r\n' : '\n';
    write(join(folder, 'SKILL.md'), [`${head}# ${name}`, '---', 'Not: frontmatter', '---', 'no line end'].join(eol));
  }
  const body = '\u0000 \u2028 \u{1f3f4}\u{e0067} \ufeff <b> \\ \u001b[0m \u007f end';
  writeSkill(root, 'yaml/odd-body', { body });
  add('yaml/odd-body');
}

function writeNames(root: string, add: Add): void {
  writeSkill(root, 'names/wrong-folder', { name: 'right-name' });
  add('names/wrong-folder', 'unlisted', 'name-folder-mismatch');
  writeSkill(root, 'names/Upper-Case');
  add('names/Upper-Case', 'unlisted', 'name-characters');
  writeSkill(root, 'names/two words & 50% #1?');
  add('names/two words & 50% #1?', 'unlisted', 'name-characters');
  writeSkill(root, 'names/🎉');
  add('names/🎉', 'unlisted', 'name-characters');
  writeSkill(root, `names/${'n'.repeat(64)}`);
  add(`names/${'n'.repeat(64)}`);
  writeSkill(root, `names/${'m'.repeat(65)}`);
  add(`names/${'m'.repeat(65)}`, 'unlisted', 'name-length');
  writeSkill(root, 'names/capital-file', { file: 'SKILL.MD' });
  add('names/capital-file');
  writeSkill(root, 'names/three-files');
  write(join(root, 'names/three-files/SKILL.MD'), 'a supporting file\n');
  write(join(root, 'names/three-files/skill.md'), 'another\n');
  add('names/three-files');
  // A category whose name must be encoded: the skill in it obeys the rules.
  writeSkill(root, 'cafe\u0301 & tea/100% #1?/in-odd-category');
  add('cafe\u0301 & tea/100% #1?/in-odd-category');
}

/** Every name is one file; `/` makes folders. */
const FILE_NAMES = [
  'with space.md',
  ' leading and trailing ',
  '100%.txt',
  '%41%2F.txt',
  'a#b.md',
  'what?.md',
  'this&that=1+1;x,y:z@$!*.txt',
  'it\'s (quoted) "twice" [1] {2} <3>.md',
  '🎉/👩‍👩‍👧.md',
  'nfd-e\u0301.md',
  'nfc-\u00e9.md',
  'same-e\u0301.md',
  'same-\u00e9.md',
  '.hidden',
  '.config/.deep/settings.json',
  '.git/HEAD',
  'node_modules/x/package.json',
  'UPPER.MD',
  'upper.md',
  'no-extension',
  'two.dots.tar.gz',
  '...',
  '~tilde~',
  'tilde/-dash',
  `${'l'.repeat(200)}.txt`,
  '日本語/ファイル.txt',
] as const;

const FILE_BYTES: Readonly<Record<string, Uint8Array | string>> = {
  'every-byte.bin': Uint8Array.from({ length: 256 }, (_, index) => index),
  'empty.txt': '',
  'empty.bin': '',
  'mark.txt': '\ufeffwith a byte order mark',
  'nul.txt': 'valid\u0000text',
  'latin-1.md': Uint8Array.of(0x63, 0x61, 0x66, 0xe9, 0x0a),
  'utf-16.txt': Buffer.from('\ufeffwide', 'utf16le'),
  'overlong.txt': Uint8Array.of(0xc0, 0xaf),
  'surrogate.txt': Uint8Array.of(0xed, 0xa0, 0x80),
  'cut.txt': Buffer.from('é').subarray(0, 1),
  'windows.txt': 'one\r\ntwo\rthree\n',
  'separators.txt': '\u2028\u2029\u0085',
  'picture.png': Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
  'text.png': 'not a picture',
};

function writeOddFiles(root: string, add: Add): void {
  writeSkill(root, 'odd-names');
  for (const name of FILE_NAMES) write(join(root, 'odd-names', name), `This is ${name}\n`);
  add('odd-names');
  writeSkill(root, 'odd-bytes');
  for (const [name, bytes] of Object.entries(FILE_BYTES)) write(join(root, 'odd-bytes', name), bytes);
  add('odd-bytes');
}

function writeFolders(root: string, add: Add): void {
  let nest = 'nest-one';
  for (const inner of ['nest-two', 'nest-three', 'nest-four', undefined]) {
    writeSkill(root, nest);
    write(join(root, nest, 'docs/notes.md'), `Notes of ${nest}\n`);
    add(nest);
    nest = `${nest}/${inner}`;
  }
  writeSkill(root, 'deep-files');
  write(join(root, 'deep-files/a/b/c/d/e/f/g/h/leaf.txt'), 'leaf\n');
  add('deep-files');
  writeSkill(root, 'empty-folders');
  mkdirSync(join(root, 'empty-folders/nothing'));
  mkdirSync(join(root, 'empty-folders/some/inner'), { recursive: true });
  add('empty-folders');
  mkdirSync(join(root, 'empty-category'));
}

/** One skill at each limit, one beyond it. */
function writeLimits(root: string, add: Add): void {
  const writeFiles = (folder: string, count: number) => {
    writeSkill(root, folder);
    for (let index = 1; index < count; index += 1) write(join(root, folder, `files/${index}.txt`), `${index}\n`);
  };
  writeFiles('limits/files-most', MAX_FILES);
  add('limits/files-most');
  writeFiles('limits/files-too-many', MAX_FILES + 1);
  add('limits/files-too-many', 'over-limits', 'too-many-files');
  // In parts: clients of the SDKs end the connection at a message of 10 MB.
  const part = 4 * 1024 * 1024;
  const writeBytes = (folder: string, total: number) => {
    let rest = total - writeSkill(root, folder).length;
    for (let index = 0; rest > 0; index += 1, rest -= part) {
      write(join(root, folder, `part-${index}`), Buffer.alloc(Math.min(rest, part), index % 2 === 0 ? 0xff : 'x'));
    }
  };
  writeBytes('limits/bytes-most', MAX_BYTES);
  add('limits/bytes-most');
  writeBytes('limits/bytes-too-many', MAX_BYTES + 1);
  add('limits/bytes-too-many', 'over-limits', 'skill-too-large');
  writeSkill(root, 'limits/one-big-file');
  write(join(root, 'limits/one-big-file/big.bin'), Buffer.alloc(MAX_BYTES + 1));
  add('limits/one-big-file', 'over-limits', 'files-left-out');
}

function writeSmallSkills(root: string, add: Add): void {
  for (let index = 0; index < SMALL_SKILLS; index += 1) {
    const folder = `many/small-${String(index).padStart(3, '0')}`;
    writeSkill(root, folder);
    add(folder);
  }
}

function writeLinks(place: string, root: string, add: Add): SkillTree['problems'] {
  const outside = join(place, 'outside');
  writeSkill(outside, 'stranger');
  write(join(outside, 'secret.txt'), 'not to be served\n');
  const folder = join(root, 'links');
  writeSkill(root, 'links');
  add('links');
  write(join(folder, 'docs/real.md'), 'real\n');
  symlinkSync('docs/real.md', join(folder, 'inside.md'));
  symlinkSync(join(outside, 'secret.txt'), join(folder, 'out.txt'));
  symlinkSync('.', join(folder, 'loop'));
  symlinkSync('nowhere', join(folder, 'broken'));
  symlinkSync('docs', join(folder, 'folder'));
  symlinkSync(join(outside, 'stranger'), join(root, 'stranger'));
  symlinkSync('links', join(root, 'links-again'));
  return [
    { path: 'links/out.txt', rule: 'link-leaves-skill' },
    { path: 'links/loop', rule: 'link-loop' },
    { path: 'links/broken', rule: 'link-broken' },
    { path: 'links/folder', rule: 'link-not-followed' },
    { path: 'stranger', rule: 'link-outside' },
  ];
}

function writeDuplicates(first: string, second: string, add: Add): void {
  // The same name at two paths: both are served by their URI. The same path in two roots: the first root's alone.
  writeSkill(first, 'teams/billing/refunds', { description: 'The first.' });
  add('teams/billing/refunds');
  writeSkill(first, 'teams/support/refunds', { description: 'The second.' });
  add('teams/support/refunds');
  writeSkill(first, 'shared', { description: 'Of the first root.' });
  add('shared');
  writeSkill(second, 'shared', { description: 'Of the second root.' });
  write(join(second, 'shared/only-here.md'), 'never served\n');
  writeSkill(second, 'teams/second-team/only-second');
  add('teams/second-team/only-second', 'listed', undefined, second);
}
