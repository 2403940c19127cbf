// `/api/agents`: who has a token, for the operator (H5).

import type { AgentStore } from '../../../identity/agents.ts';
import { createAgent } from '../../../identity/new-agent.ts';
import { reportViolations } from '../../../skills/check/violation.ts';
import { violationsOf } from '../../../skills/check/zod-violations.ts';
import { listText } from '../../../text/list-text.ts';
import { durationMs } from '../../../values/duration-ms.ts';
import { agentJson } from '../../answers/agent-json.ts';
import { agentRequest } from '../contract/dashboard.ts';
import { invalid, json, notFound, type Reply } from '../message/reply.ts';
import type { Handlers } from './handler.ts';
import { parseBody, withStore } from './handler.ts';

type AgentHandlers = Pick<Handlers, 'listAgents' | 'addAgent' | 'revokeAgent'>;

export function agentHandlers(agents: AgentStore, now: () => Date): AgentHandlers {
  return {
    listAgents: withStore(async () => {
      const at = now();
      return json({ agents: (await agents.list()).map((agent) => agentJson(agent, at)) });
    }),
    addAgent: withStore(async ({ admitted }) => {
      const body = parseBody(admitted.body);
      return body.ok ? add(body.value, agents, now()) : body.failure;
    }),
    revokeAgent: withStore(async ({ parts: [name = ''] }) => {
      const at = now();
      if (await agents.revoke(name, at)) return json({ name, revoked_at: at.toISOString() });
      return notFound(`agent ${JSON.stringify(listText(name, 64))}, or it is revoked already`);
    }),
  };
}

async function add(body: unknown, agents: AgentStore, now: Date): Promise<Reply> {
  const parsed = agentRequest.safeParse(body ?? {});
  if (!parsed.success) return invalid(reportViolations(violationsOf(parsed.error.issues)).details);
  const { name, roles = [], scopes = [], expires_in: expiresIn } = parsed.data;
  const expiresAt = expiresIn === undefined ? undefined : new Date(now.getTime() + durationMs(expiresIn));
  const { agent, token } = createAgent({ name, roles, scopes: [...new Set(scopes)], expiresAt }, now);
  if (await agents.add(agent)) return json({ name, token }, 201);
  return invalid(`name: there is an agent "${name}" already; revoke it first`);
}
