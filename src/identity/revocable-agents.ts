// Agents whose revocation through this process is heard in it at once; other processes hear of it by the store (H5, N3).
import type { AgentStore } from './agents.ts';
import type { IdentityNews } from './identity-news.ts';

/** What keeps answers of the store drops them when it hears, before `revoke` has answered. */
export const createRevocableAgents = (agents: AgentStore, news: Pick<IdentityNews, 'tellAgent'>): AgentStore => ({
  add: (agent, actor) => agents.add(agent, actor),
  findByDigest: (digest) => agents.findByDigest(digest),
  list: () => agents.list(),
  noteUse: (digest, at) => agents.noteUse(digest, at),
  revoke: async (name, at, actor) => {
    const isRevoked = await agents.revoke(name, at, actor);
    if (isRevoked) news.tellAgent(name, 'revoked');
    return isRevoked;
  },
});
