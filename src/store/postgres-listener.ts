// A connection to PostgreSQL that only listens: what is told to the channel of the table of events arrives at once (N3).
import pg from 'pg';
import { CHANNEL } from './event-table.ts';
import { withTimeLimit } from './limits.ts';
import type { Listening } from './sql.ts';
import { toConnectFailure, tooSlow } from './store-errors.ts';

/** `onLost`: once, after it was open; not after `close`. */
export async function openPostgresListener(
  url: string,
  limitMs: number,
  hear: (payload: string) => void,
  onLost: () => void,
): Promise<Listening> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: limitMs,
    statement_timeout: limitMs,
    keepAlive: true,
  });
  let isOpen = false;
  const end = () => {
    if (isOpen) onLost();
    isOpen = false;
  };
  client.on('error', end);
  client.on('end', end);
  client.on('notification', ({ payload = '' }) => hear(payload));
  const close = async () => {
    isOpen = false;
    await withTimeLimit(client.end(), limitMs, tooSlow).catch(() => undefined); // It is left alone either way.
  };
  try {
    await withTimeLimit(listen(client), limitMs, tooSlow);
    isOpen = true;
    return { close };
  } catch (error) {
    void close();
    throw toConnectFailure(error);
  }
}

async function listen(client: pg.Client): Promise<void> {
  await client.connect();
  // The process may end while it listens. The types do not know it; the pool of the same package calls it.
  (client as pg.Client & { unref(): void }).unref();
  const { rows } = await client.query<{ channel: string }>(`SELECT ${CHANNEL.text} AS channel`);
  await client.query(`LISTEN ${client.escapeIdentifier(rows[0]?.channel ?? '')}`);
}
