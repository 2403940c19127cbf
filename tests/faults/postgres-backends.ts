// The processes of a PostgreSQL server, to be halted and woken by tests.
import { queryPostgres } from '../support/postgres-database.ts';

/** Of the connections to this database, the asker's own among them. */
export async function backendsOf(url: string): Promise<readonly number[]> {
  const rows = await queryPostgres(url, 'SELECT pid FROM pg_stat_activity WHERE datname = current_database()');
  return rows.map(({ pid }) => Number(pid));
}

/** The one that asked for the list has ended meanwhile. */
export function signalAll(pids: readonly number[], name: 'SIGSTOP' | 'SIGCONT'): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
    }
  }
}
