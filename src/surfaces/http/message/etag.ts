// Answers that a client may keep and ask for again: a strong tag of the bytes, and 304 when they are still the same.
import type { IncomingMessage } from 'node:http';
import { digestOf } from '../../../document/manifest.ts';
import type { Content } from './reply.ts';

/** Of the bytes that are sent. */
export const etagOf = (bytes: Buffer): string => tagOf(digestOf(bytes));

/** `digest`: `sha256:…` */
export const tagOf = (digest: string): string => `"${digest.slice(digest.indexOf(':') + 1)}"`;

/** Access is checked each time: no proxy may keep it, and a browser asks again before it uses a kept one. */
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
