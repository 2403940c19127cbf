// Agents whose revocation through this process is heard in it at once; other processes learn of it from the store (H5).
import type { AgentStore } from './agents.ts';

export interface RevocableAgents extends AgentStore {
  /** `listener` gets the name of each agent that is revoked through this object, when the store has it. */
  onRevoked(listener: (name: string) => void): void;
}

/** All who ask are given the same object: what keeps answers of the store drops them when it hears. */
export function createRevocableAgents(agents: AgentStore): RevocableAgents {
  const listeners = new Set<(name: string) => void>();
  return {
    add: (agent) => agents.add(agent),
    findByDigest: (digest) => agents.findByDigest(digest),
    list: () => agents.list(),
    noteUse: (digest, at) => agents.noteUse(digest, at),
    revoke: async (name, at) => {
      const isRevoked = await agents.revoke(name, at);
      if (isRevoked) for (const listener of listeners) listener(name);
      return isRevoked;
    },
    onRevoked: (listener) => void listeners.add(listener),
  };
}
