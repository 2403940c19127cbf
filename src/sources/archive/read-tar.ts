// A .tar.gz, taken apart while it is unpacked: never more of it in memory than one file, and no more than it may hold (S5). Writes nothing.
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import {
  type ArchiveEntry,
  type ArchiveLimits,
  BadArchive,
  checkFolder,
  nameOf,
  tooLarge,
  tooMany,
} from './archive-entry.ts';

const BLOCK = 512;
/** Long names and the like: more is none. */
const MOST_EXTRA = 64 * 1024;

/** Throws BadArchive. */
export async function* readTarGz(bytes: Buffer, limits: ArchiveLimits): AsyncGenerator<ArchiveEntry> {
  const blocks = new Blocks(Readable.from([bytes]).pipe(createGunzip()), limits);
  let extra: Extra = {};
  for (let count = 0; ; ) {
    const header = await blocks.take(BLOCK);
    if (header === undefined || header.every((byte) => byte === 0)) return;
    const { type, size, ...entry } = readHeader(header);
    if (type === 'x' || type === 'g' || type === 'L') {
      if (size > MOST_EXTRA) throw new BadArchive('a header in it is too long');
      const content = await blocks.takePadded(size);
      if (type === 'x') extra = { ...extra, ...readPax(content) };
      else if (type === 'g') checkForAll(readPax(content));
      else if (type === 'L') extra = { ...extra, path: content.subarray(0, content.indexOf(0)) };
      continue;
    }
    const length = extra.size ?? size;
    const content = await blocks.takePadded(length);
    const { path, isUtf8 } = nameOf(extra.path ?? entry.path);
    extra = {};
    if (type === '5') {
      checkFolder(path);
      continue;
    }
    count += 1;
    if (count > limits.files) throw tooMany(limits);
    const kind = type === '0' ? 'file' : type === '1' || type === '2' ? 'link' : 'other';
    yield { path, isUtf8, kind, executable: entry.executable, bytes: content };
  }
}

interface Extra {
  readonly path?: Buffer;
  readonly size?: number;
}

interface Header {
  readonly path: Buffer;
  readonly type: string;
  readonly size: number;
  readonly executable: boolean;
}

function readHeader(header: Buffer): Header {
  const sum = header.reduce((all, byte, index) => all + (index >= 148 && index < 156 ? 32 : byte), 0);
  if (readOctal(header, 148, 8) !== sum) throw new BadArchive('it is damaged');
  const name = untilNul(header.subarray(0, 100));
  const isUstar = header.toString('latin1', 257, 262) === 'ustar';
  const prefix = isUstar ? untilNul(header.subarray(345, 500)) : Buffer.alloc(0);
  const path = prefix.length === 0 ? name : Buffer.concat([prefix, Buffer.from('/'), name]);
  const flag = String.fromCharCode(header[156] ?? 0);
  return {
    path,
    type: flag === '\0' || flag === '7' ? '0' : flag,
    size: readOctal(header, 124, 12),
    executable: (readOctal(header, 100, 8) & 0o111) !== 0,
  };
}

function readOctal(header: Buffer, start: number, length: number): number {
  const text = header
    .toString('latin1', start, start + length)
    .replace(/[\0 ]+/g, ' ')
    .trim();
  if (text === '') return 0;
  if (!/^[0-7]+$/.test(text)) throw new BadArchive('it is damaged');
  return Number.parseInt(text, 8);
}

/** One name or size for all files is a trick: readers differ in whether they take it. */
function checkForAll({ path, size }: Extra): void {
  if (path !== undefined || size !== undefined) throw new BadArchive('a header in it is for all of its files');
}

const untilNul = (bytes: Buffer): Buffer => {
  const end = bytes.indexOf(0);
  return end < 0 ? bytes : bytes.subarray(0, end);
};

/** `LENGTH KEY=VALUE\n` after each other. */
function readPax(content: Buffer): Extra {
  let extra: Extra = {};
  for (let at = 0; at < content.length; ) {
    const space = content.indexOf(32, at);
    const length = Number(content.toString('latin1', at, space));
    if (space < 0 || !Number.isInteger(length) || length <= 0 || at + length > content.length)
      throw new BadArchive('it is damaged');
    const record = content.subarray(space + 1, at + length - 1);
    const equals = record.indexOf('=');
    const key = record.toString('latin1', 0, equals);
    const value = record.subarray(equals + 1);
    // Its bytes are not those of the file.
    if (key.startsWith('GNU.sparse.')) throw new BadArchive('it has a sparse file');
    if (key === 'path') extra = { ...extra, path: value };
    if (key === 'size') extra = { ...extra, size: paxSize(value) };
    at += length;
  }
  return extra;
}

function paxSize(value: Buffer): number {
  const size = Number(value.toString('latin1'));
  if (!Number.isSafeInteger(size) || size < 0) throw new BadArchive('it is damaged');
  return size;
}

/** The unpacked bytes in the pieces that are asked for; counted as they come. */
class Blocks {
  readonly #pieces: AsyncIterator<Buffer>;
  readonly #limits: ArchiveLimits;
  readonly #stream: Readable & { destroy(): void };
  #rest: Buffer = Buffer.alloc(0);
  #total = 0;

  constructor(stream: Readable, limits: ArchiveLimits) {
    this.#stream = stream;
    this.#pieces = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>; // true: no encoding was set
    this.#limits = limits;
  }

  /** `undefined`: it ends here. */
  async take(length: number): Promise<Buffer | undefined> {
    // What a header promises is not made room for before it is known to be allowed.
    if (length > this.#limits.bytes) throw tooLarge(this.#limits);
    const pieces = [this.#rest];
    let have = this.#rest.length;
    while (have < length) {
      const piece = await this.#next();
      if (piece === undefined) break;
      pieces.push(piece);
      have += piece.length;
    }
    const all = pieces.length === 1 ? this.#rest : Buffer.concat(pieces);
    this.#rest = all.subarray(length);
    if (have === 0) return undefined;
    if (have < length) throw new BadArchive('it is cut off');
    return all.subarray(0, length);
  }

  async takePadded(length: number): Promise<Buffer> {
    const padded = Math.ceil(length / BLOCK) * BLOCK;
    if (padded === 0) return Buffer.alloc(0);
    const bytes = await this.take(padded);
    if (bytes === undefined) throw new BadArchive('it is cut off');
    return bytes.subarray(0, length);
  }

  async #next(): Promise<Buffer | undefined> {
    try {
      const { done, value } = await this.#pieces.next();
      if (done) return undefined;
      this.#total += value.length;
      // Headers and padding count, too: a little more than the files themselves.
      if (this.#total > this.#limits.bytes + this.#limits.files * 2 * BLOCK) {
        this.#stream.destroy();
        throw tooLarge(this.#limits);
      }
      return value;
    } catch (error) {
      if (error instanceof BadArchive) throw error;
      throw new BadArchive('it is no gzip, or damaged', { cause: error });
    }
  }
}
