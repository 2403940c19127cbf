// Who is signed in, and how a token or a password changes that. Either is traded for a cookie that no script can read.

import { maySomebodyBeSignedIn } from '../browser/signed-in-before.ts';
import type { Me } from '../model/shapes.ts';
import { ask, ME_PATH, SESSION_PATH, type Trouble } from './ask.ts';

/** What a session is opened with. */
export type Credential = { readonly token: string } | { readonly email: string; readonly password: string };

/**
 * Why it is asked for. `token`, `password`: the server does not know it. `busy`: too many tries. `away`: it cannot be checked
 * now. `ended`: a session is over, of a token or of a person.
 */
export type SignInFault = 'token' | 'password' | 'busy' | 'away' | 'ended' | 'ended person';

export type Session =
  | { readonly state: 'asking' }
  | { readonly state: 'unknown'; readonly fault: SignInFault | undefined }
  /** `linkRefused`: a link was followed whose token was not accepted. */
  | { readonly state: 'known'; readonly me: Me; readonly linkRefused?: boolean }
  /** A link would sign in as another caller: the reader decides. */
  | { readonly state: 'offered'; readonly me: Me; readonly other: Me; readonly token: string }
  | { readonly state: 'failed'; readonly trouble: Trouble };

export async function findSession(): Promise<Session> {
  let answer = await ask<Me>(ME_PATH);
  if (!answer.ok && answer.trouble.status === 401) {
    // An old cookie may be in the way of a server that would let us in without one.
    await ask(SESSION_PATH, { method: 'DELETE' });
    answer = await ask<Me>(ME_PATH);
  }
  return sessionOf(answer);
}

/** Replaces the present session. */
export async function openSession(credential: Credential): Promise<Session> {
  const opened = await ask(SESSION_PATH, { method: 'POST', body: credential });
  if (opened.ok) return sessionOf(await ask<Me>(ME_PATH));
  const { trouble } = opened;
  const fault = 'token' in credential ? tokenFault(trouble) : passwordFault(trouble);
  return fault === undefined ? { state: 'failed', trouble } : { state: 'unknown', fault };
}

const isRefused = ({ status }: Trouble): boolean => status === 401 || status === 400;

const tokenFault = (trouble: Trouble): SignInFault | undefined => (isRefused(trouble) ? 'token' : undefined);

function passwordFault(trouble: Trouble): SignInFault | undefined {
  if (isRefused(trouble)) return 'password';
  if (trouble.status === 429) return 'busy';
  return trouble.code === 'PERSISTENCE_ERROR' ? 'away' : undefined;
}

/** Links come from anywhere: one signs in when there is no session, and asks first when there is one. */
export async function followTokenLink(token: string): Promise<Session> {
  const opened = maySomebodyBeSignedIn() ? undefined : await openSession({ token });
  if (opened?.state === 'known') return opened;
  const before = await ask<Me>(ME_PATH);
  if (!before.ok) return opened ?? openSession({ token });
  const me = before.value;
  const coming = await ask<Me>(ME_PATH, { token });
  if (!coming.ok) return { state: 'known', me, linkRefused: true };
  const other = coming.value;
  return other.kind === me.kind && other.name === me.name
    ? { state: 'known', me }
    : { state: 'offered', me, other, token };
}

const sessionOf = (answer: Awaited<ReturnType<typeof ask<Me>>>): Session =>
  answer.ok ? { state: 'known', me: answer.value } : withoutSession(answer.trouble);

const withoutSession = (trouble: Trouble): Session =>
  trouble.status === 401 ? { state: 'unknown', fault: undefined } : { state: 'failed', trouble };
