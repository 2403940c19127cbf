// Edits one skill again and again, in every way that editors and programs do, and remembers each version that it wrote.
import { closeSync, ftruncateSync, openSync, renameSync, rmSync, utimesSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { digestOf } from './skill-on-disk.ts';
import { skillText } from './write-skill.ts';

export interface Hammering {
  /** The number of the version, by the digest of its SKILL.md. */
  readonly versions: ReadonlyMap<string, string>;
  /** Digests of what was written into `notes.md`. */
  readonly notes: ReadonlySet<string>;
  /** Writes that were held up in the middle, so that a half text lay there like a finished one. */
  readonly heldUp: readonly string[];
  /** Resolves when the edits are done. */
  readonly done: Promise<void>;
}

export interface HammeringOptions {
  readonly folder: string;
  /** At least so many. */
  readonly edits: number;
  /** It goes on until then. */
  readonly isEnough: () => boolean;
}

const BURST = 18;
/** A half text that is left alone for longer cannot be told from a whole one; a busy machine does that to a writer. */
const HELD_UP_MS = 20;
/** So much that its digest takes longer than a slice of the server's time. */
const BULK_BYTES = 12 * 1024 * 1024;

/** The folder exists. The first version is there when this returns. */
export function startHammering({ folder, edits, isEnough }: HammeringOptions): Hammering {
  const versions = new Map<string, string>();
  const notes = new Set<string>();
  const heldUp: string[] = [];
  let text = '';
  let version = 0;
  const nextText = () => {
    version += 1;
    text = versionText(String(version));
    versions.set(digestOf(Buffer.from(text)), String(version));
    return text;
  };
  const nextNote = () => {
    const note = `Note ${notes.size + 1}\n`.repeat(1 + (notes.size % 50));
    notes.add(digestOf(Buffer.from(note)));
    return note;
  };
  writeFileSync(join(folder, 'SKILL.md'), nextText());
  writeFileSync(join(folder, 'notes.md'), nextNote());
  writeFileSync(join(folder, 'bulk.bin'), Buffer.alloc(BULK_BYTES, 0xff));
  const admitHalfTexts = (edit: number, tookMs: number) => {
    heldUp.push(`edit ${edit}: ${Math.round(tookMs)} ms`);
    versions.set(digestOf(firstPieceOf(text)), String(version));
    notes.add(digestOf(Buffer.alloc(0)));
  };
  const run = async () => {
    for (let edit = 0; edit < edits || !isEnough(); edit += 1) {
      const begun = performance.now();
      await WAYS[edit % WAYS.length]?.(folder, nextText, nextNote);
      const tookMs = performance.now() - begun;
      if (tookMs > HELD_UP_MS) admitHalfTexts(edit, tookMs);
      // Bursts, and pauses of any length around the one after which the server takes a text for finished.
      await sleep(edit % BURST === BURST - 1 ? 20 + ((edit * 37) % 100) : 1);
    }
  };
  return { versions, notes, heldUp, done: run() };
}

/** Says its number in the frontmatter, in the first line and in the last; long and short ones take turns. */
function versionText(version: string): string {
  const body = `# Version ${version}\n${'Some text that fills a line.\n'.repeat((Number(version) * 37) % 400)}End ${version}\n`;
  return skillText({
    name: 'hammered',
    description: `Is version ${version}.`,
    fields: [`license: "${version}"`],
    body,
  });
}

type Way = (folder: string, nextText: () => string, nextNote: () => string) => void | Promise<void>;

const WAYS: readonly Way[] = [
  (folder, nextText) => writeFileSync(join(folder, 'SKILL.md'), nextText()),
  (folder, nextText) => replace(join(folder, 'SKILL.md'), nextText()),
  (folder, nextText) => writeInTwoPieces(join(folder, 'SKILL.md'), nextText()),
  (folder, _nextText, nextNote) => writeFileSync(join(folder, 'notes.md'), nextNote()),
  (folder, _nextText, nextNote) => {
    rmSync(join(folder, 'notes.md'));
    writeFileSync(join(folder, 'notes.md'), nextNote());
  },
  (folder, nextText, nextNote) => {
    replace(join(folder, 'notes.md'), nextNote());
    replace(join(folder, 'SKILL.md'), nextText());
    utimesSync(join(folder, 'bulk.bin'), new Date(), new Date());
  },
];

function replace(path: string, text: string): void {
  writeFileSync(`${path}.tmp`, text);
  renameSync(`${path}.tmp`, path);
}

async function writeInTwoPieces(path: string, text: string): Promise<void> {
  const file = openSync(path, 'r+');
  try {
    ftruncateSync(file);
    const first = firstPieceOf(text);
    writeSync(file, first, 0, first.length, 0);
    await sleep(2);
    writeSync(file, Buffer.from(text).subarray(first.length), 0, undefined, first.length);
  } finally {
    closeSync(file);
  }
}

const firstPieceOf = (text: string): Buffer => Buffer.from(text).subarray(0, Buffer.byteLength(text) >> 1);
