// What a request brings to prove who sent it. Decides nothing (H5).
import type { IncomingMessage } from 'node:http';
import type { Credentials } from '../../../identity/authentication.ts';
import type { DashboardSessions } from '../../../identity/dashboard-sessions.ts';
import { findSession, hasSession } from '../message/dashboard-session.ts';

/** `malformed`: something came that no token can be read from; it counts as a bad one. Queries are never looked at. */
export type ReadCredentials = (request: Pick<IncomingMessage, 'headers'>, remote: boolean) => Credentials | 'malformed';

/** A session is good in the cookie alone, a token in the header alone: neither passes for the other. */
export const createCredentialsReader =
  (unseal: DashboardSessions['unseal']): ReadCredentials =>
  ({ headers }, remote) => {
    const { authorization } = headers;
    const invokingAgent = headers['x-invoking-agent'];
    // Node joins or drops repeated headers of this kind; a list never comes.
    const claimedAgent = typeof invokingAgent === 'string' ? invokingAgent : undefined;
    const token = authorization === undefined ? findSession(headers, unseal)?.token : BEARER.exec(authorization)?.[1];
    const isMalformed = token === undefined && (authorization !== undefined || hasSession(headers));
    return isMalformed ? 'malformed' : { token, claimedAgent, remote };
  };

/** The characters of RFC 6750's b64token. */
const BEARER = /^bearer +([\w.~+/=-]+)$/i;

/** Of a token that came in a body: what no header could hold is none, and never becomes a cookie. */
export const sessionCredentials = (token: string, remote: boolean): Credentials | 'malformed' =>
  /^[\w.~+/=-]+$/.test(token) ? { token, claimedAgent: undefined, remote } : 'malformed';
