// What a request brings to prove who sent it. Decides nothing (H5).
import type { IncomingMessage } from 'node:http';
import type { Credentials } from '../../../identity/authentication.ts';
import type { DashboardSessions, SessionOwner } from '../../../identity/dashboard-sessions.ts';
import { findSession, hasSession } from '../message/dashboard-session.ts';

/** `malformed`: no token can be read from what came; it counts as a bad one. Queries are never looked at. */
export type FoundCredentials = Credentials | 'malformed';

/** At once unless there is a session that was not opened before. */
export type ReadCredentials = (
  request: Pick<IncomingMessage, 'headers'>,
  remote: boolean,
) => FoundCredentials | Promise<FoundCredentials>;

/** A session is good in the cookie alone, a token in the header alone: neither passes for the other. */
export const createCredentialsReader =
  (unseal: DashboardSessions['unseal']): ReadCredentials =>
  ({ headers }, remote) => {
    const { authorization } = headers;
    const invokingAgent = headers['x-invoking-agent'];
    // Node joins or drops repeated headers of this kind; a list never comes.
    const claimedAgent = typeof invokingAgent === 'string' ? invokingAgent : undefined;
    const withOwner = (owner: SessionOwner | undefined): FoundCredentials => {
      if (owner === undefined) return 'malformed';
      return typeof owner === 'string'
        ? { token: owner, claimedAgent, remote, ...(authorization === undefined && { isOfSession: true }) }
        : { token: undefined, signedIn: owner, claimedAgent, remote };
    };
    if (authorization !== undefined) return withOwner(BEARER.exec(authorization)?.[1]);
    if (!hasSession(headers)) return { token: undefined, claimedAgent, remote };
    const session = findSession(headers, unseal);
    return session instanceof Promise ? session.then((found) => withOwner(found?.owner)) : withOwner(session?.owner);
  };

/** The characters of RFC 6750's b64token. */
const BEARER = /^bearer +([\w.~+/=-]+)$/i;

/** Of a token that came in a body: what no header could hold is none, and never becomes a cookie. */
export const sessionCredentials = (token: string, remote: boolean): Credentials | 'malformed' =>
  /^[\w.~+/=-]+$/.test(token) ? { token, claimedAgent: undefined, remote, isOfSession: true } : 'malformed';
