// Users on a database (B2).

import type { NewUser, StoredPassword, User, UserStore } from '../builtin/ports/user-store.ts';
import { USERS_TOPIC } from '../identity/identity-news.ts';
import { emailKeyOf } from '../text/email-key.ts';
import { isStorable } from '../text/storable-text.ts';
import { announce } from './event-table.ts';
import { grantDetails } from './grant-rows.ts';
import { type Dialect, plain, type Row, type Sql, type Steps, sql } from './sql.ts';
import type { TrailWriter } from './trail-writer.ts';

interface UserParts {
  /** Of this process, for what it tells the others. */
  readonly origin: string;
  /** For what enters into the trail. */
  readonly trailed: Sql;
  readonly trail: TrailWriter;
}

export const createUserStore = (database: Sql, parts: UserParts): UserStore => ({
  create: (user) => database.write(() => insertUser(user)),
  find: (id) => findUser(database, id),
  findPassword: (email) => findPassword(database, email),
  delete: (id, actor = 'local') =>
    parts.trailed.write(() => deleteUser(id, actor, { ...parts, dialect: database.dialect })),
});

/** False: another user has the email. */
export function* insertUser({ id, email, passwordHash, displayName, createdAt }: NewUser): Steps<boolean> {
  const rows = yield sql`INSERT INTO repertoire_users (id, email, email_key, password_hash, display_name, created_at)
    VALUES (${id}, ${email}, ${emailKeyOf(email)}, ${passwordHash}, ${displayName}, ${createdAt})
    ON CONFLICT (email_key) DO NOTHING RETURNING id`;
  return rows.length > 0;
}

async function findUser(database: Sql, id: string): Promise<User | undefined> {
  const [row] = await database.read(
    sql`SELECT id, email, display_name, created_at FROM repertoire_users WHERE id = ${id}`,
  );
  return row && toUser(row);
}

async function findPassword(database: Sql, email: string): Promise<StoredPassword | undefined> {
  // No user can have it, and PostgreSQL does not take it.
  if (!isStorable(email)) return undefined;
  const [row] = await database.read(
    sql`SELECT id, password_hash FROM repertoire_users WHERE email_key = ${emailKeyOf(email)}`,
  );
  return row && { userId: String(row.id), passwordHash: String(row.password_hash) };
}

/** Part of a transaction that changes what a user is or may do: every process forgets what it remembers of them (N3). */
export const announceUser = (dialect: Dialect, userId: string, origin: string): Steps<void> =>
  announce(dialect, USERS_TOPIC, { user_id: userId }, origin);

/** The foreign keys take tasks along. Grants are taken here: that someone lost them is entered (L5). */
function* deleteUser(
  id: string,
  actor: string,
  { dialect, origin, trail }: UserParts & { readonly dialect: Dialect },
): Steps<boolean> {
  // Locked first: a grant that is given meanwhile must not go with the user unseen.
  const [user] = yield sql`SELECT email FROM repertoire_users WHERE id = ${id}${LOCKED[dialect.kind]}`;
  if (user === undefined) return false;
  const taken = yield sql`DELETE FROM repertoire_grants WHERE user_id = ${id} RETURNING kind, name`;
  yield sql`DELETE FROM repertoire_users WHERE id = ${id}`;
  yield* announceUser(dialect, id, origin);
  if (taken.length === 0) return true;
  const details = { ...grantDetails(taken), reason: 'the account was deleted' };
  yield* trail.append({ actor, action: 'user.ungrant', subject: String(user.email), details });
  return true;
}

/** In SQLite the transaction is the lock. */
const LOCKED = { sqlite: plain(''), postgres: plain(' FOR UPDATE') };

const toUser = (row: Row): User => ({
  id: String(row.id),
  email: String(row.email),
  displayName: row.display_name === null ? null : String(row.display_name),
  createdAt: new Date(Number(row.created_at)),
});
