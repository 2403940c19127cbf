// Says whose credential this is: the operator's, an agent's or a user's (H5). Runs before every request.
import { timingSafeEqual } from 'node:crypto';
import { fail, ok } from '../values/result.ts';
import type { Authenticate, Authentication } from './authentication.ts';
import { agentCaller, LOCAL_OPERATOR, userCaller } from './caller.ts';
import { createRemembered, type Recall } from './remembered.ts';
import { createRememberedAgents, type KnownAgents } from './remembered-agents.ts';
import { AGENT_TOKEN, digestOf, isTokenSized } from './token.ts';
import { isUserTokenShaped, type UserTokens } from './user-tokens.ts';

export interface AuthenticatorParts {
  /** Absent: the operator has none. */
  readonly operatorToken: string | undefined;
  /** Absent: there is no store, so no agent has a token. */
  readonly agents: KnownAgents | undefined;
  readonly verifyUser: UserTokens['verify'];
  /** A token is good only while its user exists. */
  readonly users: UserLookup;
  /** A caller from this machine without a credential is the operator, or the agent they claim to be (`--no-auth`). */
  readonly noAuth: boolean;
  readonly now: () => Date;
  readonly monotonicMs: () => number;
}

/** Rejects when the store cannot be reached. */
interface UserLookup {
  find(userId: string): Promise<object | undefined>;
}

export function createAuthenticator(parts: AuthenticatorParts): Authenticate {
  const { operatorToken, agents, users, noAuth, monotonicMs } = parts;
  const operatorDigest = operatorToken === undefined ? undefined : bytesOf(digestOf(operatorToken));
  const findAgent = agents && createRememberedAgents({ ...parts, agents });
  const recallUser = createRemembered<object>({ find: (id) => users.find(id), monotonicMs });
  return ({ token, claimedAgent, remote, isRecheck }) => {
    if (token === undefined) return noAuth && !remote ? believe(claimedAgent) : MISSING;
    if (!isTokenSized(token)) return BAD;
    const digest = digestOf(token);
    // Of digests, and in constant time: how long it takes says nothing about the token.
    if (operatorDigest !== undefined && timingSafeEqual(bytesOf(digest), operatorDigest)) return OPERATOR;
    if (AGENT_TOKEN.test(token)) return findAgent?.(digest, isRecheck !== true) ?? BAD;
    if (!isUserTokenShaped(token)) return BAD;
    return findUser(parts.verifyUser, (id) => recallUser(id, isRecheck === true), token);
  };
}

const OPERATOR: Authentication = ok(LOCAL_OPERATOR);
const MISSING: Authentication = fail('missing');
const BAD: Authentication = fail('bad');
const UNAVAILABLE: Authentication = fail('unavailable');

const bytesOf = (digest: string): Buffer => Buffer.from(digest, 'latin1');

/** As long as an agent's name may be (X2). */
const MOST_NAME = 64;

function believe(claimedAgent: string | undefined): Authentication {
  const name = claimedAgent?.trim().slice(0, MOST_NAME).trim() ?? '';
  return name === '' ? OPERATOR : ok(agentCaller(name));
}

async function findUser(verify: UserTokens['verify'], recall: Recall<object>, token: string): Promise<Authentication> {
  try {
    const verified = await verify(token);
    if (!verified.ok) return verified;
    const user = await recall(verified.value.userId);
    if (typeof user === 'string') return user === 'stranger' ? BAD : UNAVAILABLE;
    return ok(userCaller(verified.value.userId));
  } catch {
    return UNAVAILABLE; // A fault of ours: the caller may be who they say, but that is not enough.
  }
}
