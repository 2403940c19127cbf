// `repertoire agent add|list|revoke`: the agents that may call the server, each with a token that is shown once (H5).

import { type Agent, type AgentStore, agentNameFault, isAgentName, toScopes } from '../../identity/agents.ts';
import { createAgent } from '../../identity/new-agent.ts';
import { KNOWN_AGENTS } from '../../skills/define/define-skill.ts';
import { orList } from '../../text/nearest.ts';
import { toOneLine } from '../../text/one-line.ts';
import { durationMs } from '../../values/duration-ms.ts';
import { fail, ok, type Result } from '../../values/result.ts';
import { type AgentState, agentJson } from '../answers/agent-json.ts';
import type { CommandContext, ExitCode } from './command.ts';
import { isStoreThere, type Store, storeName, withStore } from './open-store.ts';
import type { Paint } from './terminal/colours.ts';
import { exitSaying, type Layout } from './terminal/output.ts';
import { toJsonText } from './terminal/safe-text.ts';
import { joinCells, layTable, tabLines, widest } from './terminal/table.ts';
import { displayWidth, hangingText } from './terminal/text-layout.ts';
import { minuteText } from './terminal/time-text.ts';

export async function run(context: CommandContext): Promise<ExitCode> {
  const asked = parseAsked(context);
  if (!asked.ok) return exitSaying(context, asked.failure, 2);
  return withStore(context, (store) => act(asked.value, store, context, new Date()));
}

type Agents = { readonly agents: Store['agents'] };

export const act = (
  { action, name }: Asked,
  { agents }: Agents,
  context: CommandContext,
  now: Date,
): Promise<ExitCode> => ACTIONS[action].run({ agents, name, context, now });

interface Work {
  readonly agents: AgentStore;
  /** Empty for an action that takes none. */
  readonly name: string;
  readonly context: CommandContext;
  readonly now: Date;
}

interface Action {
  readonly takesName: boolean;
  /** Whether --role, --scope and --expires say something. */
  readonly takesRights: boolean;
  readonly run: (work: Work) => Promise<ExitCode>;
}

const ACTIONS = {
  add: { takesName: true, takesRights: true, run: add },
  list: { takesName: false, takesRights: false, run: list },
  revoke: { takesName: true, takesRights: false, run: revoke },
} as const satisfies Record<string, Action>;

export interface Asked {
  readonly action: keyof typeof ACTIONS;
  readonly name: string;
}

/** The failure is a sentence about wrong usage. */
export function parseAsked({ operands, values }: CommandContext): Result<Asked, string> {
  const [action, name] = operands;
  if (action === undefined) return fail('Command "agent" needs an action: add, list or revoke');
  if (!isAction(action)) return fail(`Unknown action "${toOneLine(action)}": use ${orList(Object.keys(ACTIONS))}`);
  const { takesName, takesRights } = ACTIONS[action];
  if (takesName && name === undefined) {
    return fail(`Command "agent ${action}" needs a NAME: for example repertoire agent ${action} TaskAgent`);
  }
  if (!takesName && name !== undefined)
    return fail(`Unexpected argument "${toOneLine(name)}": "agent ${action}" takes none`);
  const right = takesRights ? undefined : RIGHTS.find((option) => values.has(option));
  if (right !== undefined)
    return fail(`Option --${right} does not belong to "agent ${action}": it goes with "agent add"`);
  const fault = action === 'add' ? findAddFault(name ?? '', values) : undefined;
  return fault === undefined ? ok({ action, name: name ?? '' }) : fail(fault);
}

const RIGHTS = ['role', 'scope', 'expires'] as const;

const isAction = (text: string): text is keyof typeof ACTIONS => Object.hasOwn(ACTIONS, text);

function findAddFault(name: string, values: CommandContext['values']): string | undefined {
  const fault = agentNameFault(name);
  if (fault !== undefined) return `Cannot add agent "${toOneLine(name, 80)}": ${fault}`;
  const role = rolesIn(values).find((each) => !isAgentName(each));
  if (role !== undefined) {
    return `Option --role cannot be "${toOneLine(role, 80)}": a role is the name of an agent that skills are assigned to`;
  }
  const scope = values.get('scope')?.[0];
  return scope === undefined || scope === LOG_READ
    ? undefined
    : `Option --scope cannot be "${scope}": use "${LOG_READ}"`;
}

const LOG_READ = 'log:read';

/** Some write the scope as a role. */
const rolesIn = (values: CommandContext['values']): readonly string[] =>
  (values.get('role') ?? []).filter((role) => role !== LOG_READ);

async function add({ agents, name, context, now }: Work): Promise<ExitCode> {
  const { values, flags, output, errors, settings, environment } = context;
  const expires = values.get('expires')?.[0];
  const { agent, token } = createAgent(
    {
      name,
      roles: rolesIn(values),
      scopes: toScopes([...(values.get('scope') ?? []), ...(values.get('role') ?? [])]),
      expiresAt: expires === undefined ? undefined : new Date(now.getTime() + durationMs(expires)),
    },
    now,
  );
  if (!(await agents.add(agent))) {
    return exitSaying(
      context,
      `Cannot add agent "${name}": there is one already; revoke it first: repertoire agent revoke ${name}`,
      1,
    );
  }
  output.write(flags.has('json') ? toJsonText({ name, token }) : `${token}\n`);
  if (!flags.has('json'))
    errors.write(describeAdded(agent, storeName(settings, environment), rolesIn(values).length > 0));
  return 0;
}

type Added = Pick<Agent, 'name' | 'roles' | 'scopes' | 'expiresAt'>;

/** `hasOwnRoles`: the operator has said which. */
function describeAdded({ name, roles, scopes, expiresAt }: Added, place: string, hasOwnRoles: boolean): string {
  const rights = [`may act as ${roles.join(', ')}`, ...(scopes.includes(LOG_READ) ? ['may read the log'] : [])];
  const end = expiresAt === undefined ? '' : `, until ${expiresAt.toISOString()}`;
  return [
    `Agent "${name}" ${rights.join(' and ')}${end}.`,
    `It is kept in ${toOneLine(place)}: servers on that store let it in.`,
    'Its token is shown this once and kept nowhere. Send it as: Authorization: Bearer TOKEN',
    ...(hasOwnRoles || roles.some(isKnownAgent) ? [] : [explainRoles(name)]),
    '',
  ].join('\n');
}

const isKnownAgent = (role: string): boolean => (KNOWN_AGENTS as readonly string[]).includes(role);

/** Roles of the operator's own skills are not known here. */
const explainRoles = (name: string): string =>
  `Note: "${name}" may read documents, and run the skills of a --config file that are for it or for every agent; built-in skills are for ${KNOWN_AGENTS.join(', ')}: to run those, revoke it and add it again with --role.`;

async function list({ agents, context, now }: Work): Promise<ExitCode> {
  const { flags, output, errors, settings } = context;
  const found = (isStoreThere(settings) ? await agents.list() : []).map((agent) => agentJson(agent, now));
  if (flags.has('json')) output.write(toJsonText({ agents: found }));
  else if (found.length === 0) errors.write('No agents yet: add one with repertoire agent add NAME\n');
  else output.write(output.isTerminal ? renderAgents(found, output) : agentLines(found));
  return 0;
}

async function revoke({ agents, name, context, now }: Work): Promise<ExitCode> {
  const { flags, output, errors, settings } = context;
  if (!isStoreThere(settings) || !(await agents.revoke(name, now))) {
    return exitSaying(
      context,
      `Cannot revoke agent "${toOneLine(name, 80)}": there is no such agent, or it is revoked; see repertoire agent list`,
      1,
    );
  }
  if (flags.has('json')) output.write(toJsonText({ name, revoked_at: now.toISOString() }));
  else errors.write(`Agent "${name}" is revoked: servers refuse its token within 10 seconds\n`);
  return 0;
}

type AgentJson = ReturnType<typeof agentJson>;

const STATE_COLOURS = { active: 'green', expired: 'yellow', revoked: 'dim' } as const satisfies Record<
  AgentState,
  keyof Paint
>;

const ROLES_TITLE = 'may act as';

export function renderAgents(agents: readonly AgentJson[], { paint, columns }: Layout): string {
  const { head, rows } = layTable(agents, [
    { title: 'agent', text: ({ name }) => name, most: 24, paint: paint.bold },
    { title: 'state', text: ({ state }) => state, paint: (text, { state }) => paint[STATE_COLOURS[state]](text) },
    { title: 'last used', text: ({ last_used_at }) => minuteOrNever(last_used_at) },
    { title: 'expires', text: ({ expires_at }) => minuteOrNever(expires_at) },
    { title: 'scopes', text: ({ scopes }) => scopes.join(', ') || '-' },
  ]);
  const room = columns - widest(rows.map((cells) => cells.join('  '))) - 2;
  const rolesOf = ({ roles }: AgentJson) => toOneLine(roles.join(', '));
  const isBeside = (agent: AgentJson) => displayWidth(rolesOf(agent)) <= room;
  const lines = agents.flatMap((agent, index) => {
    const cells = rows[index] ?? [];
    if (isBeside(agent)) return [joinCells([...cells, rolesOf(agent)])];
    // Below the others: all roles are to be seen.
    return [joinCells(cells), ...hangingText(`    ${ROLES_TITLE} `, rolesOf(agent), columns)];
  });
  const titles = agents.some(isBeside) ? [...head, ROLES_TITLE] : head;
  return [paint.dim(joinCells(titles)), ...lines].map((line) => `${line}\n`).join('');
}

const minuteOrNever = (time: string | null): string => (time === null ? 'never' : minuteText(new Date(time)));

/** For programs: name, state, roles, scopes, created, expires, last used; what is not there is empty. */
export const agentLines = (agents: readonly AgentJson[]): string =>
  tabLines(
    agents.map((agent) => [
      agent.name,
      agent.state,
      agent.roles.join(','),
      agent.scopes.join(','),
      agent.created_at,
      agent.expires_at ?? '',
      agent.last_used_at ?? '',
    ]),
  );
