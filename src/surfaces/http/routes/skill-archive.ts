// The files of a skill as one .tar.gz whose bytes depend on them alone: time 0, owner 0, two modes, nothing packed (S6). Pure.
import { crc32 } from 'node:zlib';

export interface ArchivedFile {
  /** With `/`. */
  readonly path: string;
  readonly bytes: Buffer;
  readonly executable: boolean;
}

/** In the order of their paths' bytes. */
export function packSkill(files: readonly ArchivedFile[]): Buffer {
  const sorted = [...files].sort((a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)));
  return gzipStored(Buffer.concat([...sorted.flatMap(entryOf), Buffer.alloc(2 * BLOCK)]));
}

const BLOCK = 512;
const LONGEST_NAME = 100;
const LONGEST_PREFIX = 155;

/** Longer paths need another kind of header, which common readers pass over: such a skill is not offered. */
export const canBePacked = (path: string): boolean => splitName(path) !== undefined;

interface SplitName {
  readonly name: string;
  readonly prefix: string;
}

function splitName(path: string): SplitName | undefined {
  if (Buffer.byteLength(path) <= LONGEST_NAME) return { name: path, prefix: '' };
  for (let at = path.indexOf('/'); at > 0; at = path.indexOf('/', at + 1)) {
    const [prefix, name] = [path.slice(0, at), path.slice(at + 1)];
    if (Buffer.byteLength(name) <= LONGEST_NAME && Buffer.byteLength(prefix) <= LONGEST_PREFIX) return { name, prefix };
  }
  return undefined;
}

function entryOf({ path, bytes, executable }: ArchivedFile): readonly Buffer[] {
  const { name, prefix } = splitName(path) ?? { name: path, prefix: '' };
  const header = Buffer.alloc(BLOCK);
  const octal = (value: number, at: number, length: number) =>
    header.write(`${value.toString(8).padStart(length - 1, '0')}\0`, at);
  header.write(name, 0);
  octal(executable ? 0o755 : 0o644, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(bytes.length, 124, 12);
  octal(0, 136, 12);
  header.write('        0', 148);
  header.write('ustar\x0000', 257);
  header.write(prefix, 345);
  const sum = header.reduce((all, byte) => all + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return [header, bytes, Buffer.alloc((BLOCK - (bytes.length % BLOCK)) % BLOCK)];
}

/** No time, no flags, no system: the same everywhere. */
const GZIP_HEAD = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
const MOST_STORED = 0xffff;

/** As it is, in the form of something packed: what packers make of it differs between their versions. */
function gzipStored(bytes: Buffer): Buffer {
  const pieces: Buffer[] = [GZIP_HEAD];
  for (let at = 0; at < bytes.length; at += MOST_STORED) {
    const piece = bytes.subarray(at, at + MOST_STORED);
    const head = Buffer.alloc(5);
    head.writeUInt8(at + MOST_STORED >= bytes.length ? 1 : 0, 0);
    head.writeUInt16LE(piece.length, 1);
    head.writeUInt16LE(piece.length ^ 0xffff, 3);
    pieces.push(head, piece);
  }
  const tail = Buffer.alloc(8);
  tail.writeUInt32LE(crc32(bytes), 0);
  tail.writeUInt32LE(bytes.length >>> 0, 4);
  return Buffer.concat([...pieces, tail]);
}
