// How much of what a user was granted comes with a token that another caller issued for them: no more than that caller has
// itself, or an agent that may issue tokens could act as anyone (N6).
import { isRecord } from '../values/is-record.ts';
import type { JsonObject } from '../values/json-object.ts';
import { ANY_MAKER, type Caller, EVERY_SKILL, makersOf, personKey, type Scope, UNNAMED_MAKER } from './caller.ts';

interface Grants {
  readonly roles: readonly string[];
  readonly scopes: readonly Scope[];
}

/** `all`: the operator issued it. Else the rights of who did, as they were then. */
export type Lent = 'all' | LentRights;

interface LentRights {
  readonly roles: readonly string[];
  readonly scopes: readonly string[];
  /** The client that issued it, and what its own token was good for: this one is good for no more (O5). */
  readonly via?: LentVia | undefined;
  /** Who issued it, and the token that it was asked for with. */
  readonly issuers: readonly string[];
}

type LentVia = Omit<NonNullable<Caller['via']>, 'person'> & { readonly scopes: readonly string[] };

const NOTHING = { roles: [], scopes: [] } as const satisfies Omit<LentRights, 'issuers'>;

/** A token has to fit into a header: of a caller with more roles than this it lends nothing. */
const MOST_CHARACTERS = 1_500;

export type Issuer = Pick<Caller, 'kind' | 'name' | 'roles' | 'seesAs' | 'scopes' | 'via' | 'issuers'>;

/** Who decides is a person, or an agent of its own: through tokens for others anyone could approve their own (L2, J8). */
const DECISIONS: readonly Scope[] = ['skills:approve', 'runs:approve'];

export function lentBy(issuer: Issuer): Lent {
  const { kind, roles, seesAs = roles, scopes, via } = issuer;
  const issuers = issuersAfter(issuer);
  // What a client issues is for what its own token was for, and holds as long as the consent that it came of (O4).
  if (via !== undefined) {
    const { client, clientId, grantId, scopes: own } = via;
    return { ...NOTHING, issuers, ...(own && { via: { client, clientId, grantId, scopes: own } }) };
  }
  if (kind === 'operator') return 'all';
  // By a token that opens limited documents to fewer of their roles, or the next one would open more (N4).
  const lent = { roles: seesAs, scopes: scopes.filter((scope) => !DECISIONS.includes(scope)) };
  return { ...(JSON.stringify(lent).length > MOST_CHARACTERS ? NOTHING : lent), issuers };
}

/** With a token for another one could start what one decides on oneself, or propose it: so it says who had it issued (L2, J8). */
function issuersAfter(issuer: Issuer): readonly string[] {
  const issuers = [...new Set(makersOf(issuer))];
  return JSON.stringify(issuers).length > MOST_CHARACTERS ? [ANY_MAKER] : issuers;
}

/** What of these grants the token may use. The role `*` lends every role for typed skills, and for documents none (N4). */
export function withinLent({ roles, scopes }: Grants, lent: Lent): Grants & Pick<Caller, 'seesAs'> {
  if (lent === 'all') return { roles, scopes };
  const own = roles.filter((role) => lent.roles.includes(role));
  const within = scopes.filter((scope) => lent.scopes.includes(scope));
  return lent.roles.includes(EVERY_SKILL) ? { roles, seesAs: own, scopes: within } : { roles: own, scopes: within };
}

/** Their caller with a token that a client issued is that client in their name, whatever else they could do. */
export function withIssuers(caller: Caller, lent: Lent): Caller {
  if (lent === 'all') return caller;
  const { via, issuers } = lent;
  return {
    ...caller,
    ...(via && { via: { ...via, person: personKey(caller) } }),
    ...(issuers.length > 0 && { issuers }),
  };
}

/** The consent without which the token is none; `undefined`: no client of ours issued it. */
export const grantIn = (lent: Lent): string | undefined => (lent === 'all' ? undefined : lent.via?.grantId);

/** A claim of a token that we signed; those that the operator's own programs sign have none. */
export function readLent(claim: unknown): Lent {
  if (claim === 'all') return claim;
  if (!isRecord(claim)) return { ...NOTHING, issuers: [] };
  const { roles, scopes, via, issuers } = claim;
  return {
    roles: textsIn(roles),
    scopes: textsIn(scopes),
    issuers: Array.isArray(issuers) ? textsIn(issuers) : [UNNAMED_MAKER],
    ...(isRecord(via) && { via: readVia(via) }),
  };
}

const readVia = ({ client, clientId, grantId, scopes }: JsonObject): LentVia => ({
  client: String(client),
  clientId: String(clientId),
  ...(grantId !== undefined && { grantId: String(grantId) }),
  scopes: textsIn(scopes),
});

const textsIn = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
