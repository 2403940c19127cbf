// One entry of an archive, and the sentence of why an archive is refused. Pure.
import { toOneLine } from '../../text/one-line.ts';

export interface ArchiveEntry {
  readonly path: string;
  readonly isUtf8: boolean;
  readonly kind: 'file' | 'link' | 'other';
  readonly executable: boolean;
  readonly bytes: Buffer;
}

/** What an archive may hold: what is left of the limits of its source. */
export interface ArchiveLimits {
  readonly files: number;
  readonly bytes: number;
}

/** Half a sentence of what is wrong with it; caught where the archive was opened. */
export class BadArchive extends Error {}

export const tooMany = ({ files }: ArchiveLimits): BadArchive => new BadArchive(`it holds more than ${files} files`);

export const tooLarge = ({ bytes }: ArchiveLimits): BadArchive =>
  new BadArchive(`it holds more than ${Math.floor(bytes / 1024 / 1024)} MB`);

/** Names are UTF-8, or they are none. */
export function nameOf(bytes: Buffer): { readonly path: string; readonly isUtf8: boolean } {
  const path = bytes.toString('utf8');
  return { path, isUtf8: Buffer.from(path).equals(bytes) };
}

/** A folder needs no entry of its own, but one that leads out of the archive shows what it was made for. Throws BadArchive. */
export function checkFolder(path: string): void {
  const isLeaving = path.startsWith('/') || path.includes('\\') || path.split('/').includes('..');
  if (isLeaving) throw new BadArchive(`it has the folder "${toOneLine(path, 120)}", which is outside of it`);
}
