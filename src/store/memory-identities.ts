// Agents and secrets in memory, for tests. Nothing survives the process.
import type { Agent, AgentStore } from '../identity/agents.ts';
import type { SecretStore } from '../identity/secrets.ts';

export function createMemoryAgentStore(): AgentStore {
  const kept = new Map<string, Agent & { readonly tokenDigest: string }>();
  const find = (tokenDigest: string) => [...kept.values()].find((agent) => agent.tokenDigest === tokenDigest);
  return {
    async add(agent) {
      const there = kept.get(agent.name);
      if (there !== undefined && there.revokedAt === undefined) return false;
      kept.set(agent.name, { ...agent, revokedAt: undefined, lastUsedAt: undefined });
      return true;
    },
    async findByDigest(tokenDigest) {
      const found = find(tokenDigest);
      return found && withoutDigest(found);
    },
    list: async () => [...kept.values()].map(withoutDigest).sort((a, b) => (a.name < b.name ? -1 : 1)),
    async revoke(name, at) {
      const there = kept.get(name);
      if (there === undefined || there.revokedAt !== undefined) return false;
      kept.set(name, { ...there, revokedAt: at });
      return true;
    },
    noteUse(tokenDigest, at) {
      const found = find(tokenDigest);
      if (found !== undefined && at > (found.lastUsedAt ?? 0)) kept.set(found.name, { ...found, lastUsedAt: at });
    },
  };
}

export function createMemorySecretStore(): SecretStore {
  const kept = new Map<string, string>();
  return {
    async getOrAdd(name, make) {
      const value = kept.get(name) ?? make();
      kept.set(name, value);
      return value;
    },
  };
}

const withoutDigest = ({ tokenDigest, ...agent }: Agent & { readonly tokenDigest: string }): Agent => agent;
