// What the consent page carries from one request to the next, sealed: no one can change it, and only the browser that was shown
// the page can send it back. Nothing is kept of it, so that any replica can take it (O3, O8).
import { createHmac, timingSafeEqual } from 'node:crypto';
import { digestOf, randomText } from '../identity/token.ts';
import { isRecord } from '../values/is-record.ts';
import type { AuthorizationRequest } from './authorization-request.ts';

interface Ticket {
  readonly request: AuthorizationRequest;
  /** Of the cookie that the browser got with the page. */
  readonly browser: string;
  /** Milliseconds since 1970. */
  readonly ends: number;
}

const MINUTES_MS = 10 * 60_000;

export const createBrowserId = randomText;
export const isBrowserId = (text: string): boolean => /^[\w-]{43}$/.test(text);

export function sealTicket(request: AuthorizationRequest, browserId: string, key: string, now: Date): string {
  const ticket: Ticket = { request, browser: digestOf(browserId), ends: now.getTime() + MINUTES_MS };
  const text = Buffer.from(JSON.stringify(ticket)).toString('base64url');
  return `${text}.${sign(text, key)}`;
}

/** `undefined`: it is none of ours, over, or another browser's. */
export function openTicket(
  sealed: string,
  browserId: string | undefined,
  key: string,
  now: Date,
): AuthorizationRequest | undefined {
  const [text = '', signature = '', ...rest] = sealed.split('.');
  if (rest.length > 0 || browserId === undefined || !isEqual(signature, sign(text, key))) return undefined;
  const ticket: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
  if (!isRecord(ticket)) return undefined;
  const { request, browser, ends } = ticket as unknown as Ticket; // We signed it.
  return isEqual(browser, digestOf(browserId)) && ends > now.getTime() ? request : undefined;
}

const sign = (text: string, key: string): string =>
  createHmac('sha256', key).update(`repertoire consent ${text}`).digest('base64url');

/** By their bytes: a signature of as many letters may have more of them. */
function isEqual(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}
