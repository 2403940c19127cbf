// Rows of the library as values, and the statements that read them (L1).
import { isMadeBy } from '../identity/caller.ts';
import type { Actor, Version, VersionFile, VersionState } from '../library/library.ts';
import { plain, type Row, type Statement, sql } from './sql.ts';

/** `which`: conditions and order. */
export const selectVersions = (which: Statement): Statement =>
  sql`SELECT versions.name, versions.digest, number, state, author, author_key, created_at, message, base, manifest,
      decided_by, decided_at, decision, was_current, skills.current_digest, skills.deleted_at
    FROM repertoire_library_versions AS versions
    JOIN repertoire_library_skills AS skills ON skills.name = versions.name ${which}`;

/** Whose it is, and whether its skill is in the list, too. */
export interface KeptVersion extends Version {
  readonly authorKey: string;
  readonly isDeleted: boolean;
}

export const toVersion = (row: Row): KeptVersion => ({
  name: String(row.name),
  digest: String(row.digest),
  number: Number(row.number),
  state: String(row.state) as VersionState,
  author: String(row.author),
  authorKey: String(row.author_key),
  time: new Date(Number(row.created_at)),
  message: String(row.message),
  base: row.base === null ? null : String(row.base),
  files: parseFiles(String(row.manifest)),
  decision:
    row.decided_by === null
      ? undefined
      : { by: String(row.decided_by), at: new Date(Number(row.decided_at)), message: String(row.decision ?? '') },
  wasCurrent: Boolean(row.was_current),
  isCurrent: row.current_digest === row.digest,
  isDeleted: row.deleted_at !== null,
});

/** Usually one key. None has a line break but those of other issuers' people. */
export const authorKeyOf = ({ makers }: Actor): string => makers.map(onOneLine).join('\n');

/** Where the makers are not known it may be anyone but the operator, who issues tokens under their own name. */
export function isAuthor({ authorKey }: KeptVersion, { key, isOperator }: Actor): boolean {
  const makers = authorKey.split('\n');
  const own = onOneLine(key);
  return authorKey === key || (isOperator ? makers.includes(own) : isMadeBy(makers, own));
}

const onOneLine = (key: string): string => key.replaceAll('\n', ' ');

export const filesText = (files: readonly VersionFile[]): string =>
  JSON.stringify(files.map(({ path, sha256, executable, size }) => [path, sha256, executable ? 1 : 0, size]));

/** `filesText` wrote it. */
const parseFiles = (text: string): readonly VersionFile[] =>
  (JSON.parse(text) as readonly (readonly [string, string, number, number])[]).map(
    ([path, sha256, executable, size]) => ({ path, sha256, executable: executable === 1, size }),
  );

export const selectNewest = (name: string): Statement => sql`SELECT digest, number FROM repertoire_library_versions
  WHERE name = ${name} ORDER BY number DESC LIMIT 1`;

export const SELECT_POLICY = plain('SELECT review FROM repertoire_library_policy WHERE id = 1');
