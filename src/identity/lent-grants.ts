// How much of what a user was granted comes with a token that another caller issued for them: no more than that caller has
// itself, or an agent that may issue tokens could act as anyone (N6).
import { type Caller, EVERY_SKILL, type Scope } from './caller.ts';

interface Grants {
  readonly roles: readonly string[];
  readonly scopes: readonly Scope[];
}

/** `all`: the operator issued it. Else the rights of who did, as they were then. */
export type Lent = 'all' | { readonly roles: readonly string[]; readonly scopes: readonly string[] };

const NOTHING: Lent = { roles: [], scopes: [] };

/** A token has to fit into a header: of a caller with more roles than this it lends nothing. */
const MOST_CHARACTERS = 1_500;

export type Issuer = Pick<Caller, 'kind' | 'roles' | 'scopes' | 'via'>;

/** Who decides is a person, or an agent of its own: through tokens for others anyone could approve their own (L2, J8). */
const DECISIONS: readonly Scope[] = ['skills:approve', 'runs:approve'];

export function lentBy({ kind, roles, scopes, via }: Issuer): Lent {
  // What a client may do ends when it is revoked; the tokens that it issued do not (O4).
  if (via !== undefined) return NOTHING;
  if (kind === 'operator') return 'all';
  const lent = { roles, scopes: scopes.filter((scope) => !DECISIONS.includes(scope)) };
  return JSON.stringify(lent).length > MOST_CHARACTERS ? NOTHING : lent;
}

/** What of these grants the token may use. The role `*` lends every role for typed skills, and for documents none (N4). */
export function withinLent({ roles, scopes }: Grants, lent: Lent): Grants & Pick<Caller, 'seesAs'> {
  if (lent === 'all') return { roles, scopes };
  const own = roles.filter((role) => lent.roles.includes(role));
  const within = scopes.filter((scope) => lent.scopes.includes(scope));
  return lent.roles.includes(EVERY_SKILL) ? { roles, seesAs: own, scopes: within } : { roles: own, scopes: within };
}

/** A claim of a token that we signed; those of earlier versions have none. */
export function readLent(claim: unknown): Lent {
  if (claim === 'all') return claim;
  if (typeof claim !== 'object' || claim === null) return NOTHING;
  const { roles, scopes } = claim as Readonly<Record<string, unknown>>;
  return { roles: textsIn(roles), scopes: textsIn(scopes) };
}

const textsIn = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
