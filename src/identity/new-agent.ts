// An agent as it is added: its token, which is shown once, and what is kept of it (H5).
import type { Agent, NewAgent } from './agents.ts';
import { createAgentToken, digestOf } from './token.ts';

type Asked = Pick<Agent, 'name' | 'roles' | 'scopes' | 'expiresAt'>;

/** Without roles it acts as itself. */
export function createAgent(asked: Asked, createdAt: Date): { readonly agent: NewAgent; readonly token: string } {
  const token = createAgentToken();
  const roles = [...new Set(asked.roles)];
  const agent = {
    ...asked,
    roles: roles.length === 0 ? [asked.name] : roles,
    tokenDigest: digestOf(token),
    createdAt,
  };
  return { agent, token };
}
