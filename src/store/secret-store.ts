// Secrets on a database: made once, by whoever needs one first (B2).
import type { SecretStore } from '../identity/secret-store.ts';
import { addSecret, selectSecret } from './secret-rows.ts';
import type { Sql } from './sql.ts';

export const createSecretStore = (database: Sql): SecretStore => ({
  // Looked for first: the usual start writes nothing.
  getOrAdd: async (name, make) =>
    (await selectSecret(database, name)) ?? (await database.write(() => addSecret(name, make(), database.dialect.now))),
});
