// Agents on a database (H5). When each was last seen is written behind the answer, for all of them at once.

import type { AgentStore } from '../identity/agents.ts';
import { StoreUnavailable } from '../skills/invocation-log.ts';
import { insertAgent, noteUses, revokeAgent, selectAgentByDigest, selectAgents } from './agent-rows.ts';
import { RecordRefused } from './record-refused.ts';
import type { Sql } from './sql.ts';

const FLUSH_AFTER_MS = 1_000;
/** More than these have not been seen at all. */
const MOST_WAITING = 10_000;

export interface ClosableAgentStore extends AgentStore {
  /** Writes what waits. */
  close(): Promise<void>;
}

export function createAgentStore(database: Sql): ClosableAgentStore {
  let waiting = new Map<string, Date>();
  let timer: NodeJS.Timeout | undefined;
  let flushing: Promise<void> = Promise.resolve();

  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    const uses = waiting;
    waiting = new Map();
    // A fault of ours was thrown where it happened: it keeps no later use from being written.
    if (uses.size > 0) flushing = flushing.catch(() => undefined).then(() => writeUses(database, uses));
    return flushing;
  };
  return {
    add: (agent) => database.write(() => insertAgent(agent)),
    findByDigest: (tokenDigest) => selectAgentByDigest(database, tokenDigest),
    // Not by SQL: each database sorts by rules of its own.
    list: async () => [...(await selectAgents(database))].sort((a, b) => (a.name < b.name ? -1 : 1)),
    revoke: (name, at) => database.write(() => revokeAgent(name, at)),
    noteUse(tokenDigest, at) {
      if (waiting.size >= MOST_WAITING) return;
      waiting.set(tokenDigest, at);
      // It does not hold the process: whoever ends it closes the store, which flushes.
      timer ??= setTimeout(flush, FLUSH_AFTER_MS).unref();
    },
    close: flush,
  };
}

/** What cannot be written is forgotten: it comes again with the agent's next call. */
async function writeUses(database: Sql, uses: ReadonlyMap<string, Date>): Promise<void> {
  try {
    await database.write(() => noteUses(uses));
  } catch (error) {
    if (!(error instanceof StoreUnavailable || error instanceof RecordRefused)) throw error;
  }
}
