// What the built-in skills need of a store to keep users. Implemented in store/.

export interface User {
  /** A UUID in lower case. */
  readonly id: string;
  /** As it was given. */
  readonly email: string;
  readonly displayName: string | null;
  readonly createdAt: Date;
}

export interface NewUser extends User {
  readonly passwordHash: string;
}

export interface StoredPassword {
  readonly userId: string;
  readonly passwordHash: string;
}

/** All of these reject with StoreUnavailable when the store cannot be used. */
export interface UserStore {
  /** Durable when it resolves. False: another user has this email. */
  create(user: NewUser): Promise<boolean>;
  find(id: string): Promise<User | undefined>;
  findPassword(email: string): Promise<StoredPassword | undefined>;
  /**
   * With everything that is theirs. False: there is no such user. `actor`: who asks, for the trail, where what they were granted
   * is entered as lost; the operator when left out.
   */
  delete(id: string, actor?: string): Promise<boolean>;
}
