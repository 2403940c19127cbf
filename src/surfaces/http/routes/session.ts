// `/api/session` and `/api/me`: a token, or email and password, traded for a cookie that scripts cannot read, and who one is
// then (H5, N6).
import type { IncomingMessage } from 'node:http';
import { type Caller, mayDecideRuns, mayInvoke, mayReadLog, mayReadTrail } from '../../../identity/caller.ts';
import { type DashboardSessions, SESSION_SECONDS } from '../../../identity/dashboard-sessions.ts';
import { maySeePaths } from '../../../operations/access.ts';
import type { HostGuide } from '../../../operations/connect.ts';
import type { RegisteredSkill } from '../../../skills/define/registered-skill.ts';
import type { Runtime } from '../../../skills/run/runtime.ts';
import { findSession, sessionCookie, signInRequestIn } from '../message/dashboard-session.ts';
import { invalid, json } from '../message/reply.ts';
import type { Handlers } from './handler.ts';

type SessionHandlers = Pick<Handlers, 'openSession' | 'closeSession' | 'getMe'>;

interface SessionParts {
  readonly version: string;
  readonly authentication: 'on' | 'off';
  readonly sessions: DashboardSessions;
  readonly runtime: Pick<Runtime, 'skills'>;
  readonly guide: Pick<HostGuide, 'commands'>;
  readonly now: () => Date;
}

export function sessionHandlers(parts: SessionParts): SessionHandlers {
  const { version, authentication, sessions, runtime, guide, now } = parts;
  return {
    // The guard has checked the token, or the password: only a valid one gets here.
    openSession: async ({ admitted: { request, body, caller } }) => {
      const asked = signInRequestIn(body);
      if (asked === undefined) return NO_CREDENTIAL;
      const owner = asked.kind === 'token' ? asked.token : { userId: caller.name, at: now() };
      const setCookie = sessionCookie(request, await sessions.seal(owner), SESSION_SECONDS);
      return setCookie.length > MAX_COOKIE_BYTES ? TOO_LONG : empty(setCookie);
    },
    closeSession: ({ admitted: { request } }) => empty(sessionCookie(request, '', 0)),
    getMe: async ({ admitted }) => {
      const { caller, request } = admitted;
      const { kind, name, roles, scopes, person } = caller;
      const email = person?.email ?? null;
      const display_name = person?.displayName ?? null;
      const permissions = permissionsOf(caller, runtime.skills);
      const commands = guide.commands(maySeePaths(admitted));
      const who = { kind, name, email, display_name, roles, scopes };
      const me = json({ ...who, ...permissions, authentication, version, commands });
      return { ...me, headers: { ...me.headers, ...(await renewal(request, sessions)) } };
    },
  };
}

const NO_CREDENTIAL = invalid('the body must be { "token": "…" }, or { "email": "…", "password": "…" }');

/** Browsers silently drop what is longer, attributes included. */
const MAX_COOKIE_BYTES = 4_096;

const TOO_LONG = invalid('token: is too long for a cookie; send it as Authorization: Bearer');

const empty = (setCookie: string) => ({ status: 204, headers: { 'Set-Cookie': setCookie }, body: '' });

/** The dashboard asks for `/api/me` whenever it is opened: a person who uses it every week never signs in again. */
async function renewal(
  request: IncomingMessage,
  sessions: DashboardSessions,
): Promise<{ readonly 'Set-Cookie'?: string }> {
  const session = await findSession(request.headers, sessions.unseal);
  if (session === undefined || !session.isOld) return {};
  return { 'Set-Cookie': sessionCookie(request, await sessions.seal(session.owner), SESSION_SECONDS) };
}

type Skills = readonly Pick<RegisteredSkill, 'name' | 'access'>[];

/** What the caller may do: pages offer that and nothing else. caller.ts decides (H5). */
export const permissionsOf = (caller: Caller, skills: Skills) => ({
  may_read_log: mayReadLog(caller),
  may_read_trail: mayReadTrail(caller),
  may_decide_runs: mayDecideRuns(caller),
  may_invoke: skills.filter(({ access }) => mayInvoke(caller, access)).map(({ name }) => name),
  is_operator: caller.kind === 'operator',
});
