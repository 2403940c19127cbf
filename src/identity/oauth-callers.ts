// Whose token a client brings: the caller that it stands for, restricted to the token's scopes, and never more than that
// person may do now (O5). Remembered for a while, and dropped when it is told that something of it has changed (N3).
import { createHash } from 'node:crypto';
import { fail, ok } from '../values/result.ts';
import { toScopes } from './agents.ts';
import type { Authentication } from './authentication.ts';
import { agentCaller, type Caller, EVERY_SKILL, LOCAL_OPERATOR, personKey } from './caller.ts';
import type { IdentityNews } from './identity-news.ts';
import type { OAuthStore, StoredToken } from './oauth.ts';
import { type Person, personCaller } from './people.ts';
import { createRemembered, type Recall, type Remembered } from './remembered.ts';

const NOTE_USE_EVERY_MS = 60_000;

export interface OAuthCallersParts {
  readonly oauth: Pick<OAuthStore, 'findToken' | 'noteUse'>;
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

/** Never rejects. */
export type FindOAuthCaller = (digest: string, isRecheck: boolean) => Authentication | Promise<Authentication>;

/** What a grant of the operator is bound to: with another token it is none. Not the digest that is compared elsewhere. */
export const operatorKeyOf = (operatorDigest: string): string =>
  createHash('sha256').update(`repertoire oauth grant ${operatorDigest}`).digest('hex');

const BAD: Authentication = fail('bad');
const UNAVAILABLE: Authentication = fail('unavailable');

export function createOAuthCallers(parts: OAuthCallersParts): FindOAuthCaller {
  const { oauth, news, monotonicMs } = parts;
  const memory = createRemembered<Known>({
    monotonicMs,
    find: async (digest, former) => {
      const token = await oauth.findToken('access', digest);
      if (token === undefined || token.grant.isRevoked) return undefined;
      return { ...token, useNotedAt: former?.useNotedAt ?? Number.NEGATIVE_INFINITY };
    },
  });
  news?.onOAuth(({ grantId, clientId }) => {
    const isAny = grantId === undefined && clientId === undefined;
    memory.forget(({ grant }) => isAny || grant.id === grantId || grant.client.id === clientId, 'stranger');
  });
  news?.onGap(memory.doubt);
  return (digest, isRecheck) => {
    const toCaller = (found: Remembered<Known>) => authenticateFound(found, isRecheck, parts);
    const found = memory.recall(digest, isRecheck);
    return found instanceof Promise ? found.then(toCaller) : toCaller(found);
  };
}

function authenticateFound(
  found: Remembered<Known>,
  isRecheck: boolean,
  parts: OAuthCallersParts,
): Authentication | Promise<Authentication> {
  if (typeof found === 'string') return found === 'stranger' ? BAD : UNAVAILABLE;
  const { grant, expiresAt } = found;
  if (expiresAt <= parts.now() || !parts.isOwnResource(grant.resource)) return BAD;
  if (grant.grantor.kind === 'operator') {
    const digest = parts.operatorDigest();
    if (digest === undefined || operatorKeyOf(digest) !== grant.grantor.key) return BAD;
    if (!isRecheck) noteUse(found, parts);
    return ok(delegateOf(found));
  }
  const finish = (person: Remembered<Person>): Authentication => {
    if (typeof person === 'string') return person === 'stranger' ? BAD : UNAVAILABLE;
    if (!isRecheck) noteUse(found, parts);
    return ok(withToken(personCaller(person), found));
  };
  const person = parts.recallPerson(grant.grantor.userId, isRecheck);
  return person instanceof Promise ? person.then(finish) : finish(person);
}

/** Every skill, but nothing of what only the operator may do. */
const delegateOf = (token: Known): Caller =>
  withToken(agentCaller('local', [EVERY_SKILL], toScopes(token.scopes)), token, LOCAL_OPERATOR);

const withToken = (caller: Caller, { scopes, grant }: Known, person: Caller = caller): Caller => ({
  ...caller,
  scopes: caller.scopes.filter((scope) => scopes.includes(scope)),
  via: { client: grant.client.name, clientId: grant.client.id, person: personKey(person), scopes },
});

function noteUse(known: Known, { oauth, now, monotonicMs }: OAuthCallersParts): void {
  const at = monotonicMs();
  if (at - known.useNotedAt < NOTE_USE_EVERY_MS) return;
  known.useNotedAt = at;
  oauth.noteUse(known.grant.id, now());
}
