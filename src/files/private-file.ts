// Files for their owner alone that may be lost at any time: whole or not there, and nothing fails because of them.
import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { codeOf } from '../values/error-code.ts';

/** `undefined`: there is none, or another user's, one that others may read or write, a link, a pipe, one that is too large. */
export function readPrivateFile(path: string, mostBytes: number): Buffer | undefined {
  return unlessForbidden(() => {
    const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
    const descriptor = openSync(path, flags);
    try {
      const stats = fstatSync(descriptor);
      const isOwn = process.getuid === undefined || (stats.uid === process.getuid() && (stats.mode & 0o077) === 0);
      return stats.isFile() && isOwn && stats.size <= mostBytes ? readBytes(descriptor, stats.size) : undefined;
    } finally {
      closeSync(descriptor);
    }
  });
}

/**
 * Does nothing where nothing can be written. Not flushed to the disk, unlike whole-file.ts: readers compare a sum, and what a
 * power cut leaves has another one.
 */
export function writePrivateFile(path: string, bytes: Buffer): void {
  unlessForbidden(() => {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const temporary = `${path}.${process.pid}-${Math.random().toString(36).slice(2)}.tmp`;
    try {
      writeFileSync(temporary, bytes, { flag: 'wx', mode: 0o600 });
      renameSync(temporary, path);
    } catch (error) {
      rmSync(temporary, { force: true });
      throw error;
    }
  });
}

/** A disk that is full, read-only or another user's: the next start is a little slower, and nothing else happens. */
export function unlessForbidden<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return undefined;
  }
}

/** `undefined`: it is shorter now. */
function readBytes(descriptor: number, size: number): Buffer | undefined {
  const bytes = Buffer.allocUnsafe(size);
  let length = 0;
  while (length < size) {
    const count = readSync(descriptor, bytes, length, size - length, length);
    if (count === 0) return undefined;
    length += count;
  }
  return bytes;
}

/** Up to here it is quicker to count than to load `node:zlib`, which takes 1.7 ms. */
const FEW_BYTES = 32_768;

/** CRC-32, of bytes that may have been cut off or changed. `node:crypto` alone would take longer to load. */
export function sumOf(bytes: Buffer): number {
  if (bytes.length > FEW_BYTES) return process.getBuiltinModule('node:zlib').crc32(bytes);
  let sum = -1;
  for (const byte of bytes) {
    sum ^= byte;
    sum = (sum >>> 4) ^ (CRC_OF_HALF_BYTES[sum & 15] ?? 0);
    sum = (sum >>> 4) ^ (CRC_OF_HALF_BYTES[sum & 15] ?? 0);
  }
  return ~sum >>> 0;
}

const CRC_OF_HALF_BYTES = [
  0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c, 0xedb88320,
  0xf00f9344, 0xd6d6a3e8, 0xcb61b38c, 0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c,
];
