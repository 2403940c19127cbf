// `/api/session` and `/api/me`: a token traded for a cookie that scripts cannot read, and who one is then (H5).
import type { IncomingMessage } from 'node:http';
import { type DashboardSessions, SESSION_SECONDS } from '../../../identity/dashboard-sessions.ts';
import type { Runtime } from '../../../skills/run/runtime.ts';
import { json } from '../message/reply.ts';
import { findSession, sessionCookie } from '../message/session-cookie.ts';
import { MAX_COOKIE_BYTES, NO_TOKEN, sessionTokenIn, TOO_LONG } from '../message/session-token.ts';
import type { Handlers } from './handler.ts';
import { rightsOf } from './rights.ts';

type SessionHandlers = Pick<Handlers, 'openSession' | 'closeSession' | 'getMe'>;

interface SessionParts {
  readonly version: string;
  readonly authentication: 'on' | 'off';
  readonly sessions: DashboardSessions;
  readonly runtime: Pick<Runtime, 'skills'>;
}

export function sessionHandlers({ version, authentication, sessions, runtime }: SessionParts): SessionHandlers {
  return {
    // The guard has looked whose token it is; whoever has none of ours does not come here.
    openSession: ({ admitted: { request, body } }) => {
      const token = sessionTokenIn(body);
      if (token === undefined) return NO_TOKEN;
      const setCookie = sessionCookie(request, sessions.seal(token), SESSION_SECONDS);
      return setCookie.length > MAX_COOKIE_BYTES ? TOO_LONG : empty(setCookie);
    },
    closeSession: ({ admitted: { request } }) => empty(sessionCookie(request, '', 0)),
    getMe: ({ admitted: { caller, request } }) => {
      const { kind, name, roles, scopes } = caller;
      const rights = rightsOf(caller, runtime.skills);
      const me = json({ kind, name, roles, scopes, ...rights, authentication, version });
      return { ...me, headers: { ...me.headers, ...renewal(request, sessions) } };
    },
  };
}

const empty = (setCookie: string) => ({ status: 204, headers: { 'Set-Cookie': setCookie }, body: '' });

/** The dashboard asks who one is whenever it is opened: nobody who uses it every week has to sign in again. */
function renewal(request: IncomingMessage, sessions: DashboardSessions): { readonly 'Set-Cookie'?: string } {
  const session = findSession(request.headers, sessions.unseal);
  if (session === undefined || !session.isOld) return {};
  return { 'Set-Cookie': sessionCookie(request, sessions.seal(session.token), SESSION_SECONDS) };
}
