// `/api/session` and `/api/me`: a token traded for a cookie that scripts cannot read, and who one is then (H5).
import type { IncomingMessage } from 'node:http';
import { SESSION_SECONDS, type Sessions } from '../../../identity/sessions.ts';
import type { Runtime } from '../../../skills/run/runtime.ts';
import type { Handlers } from '../contract.ts';
import { json } from '../reply.ts';
import { findSession, sessionCookie } from '../session-cookie.ts';
import { MAX_COOKIE_BYTES, NO_TOKEN, sessionTokenIn, TOO_LONG } from '../session-token.ts';
import { rightsOf } from './rights.ts';

type SessionHandlers = Pick<Handlers, 'openSession' | 'closeSession' | 'getMe'>;

interface SessionParts {
  readonly version: string;
  readonly authentication: 'on' | 'off';
  readonly sessions: Sessions;
  readonly runtime: Pick<Runtime, 'skills'>;
}

export function sessionHandlers({ version, authentication, sessions, runtime }: SessionParts): SessionHandlers {
  return {
    // The guard has looked whose token it is; whoever has none of ours does not come here.
    openSession: ({ exchange: { request, body } }) => {
      const token = sessionTokenIn(body);
      if (token === undefined) return NO_TOKEN;
      const setCookie = sessionCookie(request, sessions.seal(token), SESSION_SECONDS);
      return setCookie.length > MAX_COOKIE_BYTES ? TOO_LONG : empty(setCookie);
    },
    closeSession: ({ exchange: { request } }) => empty(sessionCookie(request, '', 0)),
    getMe: ({ exchange: { caller, request } }) => {
      const { kind, name, roles, scopes } = caller;
      const rights = rightsOf(caller, runtime.skills);
      const me = json({ kind, name, roles, scopes, ...rights, authentication, version });
      return { ...me, headers: { ...me.headers, ...renewal(request, sessions) } };
    },
  };
}

const empty = (setCookie: string) => ({ status: 204, headers: { 'Set-Cookie': setCookie }, body: '' });

/** The dashboard asks who one is whenever it is opened: nobody who uses it every week has to sign in again. */
function renewal(request: IncomingMessage, sessions: Sessions): { readonly 'Set-Cookie'?: string } {
  const session = findSession(request.headers, sessions.unseal);
  if (session === undefined || !session.isOld) return {};
  return { 'Set-Cookie': sessionCookie(request, sessions.seal(session.token), SESSION_SECONDS) };
}
