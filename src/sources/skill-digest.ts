// The manifest of a skill as text, and its digest: for every file its path, its SHA-256 and whether it is executable (S2). Pure.
import { createHash } from 'node:crypto';
import { fail, ok, type Result } from '../values/result.ts';

export interface PinnedFile {
  /** Below the skill's folder, with `/`. */
  readonly path: string;
  /** 64 lower-case hexadecimal digits. */
  readonly sha256: string;
  readonly executable: boolean;
}

export const sha256Of = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex');

/** `path NUL sha256 NUL 1|0 LF`, in the order of the UTF-8 bytes of the paths. */
export function manifestText(files: readonly PinnedFile[]): string {
  const rows = files.map((file) => ({ file, bytes: Buffer.from(file.path) }));
  rows.sort((a, b) => Buffer.compare(a.bytes, b.bytes));
  return rows.map(({ file: { path, sha256, executable } }) => `${path}\0${sha256}\0${executable ? 1 : 0}\n`).join('');
}

export const skillDigest = (files: readonly PinnedFile[]): string => `sha256:${sha256Of(manifestText(files))}`;

/** The hexadecimal digits: what its content is kept under. */
export const hexOf = (digest: string): string => digest.slice('sha256:'.length);

const ROW = /^([^\0\n]+)\0([0-9a-f]{64})\0([01])$/;

/** Back from its text. */
export function parseManifest(text: string): Result<readonly PinnedFile[], string> {
  const rows = text.endsWith('\n') ? text.slice(0, -1).split('\n') : [];
  const files: PinnedFile[] = [];
  for (const row of rows) {
    const [match, path = '', sha256 = '', executable] = ROW.exec(row) ?? [];
    if (match === undefined) return fail('it is no manifest');
    files.push({ path, sha256, executable: executable === '1' });
  }
  return files.length > 0 ? ok(files) : fail('it is empty');
}
