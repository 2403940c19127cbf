// Users on a database (B2).
import {
  emailKeyOf,
  type NewUser,
  type StoredPassword,
  type User,
  type UserStore,
} from '../builtin/ports/user-store.ts';
import { type Row, type Sql, type Steps, sql } from './sql.ts';

export const createUserStore = (database: Sql): UserStore => ({
  create: (user) => database.write(() => insertUser(user)),
  find: (id) => findUser(database, id),
  findPassword: (email) => findPassword(database, email),
  delete: (id) => database.write(() => deleteUser(id)),
});

/** False: another user has the email. */
function* insertUser({ id, email, passwordHash, displayName, createdAt }: NewUser): Steps<boolean> {
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
  const [row] = await database.read(
    sql`SELECT id, password_hash FROM repertoire_users WHERE email_key = ${emailKeyOf(email)}`,
  );
  return row && { userId: String(row.id), passwordHash: String(row.password_hash) };
}

/** The foreign key takes the tasks along. */
function* deleteUser(id: string): Steps<boolean> {
  const rows = yield sql`DELETE FROM repertoire_users WHERE id = ${id} RETURNING id`;
  return rows.length > 0;
}

const toUser = (row: Row): User => ({
  id: String(row.id),
  email: String(row.email),
  displayName: row.display_name === null ? null : String(row.display_name),
  createdAt: new Date(Number(row.created_at)),
});
