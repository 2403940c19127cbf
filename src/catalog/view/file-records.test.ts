// The files of a skill: which count, what is known of each, and that no link leads out.
import { utimesSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { digestOf } from '../../document/manifest.ts';
import { folderValue } from '../fixtures/folder-value.ts';
import { openTestCatalog } from '../fixtures/open-test-catalog.ts';
import { scanWorld } from '../fixtures/scan-world.ts';
import { createSkillWorld, type SkillWorld, skillText } from '../fixtures/skill-world.ts';
import {
  loadFileRecords,
  manifestFrom,
  type RecordsRequest,
  readFinishedFile,
  readSkillFileBytes,
  sameContent,
} from './file-records.ts';
import type { Skill } from './skill.ts';

const allocate = (size: number) => Buffer.alloc(size);

/** The records of the first folder below `root`. */
async function recordsOf(world: SkillWorld, fields: Partial<RecordsRequest> = {}) {
  const { folder } = await scanWorld(world, { allowLinks: fields.allowLinks ?? [] });
  const [first] = folder.folders;
  if (first?.skill?.good === undefined) throw new Error('the first folder is no skill');
  const skillBytes = first.skill.good.bytes;
  const request = {
    folder: first,
    skillBytes,
    allowLinks: [],
    previous: undefined,
    now: () => new Date(),
    allocate,
    ...fields,
  };
  return { folder: first, records: loadFileRecords(request) };
}
const pathsOf = async (world: SkillWorld, allowLinks: readonly string[] = []) =>
  (await recordsOf(world, { allowLinks })).records.files.map(({ path }) => path);

describe('loadFileRecords()', () => {
  test('lists every regular file with size, digest and media type, dotfiles included, in code point order (R2)', async () => {
    const world = createSkillWorld();
    world.skill('root/a');
    world.write('root/a/.env.example', 'X=1\n');
    world.write('root/a/scripts/run.py', 'print()\n');
    world.write('root/a/🎉.bin', Uint8Array.of(0, 255));
    world.fifo('root/a/fifo');
    const { records } = await recordsOf(world);
    expect(records.complete).toBe(true);
    expect(records.files.map(({ path, size, mimeType }) => [path, size, mimeType])).toEqual([
      ['.env.example', 4, 'text/plain'],
      ['SKILL.md', Buffer.byteLength(skillText('a')), 'text/markdown'],
      ['scripts/run.py', 8, 'text/x-python'],
      ['🎉.bin', 2, 'application/octet-stream'],
    ]);
    expect(records.files[0]?.digest).toBe(digestOf(Buffer.from('X=1\n')));
  });

  test("lists nested skills' files, .git and node_modules, and no empty folder (D2, R2)", async () => {
    const world = createSkillWorld();
    world.skill('root/a');
    world.skill('root/a/inner');
    world.write('root/a/.git/HEAD', 'x');
    world.write('root/a/node_modules/p/i.js', '');
    world.folder('root/a/empty');
    expect(await pathsOf(world)).toEqual(['.git/HEAD', 'SKILL.md', 'inner/SKILL.md', 'node_modules/p/i.js']);
  });

  test('lists a link to a file of the skill, leaves out one that leads out unless it is allowed', async () => {
    const world = createSkillWorld();
    world.skill('root/a');
    world.write('root/a/notes.md', 'notes');
    world.link('root/a/alias.md', 'notes.md');
    world.link('root/a/secret', world.write('outside/secret', 'secret'));
    expect(await pathsOf(world)).toEqual(['SKILL.md', 'alias.md', 'notes.md']);
    expect(await pathsOf(world, [world.at('outside')])).toEqual(['SKILL.md', 'alias.md', 'notes.md', 'secret']);
  });

  test('the digest of SKILL.md is that of the text that is served, whatever the disk says meanwhile (R2)', async () => {
    const world = createSkillWorld();
    world.skill('root/a');
    const served = Buffer.from('what is served');
    const { records } = await recordsOf(world, { skillBytes: served });
    expect(records.files).toMatchObject([{ path: 'SKILL.md', digest: digestOf(served), size: served.length }]);
  });

  test('does not read what has the same stamp, and does when the stamp is young or another', async () => {
    const world = createSkillWorld();
    world.skill('root/a');
    world.write('root/a/old.md', 'one');
    world.write('root/a/young.md', 'one');
    const young = new Date(Date.now() + 60_000);
    const now = () => young;
    utimesSync(world.at('root/a/young.md'), young, young);
    const { records: first } = await recordsOf(world, { now });
    expect(first.files.map(({ path, changedMs }) => [path, changedMs !== 0])).toEqual([
      ['SKILL.md', false],
      ['old.md', true],
      ['young.md', false],
    ]);
    const previous = { ...first, files: first.files.map((file) => ({ ...file, digest: 'as before' })) };
    const { records: second } = await recordsOf(world, { previous, now });
    expect(second.files.filter(({ digest }) => digest === 'as before').map(({ path }) => path)).toEqual(['old.md']);
    world.write('root/a/old.md', 'two');
    const { records: third } = await recordsOf(world, { previous, now });
    expect(third.files[1]?.digest).toBe(digestOf(Buffer.from('two')));
  });

  test('asks the clock before it reads: who is held up after it must not take a young file for an old one', async () => {
    const world = createSkillWorld();
    world.skill('root/a');
    world.write('root/a/young.md', 'one');
    // It stands still: a machine that takes long must not make the file old.
    const writtenMs = Date.now();
    let isRead = false;
    const { records } = await recordsOf(world, {
      now: () => new Date(writtenMs + (isRead ? 60_000 : 0)),
      allocate: (size) => {
        isRead = true;
        return allocate(size);
      },
    });
    expect(records.files[1]).toMatchObject({ path: 'young.md', changedMs: 0 });
  });

  test('is not complete when a file is too large or there are too many', async () => {
    const world = createSkillWorld();
    world.skill('root/a');
    world.write('root/a/large.bin', Buffer.alloc(16 * 1024 * 1024 + 1));
    const { records } = await recordsOf(world);
    expect(records).toMatchObject({ complete: false, files: [{ path: 'SKILL.md' }] });
    world.remove('root/a/large.bin');
    for (let index = 0; index < 4_100; index += 1) world.write(`root/a/many/${index}`, '');
    const { records: many } = await recordsOf(world);
    expect(many.complete).toBe(false);
    expect(many.files).toHaveLength(4_096);
  });
});

describe('readSkillFileBytes()', () => {
  test('reads through a link inside the skill, and not through one that was turned outwards after the scan', async () => {
    const world = createSkillWorld();
    world.skill('root/a');
    world.write('root/a/notes.md', 'notes');
    world.link('root/a/alias.md', 'notes.md');
    world.write('outside/secret', 'secret');
    const { folder } = await recordsOf(world);
    const read = (path: string) => {
      const answer = readSkillFileBytes(folder, path, []);
      return answer.ok ? answer.value.bytes.toString() : answer.failure;
    };
    expect(read('alias.md')).toBe('notes');
    world.remove('root/a/alias.md');
    world.link('root/a/alias.md', world.at('outside/secret'));
    expect(read('alias.md')).toBe('outside');
    world.remove('root/a/alias.md');
    expect(read('alias.md')).toBe('missing');
    world.remove('root/a/notes.md');
    world.fifo('root/a/notes.md');
    expect(read('notes.md')).toBe('not-a-file');
  });
});

test('manifestFrom() gives every file its URI; the skill file is always SKILL.md (R1)', async () => {
  const world = createSkillWorld();
  world.skill('root/my group/a', { file: 'skill.md' });
  world.write('root/my group/a/references/über.md', 'x');
  const catalog = await openTestCatalog([world.at('root')]);
  const skill = catalog.current.findByName('a');
  if (skill === undefined) throw new Error('a is a skill');
  const digest = digestOf(Buffer.from('x'));
  const records = {
    complete: true,
    files: [
      { path: 'references/über.md', size: 1, digest, mimeType: 'text/markdown', isText: true, changedMs: 0, inode: 0 },
      {
        path: 'skill.md',
        size: skill.bytes.length,
        digest,
        mimeType: 'text/plain',
        isText: true,
        changedMs: 0,
        inode: 0,
      },
    ],
  };
  expect(manifestFrom(skill, records, undefined)).toEqual({
    folders: [],
    isComplete: true,
    files: [
      {
        path: 'references/über.md',
        uri: 'skill://my%20group/a/references/%C3%BCber.md',
        digest,
        size: 1,
        mimeType: 'text/markdown',
      },
      {
        path: 'skill.md',
        uri: 'skill://my%20group/a/SKILL.md',
        digest,
        size: skill.bytes.length,
        mimeType: 'text/markdown',
      },
    ],
    totalSize: skill.bytes.length + 1,
  });
});

test('sameContent() compares paths and digests, not times', () => {
  const file = { path: 'a', size: 1, digest: 'd', mimeType: 't', isText: true, changedMs: 0, inode: 0 };
  const records = { complete: true, files: [file] };
  expect(sameContent(records, { complete: true, files: [{ ...file, changedMs: 1, inode: 1 }] })).toBe(true);
  expect(sameContent(records, { complete: false, files: [file] })).toBe(false);
  expect(sameContent(records, { complete: true, files: [] })).toBe(false);
  expect(sameContent(records, { complete: true, files: [{ ...file, path: 'b' }] })).toBe(false);
  expect(sameContent(records, { complete: true, files: [{ ...file, digest: 'e' }] })).toBe(false);
});

// One of them, read when its writer is done (R2, F8).

const LONG_AGO = new Date(Date.now() - 60_000);

/** `onLook`: what happens on disk before the records are brought up to date. */
async function readFinished(
  world: SkillWorld,
  text: string,
  onLook: (look: number) => string | undefined = () => undefined,
  isPinned = false,
) {
  const write = (content: string) => {
    const path = world.write('skill/notes.md', content);
    utimesSync(path, LONG_AGO, LONG_AGO);
    return content;
  };
  let known = write(text);
  let looks = 0;
  const folder = folderValue(world.at('skill'), { skillFileName: 'SKILL.md' });
  const result = await readFinishedFile({
    findSkill: () => ({
      skill: { bytes: Buffer.from('the skill') } as Skill,
      folder,
      records: { files: [recordFor('SKILL.md', 'the skill'), recordFor('notes.md', known)], complete: true },
    }),
    path: 'notes.md',
    allowLinks: [],
    now: () => new Date(),
    lookAt: async () => {
      looks += 1;
      const next = onLook(looks);
      if (next !== undefined) known = write(next);
    },
    isPinned,
  });
  return { text: result.ok ? result.value.toString() : result.failure, looks };
}

const recordFor = (path: string, text: string) => {
  const bytes = Buffer.from(text);
  return {
    path,
    size: bytes.length,
    digest: digestOf(bytes),
    mimeType: 'text/plain',
    isText: true,
    changedMs: 0,
    inode: 0,
  };
};

test('readFinishedFile(): an old file is answered at once', async () => {
  expect(await readFinished(createSkillWorld(), 'notes')).toEqual({ text: 'notes', looks: 0 });
});

test('readFinishedFile(): an empty file is believed at the second look, not at the first: ext4 shows it while it is being emptied', async () => {
  expect(await readFinished(createSkillWorld(), '')).toEqual({ text: '', looks: 1 });
});

test('readFinishedFile(): an empty file whose digest a lock names is answered at once (S3)', async () => {
  expect(await readFinished(createSkillWorld(), '', undefined, true)).toEqual({ text: '', looks: 0 });
});

test('readFinishedFile(): one that was only being emptied is answered with its new text', async () => {
  const onLook = (look: number) => (look === 1 ? 'written again' : undefined);
  expect(await readFinished(createSkillWorld(), '', onLook)).toEqual({ text: 'written again', looks: 1 });
});
