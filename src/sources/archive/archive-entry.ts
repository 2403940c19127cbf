// One entry of an archive, and the sentence of why an archive is refused. Pure.

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
