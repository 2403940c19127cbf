// Agents that have a token: who they are, letting one in, and revoking one (H5).
import { type Agent, type AgentStore, agentNameFault, SCOPES } from '../identity/agents.ts';
import { agentCaller } from '../identity/caller.ts';
import { createAgent } from '../identity/new-agent.ts';
import type { SeenClients } from '../identity/seen-clients.ts';
import { actorOf } from '../identity/trail.ts';
import { echoText } from '../text/list-text.ts';
import { durationMs } from '../values/duration-ms.ts';
import { ok } from '../values/result.ts';
import { OPERATOR_ONLY } from './access.ts';
import { asFound, invalidInput, nothingFound, operation } from './operation.ts';
import { duration, unstorable } from './parameters.ts';
import { type NamedRoles, reportRoles, roleFault } from './role-report.ts';
import { choice, list, moment, record, type TypeOf, text } from './shape.ts';

export interface AgentPorts extends NamedRoles {
  readonly agents: AgentStore;
  readonly now: () => Date;
  /** Of a server that runs: a name may have been another agent's before. */
  readonly clients?: Pick<SeenClients, 'forgetAgent'>;
}

const scope = choice(SCOPES);

const agent = record({
  name: text(),
  state: choice(['active', 'expired', 'revoked']),
  roles: list(text()),
  scopes: list(scope),
  created_at: moment,
  expires_at: moment.nullable(),
  revoked_at: moment.nullable(),
  last_used_at: moment.nullable().about('To the minute'),
})
  .about('An agent that has a token, or had one')
  .named('Agent');

export type AgentJson = TypeOf<typeof agent>;

const API = { tag: 'agents', failures: [503] } as const;

export const listAgents = operation({
  id: 'list_agents',
  summary: 'The agents that have a token, or had one, in name order',
  access: OPERATOR_ONLY,
  input: {},
  output: record({ agents: list(agent) }).named('AgentList'),
  run: async (_input, _asking, { agents, now }: AgentPorts) => {
    const at = now();
    return ok({ agents: (await agents.list()).map((each) => agentJson(each, at)) });
  },
  project: asFound,
  http: { ...API, id: 'listAgents', method: 'GET', path: '/api/agents', answer: 'The agents, in name order' },
});

export const addAgent = operation({
  id: 'add_agent',
  summary: 'Let an agent in: its token is shown this once',
  access: OPERATOR_ONLY,
  input: {
    name: text({ wanted: 'a name of 1 to 64 letters, digits, _ - or .', fault: agentNameFault }).about(
      '1 to 64 letters, digits, `_`, `-` or `.`; not `local`, `.` or `..`',
    ),
    roles: list(text({ fault: roleFault }), 100)
      .about(
        'What it may act as: names that skills are assigned to, or `*` for every typed skill; usually its own name',
      )
      .optional(),
    scopes: list(scope, 10).about('What it may do beside invoking skills').optional(),
    expires_in: duration.about('`12h`, `90d`; never when left out').optional(),
  },
  output: record({
    name: text(),
    token: text().about('Shown this once'),
    opens: list(text()).about('The typed skills that it may invoke'),
    warnings: list(text()).about('A sentence for each role of the request that no skill names'),
  }).named('AgentWithToken'),
  run: async (
    { name, roles = [], scopes = [], expires_in: expiresIn },
    { caller },
    { agents, now, clients, ...named }: AgentPorts,
  ) => {
    const at = now();
    const expiresAt = expiresIn === undefined ? undefined : new Date(at.getTime() + durationMs(expiresIn));
    const made = createAgent({ name, roles, scopes: [...new Set(scopes)], expiresAt }, at);
    if (!(await agents.add(made.agent, actorOf(caller))))
      return invalidInput(`name: there is an agent "${name}" already; revoke it first`);
    clients?.forgetAgent(name);
    const { opens, warnings } = reportRoles(agentCaller(name, made.agent.roles), named);
    // Its own name, which it acts as without roles, is no slip.
    return ok({ ...made, opens, warnings: roles.length === 0 ? [] : warnings });
  },
  project: ({ agent: { name }, token, opens, warnings }) => ({ name, token, opens, warnings }),
  http: {
    ...API,
    id: 'addAgent',
    method: 'POST',
    path: '/api/agents',
    bodyName: 'AgentRequest',
    bodyAbout: 'What it is called and what it may do',
    answer: 'The token',
    status: 201,
  },
});

export const revokeAgent = operation({
  id: 'revoke_agent',
  summary: "Refuse an agent's token from now on, on every server within a second",
  access: OPERATOR_ONLY,
  input: { name: text({ fault: unstorable }).about('Name of the agent') },
  output: record({ name: text(), revoked_at: moment }).named('RevokedAgent'),
  run: async ({ name }, { caller }, { agents, now }: AgentPorts) => {
    const at = now();
    if (await agents.revoke(name, at, actorOf(caller))) return ok({ name, revoked_at: at.toISOString() });
    return nothingFound(`agent ${JSON.stringify(echoText(name, 64))}, or it is revoked already`);
  },
  project: asFound,
  http: {
    ...API,
    id: 'revokeAgent',
    method: 'DELETE',
    path: '/api/agents/{name}',
    answer: 'It is revoked',
    failures: [404, 503],
  },
});

/** Without its token, which is not kept. */
export function agentJson(
  { name, roles, scopes, createdAt, expiresAt, revokedAt, lastUsedAt }: Agent,
  now: Date,
): AgentJson {
  const isExpired = expiresAt !== undefined && expiresAt <= now;
  return {
    name,
    state: revokedAt !== undefined ? 'revoked' : isExpired ? 'expired' : 'active',
    roles,
    scopes,
    created_at: createdAt.toISOString(),
    expires_at: expiresAt?.toISOString() ?? null,
    revoked_at: revokedAt?.toISOString() ?? null,
    last_used_at: lastUsedAt?.toISOString() ?? null,
  };
}
