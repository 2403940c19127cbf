// Whose token a client brings: the caller that it stands for, restricted to the token's scopes, and never more than that
// person may do now (O5). Remembered for a while, and dropped when it is told that something of it has changed (N3).
import { createHash } from 'node:crypto';
import { fail, ok } from '../values/result.ts';
import { toScopes } from './agents.ts';
import type { Authentication } from './authentication.ts';
import { agentCaller, type Caller, EVERY_SKILL, LOCAL_OPERATOR, personKey } from './caller.ts';
import type { IdentityNews } from './identity-news.ts';
import type { Grant, OAuthStore, StoredToken } from './oauth.ts';
import { type Person, personCaller } from './people.ts';
import { createRemembered, type Recall, type Remembered } from './remembered.ts';

const NOTE_USE_EVERY_MS = 60_000;

export interface OAuthCallersParts {
  readonly oauth: Pick<OAuthStore, 'findToken' | 'findGrant' | 'noteUse'>;
  /** Of the operator's token as it is now; absent: there is none. */
  readonly operatorDigest: () => string | undefined;
  /** Whether a token for this resource is one for us. */
  readonly isOwnResource: (resource: string) => boolean;
  readonly recallPerson: Recall<Person>;
  readonly news?: Pick<IdentityNews, 'onOAuth' | 'onGap'> | undefined;
  readonly now: () => Date;
  readonly monotonicMs: () => number;
}

interface Known extends StoredToken {
  useNotedAt: number;
}

/** Whose token it is. Never rejects. */
type FindOAuthCaller = (digest: string, isRecheck: boolean) => Authentication | Promise<Authentication>;

export interface OAuthCallers {
  readonly find: FindOAuthCaller;
  /** Who gave this consent, while it holds: what a client issues in a user's name ends with it (O4). Never rejects. */
  readonly findGrantor: (grantId: string, isRecheck: boolean) => Promise<Authentication>;
}

/** What a grant of the operator is bound to: with another token it is none. Not the digest that is compared elsewhere. */
export const operatorKeyOf = (operatorDigest: string): string =>
  createHash('sha256').update(`repertoire oauth grant ${operatorDigest}`).digest('hex');

const BAD: Authentication = fail('bad');
const UNAVAILABLE: Authentication = fail('unavailable');
const OPERATOR: Authentication = ok(LOCAL_OPERATOR);

export function createOAuthCallers(parts: OAuthCallersParts): OAuthCallers {
  const { oauth, news, monotonicMs } = parts;
  const memory = createRemembered<Known>({
    monotonicMs,
    find: async (digest, former) => {
      const token = await oauth.findToken('access', digest);
      if (token === undefined || token.grant.isRevoked) return undefined;
      return { ...token, useNotedAt: former?.useNotedAt ?? Number.NEGATIVE_INFINITY };
    },
  });
  const grants = createRemembered<Grant>({
    monotonicMs,
    find: async (id) => {
      const grant = await oauth.findGrant(id);
      return grant?.isRevoked === true ? undefined : grant;
    },
  });
  news?.onOAuth(({ grantId, clientId }) => {
    const isAny = grantId === undefined && clientId === undefined;
    const isMeant = (grant: Grant) => isAny || grant.id === grantId || grant.client.id === clientId;
    memory.forget(({ grant }) => isMeant(grant), 'stranger');
    grants.forget(isMeant, 'stranger');
  });
  news?.onGap(memory.doubt);
  news?.onGap(grants.doubt);
  return {
    find: (digest, isRecheck) => {
      const toCaller = (found: Remembered<Known>) => authenticateFound(found, isRecheck, parts);
      const found = memory.recall(digest, isRecheck);
      return found instanceof Promise ? found.then(toCaller) : toCaller(found);
    },
    findGrantor: async (grantId, isRecheck) => {
      const found = await grants.recall(grantId, isRecheck);
      if (typeof found === 'string') return found === 'stranger' ? BAD : UNAVAILABLE;
      return grantorOf(found, isRecheck, parts);
    },
  };
}

function authenticateFound(
  found: Remembered<Known>,
  isRecheck: boolean,
  parts: OAuthCallersParts,
): Authentication | Promise<Authentication> {
  if (typeof found === 'string') return found === 'stranger' ? BAD : UNAVAILABLE;
  if (found.expiresAt <= parts.now()) return BAD;
  const finish = (grantor: Authentication): Authentication => {
    if (!grantor.ok) return grantor;
    if (!isRecheck) noteUse(found, parts);
    return ok(delegateOf(grantor.value, found));
  };
  const grantor = grantorOf(found.grant, isRecheck, parts);
  return grantor instanceof Promise ? grantor.then(finish) : finish(grantor);
}

/** The operator while they have the token that they had then, or the person while there is one. */
function grantorOf(
  { grantor, resource }: Grant,
  isRecheck: boolean,
  { isOwnResource, operatorDigest, recallPerson }: OAuthCallersParts,
): Authentication | Promise<Authentication> {
  if (!isOwnResource(resource)) return BAD;
  if (grantor.kind === 'operator') {
    const digest = operatorDigest();
    return digest !== undefined && operatorKeyOf(digest) === grantor.key ? OPERATOR : BAD;
  }
  const person = recallPerson(grantor.userId, isRecheck);
  return person instanceof Promise ? person.then(toGrantor) : toGrantor(person);
}

function toGrantor(person: Remembered<Person>): Authentication {
  if (typeof person === 'string') return person === 'stranger' ? BAD : UNAVAILABLE;
  return ok(personCaller(person));
}

/** For the operator every skill, but nothing of what only the operator may do. */
function delegateOf(grantor: Caller, { scopes, grant }: Known): Caller {
  const caller = grantor.kind === 'operator' ? agentCaller('local', [EVERY_SKILL], toScopes(scopes)) : grantor;
  const { id: grantId, client } = grant;
  return {
    ...caller,
    scopes: caller.scopes.filter((scope) => scopes.includes(scope)),
    via: { client: client.name, clientId: client.id, grantId, person: personKey(grantor), scopes },
  };
}

function noteUse(known: Known, { oauth, now, monotonicMs }: OAuthCallersParts): void {
  const at = monotonicMs();
  if (at - known.useNotedAt < NOTE_USE_EVERY_MS) return;
  known.useNotedAt = at;
  oauth.noteUse(known.grant.id, now());
}
