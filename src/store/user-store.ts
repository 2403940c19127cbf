// Users on a database (B2).
import type { UserStore } from '../builtin/user-store.ts';
import type { Sql } from './sql.ts';
import { deleteUser, findPassword, findUser, insertUser } from './user-rows.ts';

export const createUserStore = (database: Sql): UserStore => ({
  create: (user) => database.write(() => insertUser(user)),
  find: (id) => findUser(database, id),
  findPassword: (email) => findPassword(database, email),
  delete: (id) => database.write(() => deleteUser(id)),
});
