// What a request brings to prove who sent it, and whether it came from beyond this machine. Decides nothing (H5).
import type { IncomingMessage } from 'node:http';
import type { Credentials } from '../../identity/authentication.ts';
import { isLoopbackAddress } from './allowed-hosts.ts';

export const SESSION_COOKIE = 'repertoire_session';

/** `malformed`: something came that no token can be read from; it counts as a bad one. Queries are never looked at. */
export function credentialsOf({ headers }: IncomingMessage, remote: boolean): Credentials | 'malformed' {
  const { authorization } = headers;
  const invokingAgent = headers['x-invoking-agent'];
  // Node joins or drops repeated headers of this kind; a list never comes.
  const claimedAgent = typeof invokingAgent === 'string' ? invokingAgent : undefined;
  if (authorization === undefined) return { token: sessionIn(headers), claimedAgent, remote };
  const token = BEARER.exec(authorization)?.[1];
  return token === undefined ? 'malformed' : { token, claimedAgent, remote };
}

/** The characters of RFC 6750's b64token. */
const BEARER = /^bearer +([\w.~+/=-]+)$/i;

/** Of a token that came in a body: what no header could hold is none, and never becomes a cookie. */
export const sessionCredentials = (token: string, remote: boolean): Credentials | 'malformed' =>
  /^[\w.~+/=-]+$/.test(token) ? { token, claimedAgent: undefined, remote } : 'malformed';

/** The dashboard's cookie, sent by the dashboard itself: other pages of the same machine share its cookies, but not its origin. */
function sessionIn(headers: IncomingMessage['headers']): string | undefined {
  const { cookie } = headers;
  if (cookie === undefined) return undefined;
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return undefined;
  return SESSION.exec(cookie)?.[1];
}

const SESSION = new RegExp(`(?:^|; *)${SESSION_COOKIE}="?([^;"]+)"?(?:;|$)`);

/** From beyond loopback, or passed on by a proxy, which may stand for anybody. */
export function isRemote({ headers, socket }: IncomingMessage): boolean {
  return !isLoopbackAddress(socket.remoteAddress ?? '') || PROXY_HEADERS.some((name) => headers[name] !== undefined);
}

/** What proxies and tunnels add. Whoever adds one without being one only loses by it. */
const PROXY_HEADERS = [
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'forwarded',
  'x-real-ip',
  'via',
  'cf-connecting-ip',
  'true-client-ip',
] as const;
