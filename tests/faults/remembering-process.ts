// A process of its own that remembers a folder of skills over and over, until it is killed. Started by remembering-processes.ts.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { openLiveCatalog } from '../../src/catalog/live-catalog.ts';
import { type NoteFiles, openNoteFiles } from '../../src/catalog/remember/note-files.ts';
import type { RememberingOrders } from './remembering-processes.ts';
import { sayAtOnce } from './say-at-once.ts';

// Handed over by remembering-processes.ts alone.
const { data, root, work, dieAt } = JSON.parse(process.argv[2] ?? '') as RememberingOrders;
const files = openNoteFiles(data, '1.0.0');
const parent = process.ppid;

/** It has no other end than being killed, and must not outlive who would do that. */
const isWanted = (): boolean => process.ppid === parent;

async function start(notes: NoteFiles): Promise<void> {
  const catalog = await openLiveCatalog({
    roots: [{ label: root, path: root, boundary: undefined }],
    allowLinks: [],
    without: [],
    watch: false,
    rescanMs: 30_000,
    now: () => new Date(),
    log: (line) => sayAtOnce(`${line}\n`, 2),
    notes,
  });
  await catalog.loadManifests();
  catalog.close();
}

/** Nearly all of its time goes into writing the same note. */
async function writeForEver(): Promise<void> {
  let write = async (): Promise<unknown> => undefined;
  await start({
    read: () => undefined,
    write: async (real, take) => {
      const pieces: Buffer[] = [];
      const isWritten = await files.write(real, async function* (encoder) {
        for await (const piece of take(encoder)) {
          pieces.push(Buffer.from(piece));
          yield piece;
        }
        return true;
      });
      write = () =>
        files.write(real, async function* () {
          yield* pieces;
          return true;
        });
      return isWritten;
    },
  });
  sayAtOnce('ready\n');
  while (isWanted()) await write();
}

async function startForEver(): Promise<void> {
  while (isWanted()) {
    await start(files);
    sayAtOnce('ready\n');
  }
}

/** Kills this process by the same signal as others would, in the middle of the system's own calls. */
function armAt(moment: NonNullable<RememberingOrders['dieAt']>): void {
  const die = () => process.kill(process.pid, 'SIGKILL');
  const write: (descriptor: number, bytes: Buffer, at: number, length: number) => number = fs.writeSync;
  if (moment === 'whole') fs.renameSync = () => void die();
  else {
    const writeSome = (descriptor: number, given: unknown, at = 0): number => {
      const bytes = Buffer.from(given as Buffer);
      const isNote = descriptor > 2;
      const most = bytes.length - at;
      const length = isNote ? (moment === 'empty' ? 0 : most >> 1) : most;
      const written = length === 0 ? 0 : write(descriptor, bytes, at, length);
      if (isNote) die();
      return written;
    };
    // All that is written here is bytes, or text on standard output.
    fs.writeSync = writeSome as typeof fs.writeSync;
  }
  syncBuiltinESMExports();
}

if (dieAt !== undefined) armAt(dieAt);
await (work === 'writes' ? writeForEver() : startForEver());
