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

export function lentBy({ kind, roles, scopes }: Pick<Caller, 'kind' | 'roles' | 'scopes'>): Lent {
  if (kind === 'operator') return 'all';
  const lent = { roles, scopes };
  return JSON.stringify(lent).length > MOST_CHARACTERS ? NOTHING : lent;
}

/** What of these grants the token may use. */
export function withinLent({ roles, scopes }: Grants, lent: Lent): Grants {
  if (lent === 'all') return { roles, scopes };
  const isEvery = lent.roles.includes(EVERY_SKILL);
  return {
    roles: isEvery ? roles : roles.filter((role) => lent.roles.includes(role)),
    scopes: scopes.filter((scope) => lent.scopes.includes(scope)),
  };
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
