// Answers that a client may keep and ask for again: a strong tag of the bytes, and 304 when they are still the same.
import type { IncomingMessage } from 'node:http';
import { digestOf } from '../../../document/manifest.ts';
import type { Content } from './reply.ts';

/** Of the bytes that are sent. */
export const etagOf = (bytes: Buffer): string => tagOf(digestOf(bytes));

/** `digest`: `sha256:…` */
export const tagOf = (digest: string): string => `"${digest.slice(digest.indexOf(':') + 1)}"`;

/** Whoever asks must be allowed to, each time: nothing in between may keep it, and a kept one is asked about. */
export const REVALIDATE = 'private, no-cache';

export function hasTag({ headers }: IncomingMessage, etag: string): boolean {
  const given = headers['if-none-match'];
  if (given === undefined) return false;
  return given === etag || given === '*' || given.split(',').some((each) => each.trim().replace(/^W\//, '') === etag);
}

export const unchanged = (etag: string): Content => ({
  status: 304,
  headers: { ETag: etag, 'Cache-Control': REVALIDATE },
  body: '',
});
