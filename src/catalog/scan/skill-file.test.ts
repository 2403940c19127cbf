// Which file makes a folder a skill, when it is read again, and which text is kept when it cannot be.
import { appendFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import fc from '../../../tests/support/property.ts';
import { parseSkillDocument } from '../../document/skill-document.ts';
import { readYamlFrontmatter } from '../../document/yaml-frontmatter.ts';
import { asStranger } from '../fixtures/as-stranger.ts';
import { createSkillWorld, type SkillWorld, skillText } from '../fixtures/skill-world.ts';
import type { Entry } from './safe-read.ts';
import {
  findSkillEntry,
  isUnparsed,
  loadSkillFile,
  MAX_SKILL_FILE_BYTES,
  parseText,
  type SkillFile,
  type SkillFileRequest,
} from './skill-file.ts';

const file = (name: string, kind: Entry['kind'] = 'file'): Entry => ({ name, kind });

describe('findSkillEntry()', () => {
  test.each(['SKILL.md', 'SKILL.MD', 'skill.md', 'Skill.Md'])('takes %s (D2)', (name) => {
    expect(findSkillEntry([file('README.md'), file(name)])?.name).toBe(name);
  });

  test.each(['SKILL.mdx', 'MY-SKILL.md', 'SKILL', 'skill.txt', 'SKILL.md.bak', 'ſkill.md'])(
    'does not take %s',
    (name) => {
      expect(findSkillEntry([file(name)])).toBeUndefined();
    },
  );

  test('takes SKILL.md where several spellings are present, else the first (D2)', () => {
    expect(findSkillEntry([file('SKILL.MD'), file('SKILL.md'), file('skill.md')])?.name).toBe('SKILL.md');
    expect(findSkillEntry([file('SKILL.MD'), file('skill.md')])?.name).toBe('SKILL.MD');
  });

  test('takes a file or a link before a folder or FIFO of that name, and those only for want of better', () => {
    expect(findSkillEntry([file('SKILL.md', 'folder'), file('skill.md')])?.name).toBe('skill.md');
    expect(findSkillEntry([file('SKILL.md', 'other'), file('skill.md', 'link')])?.name).toBe('skill.md');
    expect(findSkillEntry([file('SKILL.md', 'other')])?.kind).toBe('other');
  });
});

function request(world: SkillWorld, fields: Partial<SkillFileRequest> = {}): SkillFileRequest {
  return {
    fileName: 'SKILL.md',
    kind: 'file',
    folder: world.at('root/a'),
    fence: [world.at('root')],
    previous: undefined,
    trustStamp: true,
    allocate: Buffer.allocUnsafe,
    now: new Date(),
    folderName: 'a',
    ...fields,
  };
}

function load(world: SkillWorld, fields: Partial<SkillFileRequest> = {}): SkillFile {
  const loaded = loadSkillFile(request(world, fields));
  const parsed = isUnparsed(loaded) ? parseText(loaded, readYamlFrontmatter) : loaded;
  if (parsed === undefined) throw new Error('a reader was given, so there is an answer');
  return parsed;
}

/** Old enough for its stamp to be believed. */
/** Long after the file was written: its time of change cannot be set back. */
const later = (): Date => new Date(Date.now() + 60_000);

describe('loadSkillFile() and parseText()', () => {
  test('give the bytes, the document and the time of loading', () => {
    const world = createSkillWorld();
    world.skill('root/a');
    const now = new Date('2026-01-02T03:04:05Z');
    const loaded = load(world, { now });
    expect(loaded).toMatchObject({ fileName: 'SKILL.md', failure: undefined });
    expect(loaded.text?.bytes.toString()).toBe(skillText('a'));
    expect(loaded.text?.document?.name).toBe('a');
    expect(loaded.text?.loadedAt).toBe(now);
    expect(loaded.good).toBe(loaded.text);
  });

  test('give the previous value while the stamp is the same, and read again when told not to believe it', () => {
    const world = createSkillWorld();
    world.skill('root/a');
    const previous = load(world, { now: later() });
    expect(previous.stamp).toBeDefined();
    expect(loadSkillFile(request(world, { previous }))).toBe(previous);
    const again = loadSkillFile(request(world, { previous, trustStamp: false }));
    expect(again).not.toBe(previous);
    // The same bytes are the same text: to its holders nothing changed.
    expect(isUnparsed(again) ? undefined : again.text).toBe(previous.text);
  });

  test('do not believe the stamp of a file that was written a moment before it was read', () => {
    const world = createSkillWorld();
    world.skill('root/a');
    expect(load(world).stamp).toBeUndefined();
  });

  test('read the new text after a change', () => {
    const world = createSkillWorld();
    world.skill('root/a');
    const previous = load(world);
    appendFileSync(world.at('root/a/SKILL.md'), 'more\n');
    expect(load(world, { previous }).text?.bytes.toString()).toContain('more');
  });

  test('keep the last good text when the new one is no skill, not UTF-8, too large or not to be read (D8)', () => {
    const world = createSkillWorld();
    const path = world.write('root/a/SKILL.md', skillText('a'));
    const previous = load(world);
    const { good } = previous;
    world.write('root/a/SKILL.md', 'no frontmatter\n');
    const invalid = load(world, { previous });
    expect(invalid.good).toBe(good);
    expect(invalid.text?.issues[0]?.rule).toBe('frontmatter-missing');
    world.write('root/a/SKILL.md', Uint8Array.of(0xff, 0xfe));
    expect(load(world, { previous: invalid })).toMatchObject({ failure: 'invalid-utf8', text: undefined, good });
    world.write('root/a/SKILL.md', `${skillText('a')}${'x'.repeat(2 * MAX_SKILL_FILE_BYTES)}`);
    expect(load(world, { previous })).toMatchObject({ failure: 'too-large', good });
    const denied = asStranger(world, path, () => load(world, { previous, trustStamp: false }));
    expect(denied).toMatchObject({ failure: 'denied', good });
  });

  test('let the text go when the file is gone', () => {
    const world = createSkillWorld();
    world.skill('root/a');
    const previous = load(world);
    world.remove('root/a/SKILL.md');
    expect(load(world, { previous })).toMatchObject({ failure: 'missing', good: undefined });
  });

  test('serve a corrected text again', () => {
    const world = createSkillWorld();
    world.skill('root/a');
    const first = load(world);
    world.write('root/a/SKILL.md', '');
    const broken = load(world, { previous: first });
    world.skill('root/a');
    const fixed = load(world, { previous: broken });
    expect(fixed.good).toBe(fixed.text);
    expect(fixed.text?.document?.name).toBe('a');
  });

  test('read a text of a little more than the limit whole: it is still served by URI (T6)', () => {
    const world = createSkillWorld();
    world.write('root/a/SKILL.md', skillText('a', 'x'.repeat(MAX_SKILL_FILE_BYTES)));
    expect(load(world).text?.document?.name).toBe('a');
  });

  test('follow a link that stays in the fence, and no other', () => {
    const world = createSkillWorld();
    world.skill('root/b');
    world.folder('root/a');
    world.link('root/a/SKILL.md', '../b/SKILL.md');
    expect(load(world, { kind: 'link' }).text?.document?.name).toBe('b');
    world.remove('root/a/SKILL.md');
    world.skill('root-evil/c');
    world.link('root/a/SKILL.md', '../../root-evil/c/SKILL.md');
    expect(load(world, { kind: 'link' })).toMatchObject({ failure: 'outside', text: undefined });
    world.remove('root/a/SKILL.md');
    world.link('root/a/SKILL.md', '../b');
    expect(load(world, { kind: 'link' })).toMatchObject({ failure: 'not-a-file' });
    world.remove('root/a/SKILL.md');
    world.link('root/a/SKILL.md', 'nothing');
    expect(load(world, { kind: 'link' })).toMatchObject({ failure: 'missing' });
  });

  test.each(['folder', 'other'] as const)('refuse a %s without opening it', (kind) => {
    const world = createSkillWorld();
    world.fifo('root/a/SKILL.md');
    expect(load(world, { kind })).toMatchObject({ failure: 'not-a-file' });
  });

  test('ask for the YAML reader when the frontmatter is more than plain lines', () => {
    const world = createSkillWorld();
    world.write('root/a/SKILL.md', '---\nname: a\ndescription: >-\n  folded\n  text\n---\n');
    const loaded = loadSkillFile(request(world));
    if (!isUnparsed(loaded)) throw new Error('it was never loaded before');
    expect(parseText(loaded, undefined)).toBeUndefined();
    expect(parseText(loaded, readYamlFrontmatter)?.text?.document?.description).toBe('folded text');
  });

  test('parse a text as the document parser does, however its head is cut out', () => {
    const piece = fc.constantFrom(
      '---',
      '\n',
      '---\n',
      'name: a\n',
      'description: b\n',
      '\ufeff',
      'é🎉',
      ' ',
      '--',
      'x',
    );
    const filler = fc.constantFrom('', 'y'.repeat(300), 'é'.repeat(200), '\n---\n');
    const texts = fc.tuple(fc.array(piece, { maxLength: 12 }), filler, fc.array(piece, { maxLength: 5 }));
    fc.assert(
      fc.property(texts, ([head, middle, tail]) => {
        const text = [...head, middle, ...tail].join('');
        const bytes = Buffer.from(text);
        const stamp = { size: bytes.length, mtimeMs: 0, ctimeMs: 0, ino: 1 };
        const parsed = parseText(
          {
            fileName: 'SKILL.md',
            isLink: false,
            target: undefined,
            bytes,
            stamp,
            loadedAt: new Date(),
            previous: undefined,
          },
          readYamlFrontmatter,
        );
        const { document, issues } = parseSkillDocument(text, readYamlFrontmatter) ?? {};
        expect({ document: parsed?.text?.document, issues: parsed?.text?.issues }).toEqual({ document, issues });
      }),
      { numRuns: 500 },
    );
  });
});
