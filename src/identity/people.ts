// People: the users of `user_creation`, with the roles and scopes that the operator granted them (N6). Implemented in store/.
import { type Caller, type Scope, userCaller } from './caller.ts';

export interface Person {
  /** A UUID in lower case. */
  readonly id: string;
  /** As it was given. */
  readonly email: string;
  readonly displayName: string | null;
  readonly createdAt: Date;
  /** Sorted. */
  readonly roles: readonly string[];
  /** In the order of `SCOPES`. */
  readonly scopes: readonly Scope[];
}

export type Grants = Pick<Person, 'roles' | 'scopes'>;

export interface PeopleQuery {
  /** Part of the email; letter case does not count. */
  readonly email?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

export interface PeoplePage {
  /** By email. */
  readonly people: readonly Person[];
  readonly nextCursor: string | undefined;
}

/** A user who is to be made. */
export interface NewPerson extends Omit<Person, 'roles' | 'scopes'> {
  readonly passwordHash: string;
}

/** A change of grants, and who asks for it. */
export interface GrantChange {
  readonly email: string;
  readonly grants: Grants;
  /** For the trail: `local` for the operator. */
  readonly actor: string;
  readonly at: Date;
}

/** Its promises reject with StoreUnavailable when the store cannot be used. */
export interface PeopleStore {
  /** By the operator, who is entered with it. False: another user has this email. */
  add(actor: string, person: NewPerson): Promise<boolean>;
  find(userId: string): Promise<Person | undefined>;
  /** Rejects with BadCursor. */
  list(query: PeopleQuery): Promise<PeoplePage>;
  /** Adds what they do not have. Answers what they have then; `undefined`: no user has this email. */
  grant(change: GrantChange): Promise<Person | undefined>;
  /** Takes these away. Answers what they have then; `undefined`: no user has this email. */
  ungrant(change: Omit<GrantChange, 'grants'> & { readonly grants: Grants | 'all' }): Promise<Person | undefined>;
}

export const personCaller = (
  { id, email, displayName, roles, scopes }: Person,
  grants: Grants & Pick<Caller, 'seesAs'> = { roles, scopes },
): Caller => ({
  ...userCaller(id, grants.roles, grants.scopes, { email, displayName }),
  ...(grants.seesAs && { seesAs: grants.seesAs }),
});
