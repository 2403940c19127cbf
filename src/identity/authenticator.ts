// Says whose credential this is: the operator's, an agent's or a user's (H5). Runs before every request.
import { timingSafeEqual } from 'node:crypto';
import { fail, ok } from '../values/result.ts';
import type { Authenticate, Authentication } from './authentication.ts';
import { agentCaller, LOCAL_OPERATOR } from './caller.ts';
import { type VerifyGranted, whileGranted } from './granted-tokens.ts';
import type { IdentityNews } from './identity-news.ts';
import { withIssuers, withinLent } from './lent-grants.ts';
import { createOAuthCallers, type OAuthCallers, type OAuthCallersParts } from './oauth-callers.ts';
import { type PeopleStore, type Person, personCaller } from './people.ts';
import { createRemembered, type Recall, type Remembered } from './remembered.ts';
import { createRememberedAgents, type KnownAgents } from './remembered-agents.ts';
import { ACCESS_TOKEN, AGENT_TOKEN, digestOf, isTokenSized } from './token.ts';
import { isUserTokenShaped, type UserTokens } from './user-tokens.ts';

export interface AuthenticatorParts {
  /** Absent: the operator has none. A function where it may be rotated: what it answers now counts. */
  readonly operatorToken: string | (() => string | undefined) | undefined;
  /** Absent: there is no store, so no agent has a token. */
  readonly agents: KnownAgents | undefined;
  readonly verifyUser: UserTokens['verify'];
  /** A token is good only while its user exists; what they may do is kept there, not in the token (N6). */
  readonly people: Pick<PeopleStore, 'find'>;
  /** Without it, what changes is noticed within 10 seconds. */
  readonly news?: Pick<IdentityNews, 'onAgent' | 'onUser' | 'onOAuth' | 'onGap'> | undefined;
  /** Absent: no client is let in by OAuth. */
  readonly oauth?: Pick<OAuthCallersParts, 'oauth' | 'isOwnResource'> | undefined;
  /** Tokens of another issuer (O6); absent: there is none. */
  readonly verifyForeign?: ((token: string) => Authentication | Promise<Authentication>) | undefined;
  /** A caller from this machine without a credential is the operator, or the agent they claim to be (`--no-auth`). */
  readonly noAuth: boolean;
  readonly now: () => Date;
  readonly monotonicMs: () => number;
}

export interface Authenticator {
  readonly authenticate: Authenticate;
  /** Of users' tokens, as `authenticate` does it: also of those that are not sent as a credential, and may be longer. */
  readonly verifyGranted: VerifyGranted;
}

export function createAuthenticator(parts: AuthenticatorParts): Authenticator {
  const { operatorToken, agents, people, news, noAuth, monotonicMs, verifyForeign } = parts;
  const isOperator = createOperatorCheck(operatorToken);
  const findAgent = agents && createRememberedAgents({ ...parts, agents });
  const known = createRemembered<Person>({ find: (id) => people.find(id), monotonicMs });
  news?.onUser((userId) => known.forget((_person, id) => id === userId, 'unavailable'));
  news?.onGap(known.doubt);
  const clients = openOAuthCallers(parts, known.recall);
  const verifyGranted = whileGranted(parts.verifyUser, async (...consent) => clients?.findGrantor(...consent) ?? BAD);
  const authenticate: Authenticate = ({
    token,
    signedIn,
    claimedAgent,
    remote,
    isRecheck = false,
    isOfSession = false,
  }) => {
    if (signedIn !== undefined) return findSignedIn(known.recall(signedIn.userId, isRecheck));
    if (token === undefined) return noAuth && !remote ? believe(claimedAgent) : MISSING;
    if (verifyForeign !== undefined && !isOfSession && FOREIGN.test(token)) return verifyForeign(token);
    if (!isTokenSized(token)) return BAD;
    const digest = digestOf(token);
    if (isOperator(digest)) return OPERATOR;
    if (AGENT_TOKEN.test(token)) return findAgent?.(digest, !isRecheck) ?? BAD;
    if (ACCESS_TOKEN.test(token)) return isOfSession ? BAD : (clients?.find(digest, isRecheck) ?? BAD);
    if (!isUserTokenShaped(token)) return BAD;
    return findUser(token, isRecheck, { verifyGranted, recall: known.recall });
  };
  return { authenticate, verifyGranted };
}

/** A JWT whose signature is longer than that of our own. In a header Node takes 16 KB. */
const FOREIGN = /^[\w-]+\.[\w-]+\.[\w-]{44,}$/;

function openOAuthCallers(parts: AuthenticatorParts, recallPerson: Recall<Person>): OAuthCallers | undefined {
  const { oauth, operatorToken, news, now, monotonicMs } = parts;
  if (oauth === undefined) return undefined;
  const operatorDigest = () => {
    const token = typeof operatorToken === 'function' ? operatorToken() : operatorToken;
    return token === undefined ? undefined : digestOf(token);
  };
  return createOAuthCallers({ ...oauth, operatorDigest, recallPerson, news, now, monotonicMs });
}

const OPERATOR: Authentication = ok(LOCAL_OPERATOR);
const MISSING: Authentication = fail('missing');
const BAD: Authentication = fail('bad');
const UNAVAILABLE: Authentication = fail('unavailable');

/** Of digests, and in constant time: how long it takes says nothing about the token. */
function createOperatorCheck(given: AuthenticatorParts['operatorToken']): (digest: string) => boolean {
  const read = typeof given === 'function' ? given : () => given;
  let token: string | undefined;
  let known: Buffer | undefined;
  return (digest) => {
    const now = read();
    if (now !== token) known = now === undefined ? undefined : bytesOf(digestOf(now));
    token = now;
    return known !== undefined && timingSafeEqual(bytesOf(digest), known);
  };
}

const bytesOf = (digest: string): Buffer => Buffer.from(digest, 'latin1');

/** As long as an agent's name may be (X2). */
const MOST_NAME = 64;

function believe(claimedAgent: string | undefined): Authentication {
  const name = claimedAgent?.trim().slice(0, MOST_NAME).trim() ?? '';
  return name === '' ? OPERATOR : ok(agentCaller(name));
}

const findSignedIn = (
  found: Remembered<Person> | Promise<Remembered<Person>>,
): Authentication | Promise<Authentication> =>
  found instanceof Promise ? found.then(signedInCaller) : signedInCaller(found);

function signedInCaller(found: Remembered<Person>): Authentication {
  if (typeof found === 'string') return found === 'stranger' ? BAD : UNAVAILABLE;
  return ok(personCaller(found));
}

interface UserParts {
  readonly verifyGranted: VerifyGranted;
  readonly recall: Recall<Person>;
}

async function findUser(token: string, isRecheck: boolean, parts: UserParts): Promise<Authentication> {
  const verified = await parts.verifyGranted(token, isRecheck);
  if (!verified.ok) return verified;
  const { userId, lends } = verified.value;
  const person = await parts.recall(userId, isRecheck);
  if (typeof person === 'string') return person === 'stranger' ? BAD : UNAVAILABLE;
  return ok(withIssuers(personCaller(person, withinLent(person, lends)), lends));
}
