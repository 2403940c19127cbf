// An index as bytes, to be kept for another process: its terms, and what it knows of each skill. Pure.

/** Raised whenever the bytes, or what terms and records mean, change. */
const FORMAT = 1;
const KEY_BYTES = 16;
const ROW_BYTES = KEY_BYTES + 4;
const SUM_BYTES = 4;
/** Some milliseconds of work. */
const PIECE_BYTES = 1024 * 1024;
const TERMS_PER_STEP = 8_192;

export interface IndexImage {
  /** By number; `undefined`: the number is free. */
  readonly terms: readonly (string | undefined)[];
  /** By the skill's key: 16 characters of Latin-1, a digest of all that was indexed of it. */
  readonly records: ReadonlyMap<string, Uint8Array>;
}

export interface ImageForm {
  /** Who wrote it, exactly: what another program or build made is not read. */
  readonly program: string;
  /** `before`: the sum of the bytes before these. */
  readonly sumOf: (bytes: Uint8Array, before: number) => number;
}

/** In pieces: a head that says how long the parts are; terms; a row for each skill; records; the sum of all that. */
export function* encodeImage(
  { terms, records }: IndexImage,
  { program, sumOf }: ImageForm,
): Generator<Uint8Array, void> {
  const text = Buffer.from(terms.map((term) => term ?? '').join('\n'));
  let length = 0;
  for (const record of records.values()) length += record.length;
  const head = Buffer.from(`${JSON.stringify([FORMAT, program, terms.length, text.length, records.size, length])}\n`);
  let sum = 0;
  for (const piece of inPieces([head, text, rowsOf(records), ...records.values()])) {
    sum = sumOf(piece, sum);
    yield piece;
  }
  const end = Buffer.alloc(SUM_BYTES);
  end.writeUInt32LE(sum);
  yield end;
}

function rowsOf(records: IndexImage['records']): Buffer {
  const rows = Buffer.alloc(records.size * ROW_BYTES);
  let at = 0;
  for (const [key, record] of records) {
    rows.write(key, at, KEY_BYTES, 'latin1');
    rows.writeUInt32LE(record.length, at + KEY_BYTES);
    at += ROW_BYTES;
  }
  return rows;
}

/** Ten thousand small writes would take longer than all the rest. */
function* inPieces(parts: readonly Uint8Array[]): Generator<Uint8Array, void> {
  let gathered: Uint8Array[] = [];
  let length = 0;
  for (const part of parts) {
    gathered.push(part);
    length += part.length;
    if (length < PIECE_BYTES) continue;
    yield Buffer.concat(gathered);
    [gathered, length] = [[], 0];
  }
  yield Buffer.concat(gathered);
}

/** In steps. `undefined`: of another version or program, cut off, or not what was written. */
export function* decodeImage(bytes: Buffer, { program, sumOf }: ImageForm): Generator<void, IndexImage | undefined> {
  const head = readHead(bytes, program);
  if (head === undefined) return undefined;
  let sum = 0;
  const end = bytes.length - SUM_BYTES;
  for (let at = 0; at < end; at += PIECE_BYTES) {
    sum = sumOf(bytes.subarray(at, Math.min(end, at + PIECE_BYTES)), sum);
    yield;
  }
  if (sum !== bytes.readUInt32LE(end)) return undefined;
  const rowsAt = head.start + head.textLength;
  const terms = yield* readTerms(bytes.toString('utf8', head.start, rowsAt), head.terms);
  return { terms, records: readRecords(bytes, rowsAt, head.skills) };
}

interface Head {
  readonly start: number;
  readonly terms: number;
  readonly textLength: number;
  readonly skills: number;
}

/** The paths of the roots are in it. */
const MOST_HEAD_BYTES = 64 * 1024;

function readHead(bytes: Buffer, program: string): Head | undefined {
  const end = bytes.subarray(0, MOST_HEAD_BYTES).indexOf('\n');
  const row = end < 0 ? undefined : parseRow(bytes.toString('utf8', 0, end));
  if (row?.[0] !== FORMAT || row[1] !== program) return undefined;
  const [, , terms, textLength, skills, recordsLength] = row;
  const start = end + 1;
  if (start + textLength + skills * ROW_BYTES + recordsLength + SUM_BYTES !== bytes.length) return undefined;
  return { start, terms, textLength, skills };
}

type HeadRow = readonly [number, string, number, number, number, number];

function parseRow(text: string): HeadRow | undefined {
  try {
    const row: unknown = JSON.parse(text);
    return Array.isArray(row) && row.length === 6 ? (row as unknown as HeadRow) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function* readTerms(text: string, count: number): Generator<void, IndexImage['terms']> {
  const terms: (string | undefined)[] = [];
  let from = 0;
  while (terms.length < count) {
    const found = text.indexOf('\n', from);
    const to = found === -1 ? text.length : found;
    terms.push(to > from ? text.slice(from, to) : undefined);
    from = to + 1;
    if (terms.length % TERMS_PER_STEP === 0) yield;
  }
  return terms;
}

function readRecords(bytes: Buffer, rowsAt: number, count: number): IndexImage['records'] {
  const records = new Map<string, Uint8Array>();
  let at = rowsAt + count * ROW_BYTES;
  for (let row = rowsAt; row < rowsAt + count * ROW_BYTES; row += ROW_BYTES) {
    const length = bytes.readUInt32LE(row + KEY_BYTES);
    records.set(bytes.toString('latin1', row, row + KEY_BYTES), bytes.subarray(at, at + length));
    at += length;
  }
  return records;
}
