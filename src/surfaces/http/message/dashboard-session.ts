// The dashboard's session in a request and in an answer: the cookie, and what is traded for it, a token or a password (H5, N6).
import type { IncomingMessage } from 'node:http';
import type { DashboardSession, DashboardSessions, SessionOwner } from '../../../identity/dashboard-sessions.ts';
import { isStorable } from '../../../text/storable-text.ts';
import { isRecord } from '../../../values/is-record.ts';

type Headers = IncomingMessage['headers'];

/** Cookies do not know ports: without one in the name, two servers on one machine would sign each other out. */
function cookieName({ host = '' }: Headers): string {
  const port = /:(\d{1,5})$/.exec(host)?.[1];
  return port === undefined ? 'repertoire_session' : `repertoire_session_${port}`;
}

/**
 * Sent by the dashboard itself: other pages of the same machine share its cookies, but not its origin. A request with
 * Authorization means that.
 */
export function hasSession(headers: Headers): boolean {
  return valuesIn(headers).length > 0;
}

type Found = DashboardSession | undefined;

/** `undefined`: none came, none that is good, or good ones of different callers: which was meant cannot be known. */
export function findSession(headers: Headers, unseal: DashboardSessions['unseal']): Found | Promise<Found> {
  const opened = valuesIn(headers).map((value) => unseal(value));
  return areKnown(opened) ? theOneIn(opened) : Promise.all(opened).then(theOneIn);
}

const areKnown = (opened: readonly (Found | Promise<Found>)[]): opened is readonly Found[] =>
  !opened.some((each) => each instanceof Promise);

/**
 * Another server of this machine can put a cookie of our name before ours. A bad one must keep no one out, and a good one,
 * of an agent that it has a token of, must not turn the person into that agent.
 */
function theOneIn(opened: readonly Found[]): Found {
  const [first, ...others] = opened.filter((each) => each !== undefined);
  return others.every(({ owner }) => first !== undefined && isSame(owner, first.owner)) ? first : undefined;
}

const isSame = (one: SessionOwner, other: SessionOwner): boolean =>
  typeof one === 'string' || typeof other === 'string' ? one === other : one.userId === other.userId;

const NONE: readonly string[] = [];

function valuesIn(headers: Headers): readonly string[] {
  const { cookie, authorization } = headers;
  if (cookie === undefined || authorization !== undefined) return NONE;
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return NONE;
  return findCookies(cookie, cookieName(headers));
}

/** Each is decrypted before anything is known of its sender (F10). Servers on other ports add one or two at most. */
const MOST_COOKIES = 8;

/** The values of those that are called so; a browser sends the one with the longest path first. */
function findCookies(cookies: string, name: string): readonly string[] {
  const pairs = cookies.split(';').map((cookie) => {
    const equals = cookie.indexOf('=');
    return { name: cookie.slice(0, Math.max(0, equals)).trim(), value: cookie.slice(equals + 1).trim() };
  });
  const ours = pairs.filter((pair) => pair.name === name && pair.value !== '');
  return ours.slice(0, MOST_COOKIES).map(({ value }) => value);
}

/** For this server's own pages alone: not for scripts, not for what another site sends. An age of 0 takes it away. */
export function sessionCookie(request: IncomingMessage, value: string, maxAge: number): string {
  const secure = isHttps(request) ? '; Secure' : '';
  return `${cookieName(request.headers)}=${value}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${maxAge}${secure}`;
}

/** This server speaks no TLS itself: a proxy before it does, and says so. Of several the first is the client's. */
export const isHttps = ({ headers }: IncomingMessage): boolean =>
  /^https *(?:,|$)/i.test(String(headers['x-forwarded-proto'] ?? ''));

/** What a session is asked for with. */
export type SignInRequest =
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'password'; readonly email: string; readonly password: string };

/** In the body of `POST /api/session`, exactly one form; `undefined`: there is none. Whether it is good is not checked. */
export function signInRequestIn(body: string): SignInRequest | undefined {
  const fields = parseObject(body);
  if (fields === undefined) return undefined;
  const { token, email, password } = fields;
  const names = Object.keys(fields).sort().join(' ');
  if (names === 'token') return isText(token, MOST_TOKEN) ? { kind: 'token', token } : undefined;
  if (names !== 'email password' || !isText(email, MOST_EMAIL) || !isText(password, MOST_PASSWORD)) return undefined;
  if (!isStorable(email)) return undefined;
  // As `user_creation` keeps it: the same password typed on another keyboard is the same text.
  return { kind: 'password', email, password: password.normalize('NFC') };
}

/** As long as the fields of `credential_validation`; what is longer belongs to no user. A longer token is none of ours. */
const MOST_EMAIL = 254;
const MOST_PASSWORD = 4_096;
const MOST_TOKEN = Number.POSITIVE_INFINITY;

/** In code points. */
const isText = (value: unknown, most: number): value is string =>
  typeof value === 'string' && value !== '' && (value.length <= most || [...value].length <= most);

function parseObject(body: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return isRecord(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
