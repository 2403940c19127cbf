// One supporting file, read when its writer is done (R2, F8).
import { utimesSync } from 'node:fs';
import { expect, test } from 'vitest';
import { digestOf } from '../../document/manifest.ts';
import { folderValue } from '../fixtures/folder-value.ts';
import { createSkillWorld, type SkillWorld } from '../fixtures/skill-world.ts';
import { readSettledFile } from './settled-file.ts';
import type { Skill } from './skill.ts';

const LONG_AGO = new Date(Date.now() - 60_000);

/** `onLook`: what happens on disk before the records are brought up to date. */
async function read(world: SkillWorld, text: string, onLook: (look: number) => string | undefined = () => undefined) {
  const write = (content: string) => {
    const path = world.write('skill/notes.md', content);
    utimesSync(path, LONG_AGO, LONG_AGO);
    return content;
  };
  let known = write(text);
  let looks = 0;
  const folder = folderValue(world.at('skill'), { skillFileName: 'SKILL.md' });
  const result = await readSettledFile({
    findSkill: () => ({
      skill: { bytes: Buffer.from('the skill') } as Skill,
      folder,
      records: { files: [recordOf('SKILL.md', 'the skill'), recordOf('notes.md', known)], complete: true },
    }),
    path: 'notes.md',
    allowLinks: [],
    now: () => new Date(),
    lookAt: async () => {
      looks += 1;
      const next = onLook(looks);
      if (next !== undefined) known = write(next);
    },
  });
  return { text: result.ok ? result.value.toString() : result.failure, looks };
}

const recordOf = (path: string, text: string) => {
  const bytes = Buffer.from(text);
  return { path, size: bytes.length, digest: digestOf(bytes), mimeType: 'text/plain', changedMs: 0, inode: 0 };
};

test('an old file is answered at once', async () => {
  expect(await read(createSkillWorld(), 'notes')).toEqual({ text: 'notes', looks: 0 });
});

test('an empty file is believed at the second look, not at the first: ext4 shows it while it is being emptied', async () => {
  expect(await read(createSkillWorld(), '')).toEqual({ text: '', looks: 1 });
});

test('one that was only being emptied is answered with its new text', async () => {
  const onLook = (look: number) => (look === 1 ? 'written again' : undefined);
  expect(await read(createSkillWorld(), '', onLook)).toEqual({ text: 'written again', looks: 1 });
});
