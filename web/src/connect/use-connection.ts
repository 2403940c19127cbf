// The client that a page waits for, as the server has seen it; looked at again whenever one connects.
import { withQuery } from '../api/ask.ts';
import { useLoaded } from '../api/use-loaded.ts';
import { useRefresh } from '../api/use-refresh.ts';
import { findByName, findConnection } from '../model/connection-steps.ts';
import type { Connection, ConnectionList, Host } from '../model/shapes.ts';

/** Events come in batches; one look is enough for those that come together. */
const SOON_MS = 100;

/** `host`: nothing is asked without one. `agent`: whose token it has; `undefined` where callers have none. */
export function useConnection(host: Host | undefined, agent: string | undefined): Connection | undefined {
  const path = host === undefined ? undefined : withQuery('/api/connections', { agent });
  const { value, reload } = useLoaded<ConnectionList>(path);
  useRefresh(reload, ({ kind }) => kind === 'connection' || kind === 'tick', SOON_MS);
  if (host === undefined || value === undefined) return undefined;
  const find = agent === undefined ? findByName : findConnection;
  return find(value.connections, host);
}
