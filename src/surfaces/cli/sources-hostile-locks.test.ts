// Hostile lock files: every command ends in one sentence with the place, changes nothing, and folders are served all the same (S2, S5).
import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { skipAloud } from '../../../tests/support/skip-aloud.ts';
import { hasGit, type SourceWorld, skillText } from '../../sources/fixtures/source-world.ts';
import { withWorld } from './fixtures/hostile-source.ts';
import { runHere } from './fixtures/run-here.ts';

const run = ({ home, project, variables }: SourceWorld, ...words: readonly string[]) =>
  runHere(words, { home, workingDirectory: project, variables });

const DIGEST = `sha256:${'1'.repeat(64)}`;
const skill = (changes: object = {}) => ({ name: 'one', path: 'one', digest: DIGEST, ...changes });
const entry = (changes: object = {}) => ({
  source: 'github:a/a',
  ref: null,
  commit: 'a'.repeat(40),
  paths: [],
  skills: [skill()],
  ...changes,
});
const lockOf = (...sources: readonly unknown[]): string => JSON.stringify({ version: 1, sources });
const deep = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;

const locks: Readonly<Record<string, readonly [text: string | Buffer, says: RegExp]>> = {
  'is empty': ['', /no JSON/],
  'is cut off': [lockOf(entry()).slice(0, -9), /no JSON/],
  'has the marks of a merge': [`<<<<<<< HEAD\n${lockOf(entry())}\n=======\n{}\n>>>>>>> other\n`, /merge/],
  'has the marks of a merge inside': ['{\n  "version": 1,\n<<<<<<< HEAD\n  "sources": []\n=======\n}\n', /merge/],
  'is no text': [Buffer.from([0xff, 0xfe, 0x00, 0x01]), /no JSON/],
  'is a list': ['[]', /no object/],
  'is null': ['null', /no object/],
  'is of another version': ['{"version":2,"sources":[]}', /version is 2; this program reads version 1/],
  'has its version as text': ['{"version":"1","sources":[]}', /version is "1"/],
  'has a version of 50 MB': [`{"version":"${'x'.repeat(50 * 1024 * 1024)}","sources":[]}`, /version is "xx/],
  'has a version of a million lists': [`{"version":${deep(1_000_000)},"sources":[]}`, /version is /],
  'has 50 MB of spaces and no end': [`{${' '.repeat(50 * 1024 * 1024)}`, /no JSON/],
  'is larger than 64 MB': [Buffer.alloc(65 * 1024 * 1024, 32), /larger than 64 MB/],
  'has sources that are no list': ['{"version":1,"sources":{}}', /sources is no list/],
  'has a source that is none': [lockOf(null), /sources\[0\] is no object/],
  'has a source twice': [lockOf(entry(), entry()), /sources\[1\] is there twice/],
  'has a skill twice': [lockOf(entry({ skills: [skill(), skill()] })), /skills\[1\] is there twice/],
  'has a field that changes every object': ['{"version":1,"sources":[],"__proto__":{}}', /__proto__ is no field/],
  'has a field with an escape sequence': ['{"version":1,"sources":[],"\\u001b[2J":1}', /is no field/],
  'has a source that is a number': [lockOf(entry({ source: 7 })), /source is no text/],
  'has an option as a source': [lockOf(entry({ source: '--upload-pack=touch ran' })), /begins with "-"/],
  'has a command as a source': [lockOf(entry({ source: 'ext::sh -c touch% ran' })), /sources\[0\]\.source/],
  'has a credential in a source': [lockOf(entry({ source: 'https://u:secret@example.com/x.git' })), /credential/],
  'has a line break in a source': [lockOf(entry({ source: 'a\nb' })), /control character/],
  'has an option as a ref': [lockOf(entry({ ref: '--output=ran' })), /ref begins with "-"/],
  'has a ref that is a number': [lockOf(entry({ ref: 1 })), /ref is no text/],
  'has a branch as a commit': [lockOf(entry({ commit: 'main' })), /commit is no commit/],
  'has an option as a commit': [lockOf(entry({ commit: '--exec=x' })), /commit is no commit/],
  'has paths that lead up': [lockOf(entry({ paths: ['../x'] })), /no path below the source/],
  'has a path of the machine': [lockOf(entry({ paths: ['/etc'] })), /no path below the source/],
  'has an option as a path': [lockOf(entry({ paths: ['-x'] })), /begins with "-"/],
  'has a skill at a path that leads up': [lockOf(entry({ skills: [skill({ path: 'a/../../x' })] })), /no path below/],
  'has a skill at a path with an escape sequence': [
    lockOf(entry({ skills: [skill({ path: 'a\u009b2J' })] })),
    /no path below/,
  ],
  'has a skill at a path with a NUL': [lockOf(entry({ skills: [skill({ path: 'a\0b' })] })), /no path below/],
  'has a skill without a name': [lockOf(entry({ skills: [skill({ name: '' })] })), /is no name/],
  'has a path as a digest': [lockOf(entry({ skills: [skill({ digest: 'sha256:../../x' })] })), /digest is not/],
};

const COMMANDS: readonly (readonly string[])[] = [
  ['sync', '--check'],
  ['sync'],
  ['update', '--yes'],
  ['sources'],
  ['sources', 'prune'],
  ['remove', 'github:a/a'],
  ['add', '.', '--yes'],
];

describe('a lock that', () => {
  test.each(Object.entries(locks))('%s (S2, S5)', (_name, [text, says]) =>
    withWorld(async (world) => {
      writeFileSync(world.lockPath, text);
      world.write('project/.agents/skills/good/SKILL.md', skillText('good'));
      for (const words of COMMANDS) {
        const { code, stdout, stderr } = await run(world, ...words);
        expect({ words, code, stdout }).toEqual({ words, code: 1, stdout: '' });
        expect(stderr).toMatch(says);
        expect(stderr.trim().split('\n')).toHaveLength(1);
        expect(stderr.length).toBeLessThan(600);
        expect(stderr).not.toMatch(/secret|\u001b/);
      }
      expect(readFileSync(world.lockPath).equals(Buffer.from(text))).toBe(true);
      expect(readdirSync(world.project).sort()).toEqual(['.agents', 'repertoire.lock.json']);
      expect(existsSync(world.at('ran'))).toBe(false);
      expect((await run(world, 'list')).stdout).toContain('good');
    }),
  );

  test('is a folder, or a pipe that never answers (S2)', () =>
    withWorld(async (world) => {
      mkdirSync(world.lockPath);
      expect(await run(world, 'sync')).toMatchObject({ code: 1, stderr: expect.stringContaining('it is no file') });
      const other = world.folder('other');
      if (spawnSync('mkfifo', [join(other, 'repertoire.lock.json')]).status !== 0) return;
      const ended = await run(world, 'sync', '--project', other);
      expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining('it is no file') });
    }));
});

describe.skipIf(!hasGit)('a data directory', () => {
  test('that is a link is used where it leads, and stays a link (S3)', () =>
    withWorld(async (world) => {
      symlinkSync(world.folder('elsewhere'), world.data);
      const repository = world.repository('origin');
      repository.commit({ 'good/SKILL.md': skillText('good') });
      expect(await run(world, 'add', repository.path, '--yes')).toMatchObject({ code: 0 });
      expect(lstatSync(world.data).isSymbolicLink()).toBe(true);
      expect(readdirSync(world.at('elsewhere/sources/skills'))).toHaveLength(1);
      expect((await run(world, 'sync', '--check')).code).toBe(0);
      expect((await run(world, 'list')).stdout).toContain('good');
    }));

  test.each([
    ['a link to nowhere', (world: SourceWorld) => symlinkSync(world.at('nowhere/at/all'), world.data)],
    ['a link to itself', (world: SourceWorld) => symlinkSync(world.data, world.data)],
    ['a file', (world: SourceWorld) => void world.write('home/.repertoire', 'x')],
  ])('that is %s is one sentence, and no lock is written (S5)', (_name, make) =>
    withWorld(async (world) => {
      make(world);
      const repository = world.repository('origin');
      repository.commit({ 'good/SKILL.md': skillText('good') });
      const { code, stderr } = await run(world, 'add', repository.path, '--yes');
      expect(code).toBe(1);
      expect(stderr).toMatch(/^Cannot .*data directory/);
      expect(stderr.trim().split('\n')).toHaveLength(1);
      expect(existsSync(world.lockPath)).toBe(false);
    }),
  );

  test('where no folder can be made is one sentence, and is not tried for ever (S5)', (context) => {
    skipAloud(context, process.platform !== 'linux', 'only Linux has /proc');
    return withWorld(async (world) => {
      const repository = world.repository('origin');
      repository.commit({ 'good/SKILL.md': skillText('good') });
      const { code, stderr } = await run(world, 'add', repository.path, '--yes', '--data', '/proc/self/folder');
      expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('cannot be made there') });
      expect(existsSync(world.lockPath)).toBe(false);
    });
  });
});
