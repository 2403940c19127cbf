// Secrets on a database: made once, by the process that needs one first (B2).
import type { SecretStore } from '../identity/user-tokens.ts';
import { type Sql, type Statement, type Steps, sql } from './sql.ts';

export const createSecretStore = (database: Sql): SecretStore => ({
  // Looked for first: the usual start writes nothing.
  getOrAdd: async (name, make) =>
    (await selectSecret(database, name)) ?? (await database.write(() => addSecret(name, make(), database.dialect.now))),
});

async function selectSecret(database: Sql, name: string): Promise<string | undefined> {
  const [row] = await database.read(selectValue(name));
  return row && String(row.value);
}

/** Of several processes that add one at once, all get the value of the first. */
function* addSecret(name: string, value: string, now: Statement): Steps<string> {
  yield sql`INSERT INTO repertoire_secrets (name, value, created_at) VALUES (${name}, ${value}, ${now})
    ON CONFLICT (name) DO NOTHING`;
  const [row] = yield selectValue(name);
  return String(row?.value);
}

const selectValue = (name: string): Statement => sql`SELECT value FROM repertoire_secrets WHERE name = ${name}`;
