// The dashboard's cookie: its name, how it is read from a request and written into an answer (H5).
import type { IncomingMessage } from 'node:http';
import { isHttps } from './well-known.ts';

type Headers = IncomingMessage['headers'];

/** Cookies do not know ports: without one in the name, two servers on one machine would sign each other out. */
function cookieName({ host = '' }: Headers): string {
  const port = /:(\d{1,5})$/.exec(host)?.[1];
  return port === undefined ? 'repertoire_session' : `repertoire_session_${port}`;
}

/** Sent by the dashboard itself: other pages of the same machine share its cookies, but not its origin. */
export function sessionIn(headers: Headers): string | undefined {
  const { cookie } = headers;
  if (cookie === undefined) return undefined;
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return undefined;
  return findCookie(cookie, cookieName(headers));
}

function findCookie(cookies: string, name: string): string | undefined {
  for (const cookie of cookies.split(';')) {
    const equals = cookie.indexOf('=');
    const value = cookie.slice(equals + 1).trim();
    if (equals > 0 && value !== '' && cookie.slice(0, equals).trim() === name) return value;
  }
  return undefined;
}

/** For this server's own pages alone: not for scripts, not for what another site sends. An age of 0 takes it away. */
export function sessionCookie(request: IncomingMessage, value: string, maxAge: number): string {
  const secure = isHttps(request) ? '; Secure' : '';
  return `${cookieName(request.headers)}=${value}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${maxAge}${secure}`;
}
