// A .zip, taken apart by its directory: each file unpacked to the size that it promised and no more (S5). Writes nothing.
import { crc32, inflateRawSync } from 'node:zlib';
import {
  type ArchiveEntry,
  type ArchiveLimits,
  BadArchive,
  checkFolder,
  nameOf,
  tooLarge,
  tooMany,
} from './archive-entry.ts';

const END = 0x06054b50;
const CENTRAL = 0x02014b50;
const LOCAL = 0x04034b50;
const END_SIZE = 22;
const CENTRAL_SIZE = 46;
const LOCAL_SIZE = 30;
const LONGEST_COMMENT = 0xffff;
const ENCRYPTED = 1;

/** Throws BadArchive. */
export function* readZip(bytes: Buffer, limits: ArchiveLimits): Generator<ArchiveEntry> {
  const { count, start } = readEnd(bytes);
  if (count > limits.files) throw tooMany(limits);
  let left = limits.bytes;
  for (let at = start, index = 0; index < count; index += 1) {
    const entry = readCentral(bytes, at);
    at += entry.length;
    const { path, isUtf8 } = nameOf(entry.path);
    if (path.endsWith('/')) {
      checkFolder(path);
      continue;
    }
    left -= entry.size;
    if (left < 0) throw tooLarge(limits);
    yield { path, isUtf8, kind: entry.kind, executable: entry.executable, bytes: unpack(bytes, entry) };
  }
}

function readEnd(bytes: Buffer): { readonly count: number; readonly start: number } {
  const lowest = Math.max(0, bytes.length - END_SIZE - LONGEST_COMMENT);
  for (let at = bytes.length - END_SIZE; at >= lowest; at -= 1) {
    if (bytes.readUInt32LE(at) === END)
      return { count: bytes.readUInt16LE(at + 10), start: bytes.readUInt32LE(at + 16) };
  }
  throw new BadArchive('it is no zip, or cut off');
}

interface Central {
  readonly path: Buffer;
  readonly kind: ArchiveEntry['kind'];
  readonly executable: boolean;
  readonly method: number;
  readonly sum: number;
  readonly packed: number;
  readonly size: number;
  readonly local: number;
  /** Of the record itself. */
  readonly length: number;
}

const inside = (bytes: Buffer, at: number, length: number): void => {
  if (at < 0 || at + length > bytes.length) throw new BadArchive('it is cut off');
};

function readCentral(bytes: Buffer, at: number): Central {
  inside(bytes, at, CENTRAL_SIZE);
  if (bytes.readUInt32LE(at) !== CENTRAL) throw new BadArchive('it is damaged');
  if ((bytes.readUInt16LE(at + 8) & ENCRYPTED) !== 0) throw new BadArchive('it is encrypted');
  const nameLength = bytes.readUInt16LE(at + 28);
  const length = CENTRAL_SIZE + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  inside(bytes, at, length);
  const isUnix = bytes.readUInt8(at + 5) === 3;
  const mode = isUnix ? bytes.readUInt32LE(at + 38) >>> 16 : 0;
  return {
    path: bytes.subarray(at + CENTRAL_SIZE, at + CENTRAL_SIZE + nameLength),
    kind: kindOf(mode & 0o170000),
    executable: (mode & 0o111) !== 0,
    method: bytes.readUInt16LE(at + 10),
    sum: bytes.readUInt32LE(at + 16),
    packed: bytes.readUInt32LE(at + 20),
    size: bytes.readUInt32LE(at + 24),
    local: bytes.readUInt32LE(at + 42),
    length,
  };
}

function kindOf(type: number): ArchiveEntry['kind'] {
  if (type === 0 || type === 0o100000) return 'file';
  return type === 0o120000 ? 'link' : 'other';
}

function unpack(bytes: Buffer, { local, packed, size, method, sum }: Central): Buffer {
  inside(bytes, local, LOCAL_SIZE);
  if (bytes.readUInt32LE(local) !== LOCAL) throw new BadArchive('it is damaged');
  const start = local + LOCAL_SIZE + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
  inside(bytes, start, packed);
  const content = inflate(bytes.subarray(start, start + packed), method, size);
  if (content.length !== size || crc32(content) !== sum) throw new BadArchive('it is damaged');
  return content;
}

function inflate(packed: Buffer, method: number, size: number): Buffer {
  if (method === 0) return packed;
  if (method !== 8) throw new BadArchive('it is packed in a way that is not supported');
  try {
    // One byte more is an error of zlib: a file that is larger than it says is never unpacked.
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, size) });
  } catch (error) {
    throw new BadArchive('it is damaged', { cause: error });
  }
}
