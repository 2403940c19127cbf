// The SQL of secrets that all processes share (B2).
import { type Sql, type Statement, type Steps, sql } from './sql.ts';

export async function selectSecret(database: Sql, name: string): Promise<string | undefined> {
  const [row] = await database.read(selectValue(name));
  return row && String(row.value);
}

/** Of several who add one, the first is right: all of them get its value. */
export function* addSecret(name: string, value: string, now: Statement): Steps<string> {
  yield sql`INSERT INTO repertoire_secrets (name, value, created_at) VALUES (${name}, ${value}, ${now})
    ON CONFLICT (name) DO NOTHING`;
  const [row] = yield selectValue(name);
  return String(row?.value);
}

const selectValue = (name: string): Statement => sql`SELECT value FROM repertoire_secrets WHERE name = ${name}`;
