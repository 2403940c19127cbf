// The bytes of the library's files: by SHA-256, each once, in parts that one statement carries in good time (L1).
import { createHash } from 'node:crypto';
import type { Library, VersionFile } from '../library/library.ts';
import { type Dialect, plain, type Sql, type Statement, type Steps, sql, tuples } from './sql.ts';

const PART_BYTES = 1_048_576;
/** So much in one statement or transaction: more may take longer than the store waits. */
const TOGETHER_BYTES = 2 * PART_BYTES;

type Sized = Pick<VersionFile, 'sha256' | 'size'>;

const partsOf = (size: number): number => Math.max(1, Math.ceil(size / PART_BYTES));

/** A file that is there already is not sent again. What a broken-off writer left is the same bytes, and is completed. */
export async function writeFiles(database: Sql, files: readonly (Sized & { readonly bytes: Buffer })[]): Promise<void> {
  const distinct = [...new Map(files.map((file) => [file.sha256, file])).values()];
  const missing = await findMissing(database, distinct);
  for (const parts of groupParts(missing)) await database.write(() => insertParts(parts));
}

async function findMissing<T extends Sized>(database: Sql, files: readonly T[]): Promise<readonly T[]> {
  const rows = await database.read(sql`SELECT sha256, COUNT(*) AS parts FROM repertoire_library_files
    WHERE sha256 IN ${database.dialect.manyTexts(files.map(({ sha256 }) => sha256))} GROUP BY sha256`);
  const known = new Map(rows.map(({ sha256, parts }) => [String(sha256), Number(parts)]));
  return files.filter(({ sha256, size }) => (known.get(sha256) ?? 0) < partsOf(size));
}

interface Part {
  readonly sha256: string;
  readonly part: number;
  readonly bytes: Buffer;
}

function* groupParts(files: readonly (Sized & { readonly bytes: Buffer })[]): Generator<readonly Part[]> {
  let group: Part[] = [];
  let size = 0;
  for (const { sha256, bytes } of files) {
    for (let part = 0; part < partsOf(bytes.length); part += 1) {
      const some = bytes.subarray(part * PART_BYTES, (part + 1) * PART_BYTES);
      if (group.length > 0 && size + some.length > TOGETHER_BYTES) {
        yield group;
        [group, size] = [[], 0];
      }
      group.push({ sha256, part, bytes: some });
      size += some.length;
    }
  }
  if (group.length > 0) yield group;
}

/** In the order of their names, so that two writers never wait for each other in a circle. */
function* insertParts(parts: readonly Part[]): Steps<void> {
  const sorted = [...parts].sort((a, b) => (a.sha256 === b.sha256 ? a.part - b.part : a.sha256 < b.sha256 ? -1 : 1));
  const rows = sorted.map(({ sha256, part, bytes }) => [sha256, part, bytes.toString('base64')]);
  yield sql`INSERT INTO repertoire_library_files (sha256, part, content) VALUES ${tuples(rows)}
    ON CONFLICT (sha256, part) DO NOTHING`;
}

/** False: some are not there, or not whole. */
export function* hasFiles(files: readonly Sized[], dialect: Dialect): Steps<boolean> {
  const parts = new Map(files.map(({ sha256, size }) => [sha256, partsOf(size)]));
  const [row] = yield sql`SELECT COUNT(*) AS parts FROM repertoire_library_files
    WHERE sha256 IN ${dialect.manyTexts([...parts.keys()])}`;
  return Number(row?.parts) >= [...parts.values()].reduce((sum, count) => sum + count, 0);
}

/** Those of a version that is gone, but for what another version has, of whichever name. */
export const deleteFiles = (files: readonly Sized[], dialect: Dialect): Statement =>
  sql`DELETE FROM repertoire_library_files WHERE sha256 IN ${dialect.manyTexts(files.map(({ sha256 }) => sha256))}
    AND sha256 NOT IN (${plain(dialect.kind === 'postgres' ? KEPT_IN_POSTGRES : KEPT_IN_SQLITE)})`;

/** The second of each entry of a manifest, as `filesText` writes them. */
const KEPT_IN_SQLITE = 'SELECT file.value ->> 1 FROM repertoire_library_versions, json_each(manifest) AS file';
const KEPT_IN_POSTGRES =
  'SELECT file ->> 1 FROM repertoire_library_versions, json_array_elements(CAST(manifest AS json)) AS file';

/** Only what is whole: each is checked against its name. */
export async function readFiles(database: Sql, files: readonly Sized[]): ReturnType<Library['readFiles']> {
  const found = new Map<string, Buffer>();
  const distinct = [...new Map(files.map((file) => [file.sha256, file])).values()];
  const small = distinct.filter(({ size }) => size <= PART_BYTES);
  for (const group of groupSmall(small)) {
    const names = database.dialect.manyTexts(group.map(({ sha256 }) => sha256));
    const rows = await database.read(
      sql`SELECT sha256, content FROM repertoire_library_files WHERE sha256 IN ${names} AND part = 0`,
    );
    for (const { sha256, content } of rows) keepWhole(found, String(sha256), Buffer.from(String(content), 'base64'));
  }
  for (const { sha256, size } of distinct.filter((file) => file.size > PART_BYTES)) {
    const pieces: Buffer[] = [];
    for (let part = 0; part < partsOf(size); part += 1) {
      const [row] = await database.read(
        sql`SELECT content FROM repertoire_library_files WHERE sha256 = ${sha256} AND part = ${part}`,
      );
      pieces.push(Buffer.from(String(row?.content ?? ''), 'base64'));
    }
    keepWhole(found, sha256, Buffer.concat(pieces));
  }
  return found;
}

function keepWhole(found: Map<string, Buffer>, sha256: string, bytes: Buffer): void {
  if (createHash('sha256').update(bytes).digest('hex') === sha256) found.set(sha256, bytes);
}

function* groupSmall<T extends Sized>(files: readonly T[]): Generator<readonly T[]> {
  let group: T[] = [];
  let size = 0;
  for (const file of files) {
    if (group.length > 0 && size + file.size > TOGETHER_BYTES) {
      yield group;
      [group, size] = [[], 0];
    }
    group.push(file);
    size += file.size;
  }
  if (group.length > 0) yield group;
}
