// `/api/session` and `/api/me`: a token as a cookie that scripts cannot read, and who one is then (H5).
import type { IncomingMessage } from 'node:http';
import { mayReadLog } from '../../../identity/caller.ts';
import type { Handlers } from '../contract.ts';
import { SESSION_COOKIE } from '../credentials.ts';
import { json } from '../reply.ts';
import { NO_TOKEN, sessionTokenIn } from '../session-token.ts';
import { isHttps } from '../well-known.ts';

type SessionHandlers = Pick<Handlers, 'openSession' | 'closeSession' | 'getMe'>;

/** A month. The token in it may end before. */
const MAX_AGE_SECONDS = 2_592_000;

export function sessionHandlers(version: string, authentication: 'on' | 'off'): SessionHandlers {
  return {
    // The guard has looked whose token it is; whoever has none of ours does not come here.
    openSession: ({ exchange: { request, body } }) => {
      const token = sessionTokenIn(body);
      return token === undefined ? NO_TOKEN : empty(cookie(token, MAX_AGE_SECONDS, request));
    },
    closeSession: ({ exchange: { request } }) => empty(cookie('', 0, request)),
    getMe: ({ exchange: { caller } }) => {
      const { kind, name, roles, scopes } = caller;
      const rights = { may_read_log: mayReadLog(caller), is_operator: kind === 'operator' };
      return json({ kind, name, roles, scopes, ...rights, authentication, version });
    },
  };
}

const empty = (setCookie: string) => ({ status: 204, headers: { 'Set-Cookie': setCookie }, body: '' });

/** For this server's own pages alone: not for scripts, not for what another site sends. */
function cookie(token: string, maxAge: number, request: IncomingMessage): string {
  const secure = isHttps(request) ? '; Secure' : '';
  return `${SESSION_COOKIE}=${token}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${maxAge}${secure}`;
}
