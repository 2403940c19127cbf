// An agent as programs see it, on the command line and over the API (H5). Without its token, which is not kept.
import type { Agent } from '../../identity/agents.ts';

export type AgentState = 'active' | 'expired' | 'revoked';

function agentStateOf({ revokedAt, expiresAt }: Agent, now: Date): AgentState {
  if (revokedAt !== undefined) return 'revoked';
  return expiresAt !== undefined && expiresAt <= now ? 'expired' : 'active';
}

export const agentJson = (agent: Agent, now: Date) => ({
  name: agent.name,
  state: agentStateOf(agent, now),
  roles: [...agent.roles],
  scopes: [...agent.scopes],
  created_at: agent.createdAt.toISOString(),
  expires_at: agent.expiresAt?.toISOString() ?? null,
  revoked_at: agent.revokedAt?.toISOString() ?? null,
  last_used_at: agent.lastUsedAt?.toISOString() ?? null,
});
