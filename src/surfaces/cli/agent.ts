// `repertoire agent add|list|revoke`: the agents that may call the server, each with a token that is shown once (H5).

import type { Agent, AgentStore } from '../../identity/agents.ts';
import { type AgentJson, type AgentPorts, addAgent, listAgents, revokeAgent } from '../../operations/agents.ts';
import { type ClientJson, type ClientPorts, listClients, revokeClient } from '../../operations/clients.ts';
import { ask } from '../../operations/operation.ts';
import { type Fields, readFields } from '../../operations/shape.ts';
import type { RegisteredSkill } from '../../skills/define/registered-skill.ts';
import { orList } from '../../text/nearest.ts';
import { toOneLine } from '../../text/one-line.ts';
import type { JsonObject } from '../../values/json-object.ts';
import { fail, ok, type Result } from '../../values/result.ts';
import type { CommandContext, ExitCode } from './command.ts';
import { hintLine } from './hint-line.ts';
import { findDataFault, isStoreThere, storeName, withStore } from './open-store.ts';
import {
  documentRolesIn,
  findRoleListFault,
  LOCALLY,
  OWN_SKILLS,
  opensText,
  RIGHTS_OPTIONS,
  rightsFaultText,
  rightsIn,
  SCOPE_VERBS,
} from './rights-options.ts';
import type { Paint } from './terminal/colours.ts';
import { exitSaying, type Layout, saySentence } from './terminal/output.ts';
import { toJsonText } from './terminal/safe-text.ts';
import { BELOW_INDENT, breakCells, joinCells, layTable, tabLines, tableText, widest } from './terminal/table.ts';
import { displayWidth, hangingText } from './terminal/text-layout.ts';
import { minuteText } from './terminal/time-text.ts';
import { withTypedDefinitions } from './typed-definitions.ts';

export async function run(context: CommandContext): Promise<ExitCode> {
  const asked = parseAsked(context);
  if (!asked.ok) return exitSaying(context, asked.failure, 2);
  const { value } = asked;
  if (value.action !== 'add') {
    const fault = findDataFault(context, 'agents');
    if (fault !== undefined) return exitSaying(context, fault, 1);
    return withStore(context, ({ agents, oauth }) =>
      act(value, { agents, oauthClients: oauth, skills: [] }, context, new Date()),
    );
  }
  // What roles open is told by the skills that a server has which is started with the same options.
  return withTypedDefinitions(
    context,
    ({ skills }, own) =>
      withStore(own, ({ agents, oauth }) =>
        act(value, { agents, oauthClients: oauth, skills, documentRoles: documentRolesIn(own) }, own, new Date()),
      ),
    { hasBuiltin: true },
  );
}

interface Work {
  readonly ports: AgentPorts & ClientPorts;
  readonly input: JsonObject;
  readonly context: CommandContext;
}

/** `input`: the fields of the operation. */
const ACTIONS = {
  add: { operation: addAgent, run: add },
  list: { operation: listAgents, run: list },
  revoke: { operation: revokeAgent, run: revoke },
} as const;

export interface Asked {
  readonly action: keyof typeof ACTIONS;
  readonly input: JsonObject;
}

interface Given extends Pick<ClientPorts, 'oauthClients'> {
  readonly agents: AgentStore;
  readonly skills: readonly RegisteredSkill[];
  readonly documentRoles?: readonly string[];
}

export const act = (
  { action, input }: Asked,
  { skills, ...stores }: Given,
  context: CommandContext,
  now: Date,
): Promise<ExitCode> =>
  ACTIONS[action].run({ ports: { ...stores, runtime: { skills }, now: () => now }, input, context });

/** The failure is a sentence about wrong usage. */
export function parseAsked(context: CommandContext): Result<Asked, string> {
  const { operands, values } = context;
  const [action, name] = operands;
  if (action === undefined) return fail('Command "agent" needs an action: add, list or revoke');
  if (!isAction(action)) return fail(`Unknown action "${toOneLine(action)}": use ${orList(Object.keys(ACTIONS))}`);
  const { input: fields } = ACTIONS[action].operation;
  if ('name' in fields && name === undefined) {
    const example = hintLine(context, ['agent', action, 'TaskAgent']);
    return fail(`Command "agent ${action}" needs a NAME: for example ${example}`);
  }
  if (!('name' in fields) && name !== undefined)
    return fail(`Unexpected argument "${toOneLine(name)}": "agent ${action}" takes none`);
  const input = Object.fromEntries(
    Object.entries({ name, ...rightsIn(values), expires_in: values.get('expires')?.[0] }).filter(
      ([, value]) => value !== undefined,
    ),
  );
  const stranger = Object.entries(RIGHTS_OPTIONS).find(([field]) => field in input && !(field in fields));
  if (stranger !== undefined)
    return fail(`Option --${stranger[1]} does not apply to "agent ${action}": it is for "agent add"`);
  const listed = findRoleListFault(values);
  if (listed !== undefined) return fail(listed);
  const read = readFields<Fields>(fields, input);
  return read.ok
    ? ok({ action, input })
    : fail(`Cannot ${action} agent "${toOneLine(name ?? '', 80)}": ${rightsFaultText(read.failure, input)}`);
}

const isAction = (text: string): text is keyof typeof ACTIONS => Object.hasOwn(ACTIONS, text);

async function add({ ports, input, context }: Work): Promise<ExitCode> {
  const { flags, output, errors, settings, environment } = context;
  const added = await ask(addAgent, input, LOCALLY, ports);
  if (!added.ok) {
    const again = `an agent of this name exists; revoke it first: ${hintLine(context, ['agent', 'revoke', String(input.name)])}`;
    return exitSaying(context, `Cannot add agent "${input.name}": ${again}`, 1);
  }
  const { agent, token, opens, warnings } = added.value;
  // These two, and nothing else (C): what is to be said of the roles stands beside it.
  output.write(flags.has('json') ? toJsonText({ name: agent.name, token }) : `${token}\n`);
  if (!flags.has('json'))
    for (const sentence of describeAdded(agent, opens, storeName(settings, environment))) saySentence(errors, sentence);
  for (const warning of warnings) saySentence(errors, `Warning: ${warning}`);
  const isWithoutRole = !flags.has('json') && actsAsItself(agent, ports);
  if (isWithoutRole) saySentence(errors, `No role was given: it acts as "${agent.name}", its own name`);
  if (warnings.length === 0 && !isWithoutRole) return 0;
  if (settings.configFile === undefined) saySentence(errors, OWN_SKILLS);
  saySentence(errors, otherRoles(context, agent.name));
  return 0;
}

/** Its one role is its own name, and nothing is for that name. */
const actsAsItself = ({ name, roles }: Added, { runtime, documentRoles = [] }: AgentPorts): boolean =>
  roles.every((role) => role === name) &&
  !documentRoles.includes(name) &&
  !runtime.skills.some(({ access }) => access.assignedTo.includes(name));

function otherRoles(context: CommandContext, name: string): string {
  const [revoking, adding] = [hintLine(context, ['agent', 'revoke', name]), hintLine(context, addWords(name))];
  return `To give it other roles, revoke it and add it again: \`${revoking}\`, then \`${adding}\``;
}

const addWords = (name: string): readonly string[] => ['agent', 'add', name, '--role', 'ROLE'];

type Added = Pick<Agent, 'name' | 'roles' | 'scopes' | 'expiresAt'>;

function describeAdded(
  { name, roles, scopes, expiresAt }: Added,
  opens: readonly string[],
  place: string,
): readonly string[] {
  const rights = [`may act as ${roles.join(', ')}`, ...scopes.map((scope) => `may ${SCOPE_VERBS[scope]}`)];
  const end = expiresAt === undefined ? '' : `, until ${expiresAt.toISOString()}`;
  return [
    `Agent "${name}" ${rights.join(' and ')}${end}.`,
    opensText('It', roles, opens),
    `It is stored in ${toOneLine(place)}: servers that use this store accept it.`,
    'The token is shown only once. Send it as: Authorization: Bearer TOKEN',
  ];
}

async function list({ ports, context }: Work): Promise<ExitCode> {
  const { flags, output, errors, settings } = context;
  const isThere = isStoreThere(settings);
  const listed = isThere ? await ask(listAgents, {}, LOCALLY, ports) : ok({ agents: [] });
  const connected = isThere ? await ask(listClients, {}, LOCALLY, ports) : ok({ clients: [] });
  const found = listed.ok ? listed.value.agents : [];
  const clients = connected.ok ? connected.value.clients : [];
  if (flags.has('json')) output.write(toJsonText({ agents: found, clients }));
  else if (found.length === 0 && clients.length === 0)
    saySentence(errors, `No agents yet: add one with \`${hintLine(context, ['agent', 'add', 'NAME'])}\``);
  else {
    if (found.length > 0) output.write(output.isTerminal ? renderAgents(found, output) : agentLines(found));
    if (clients.length > 0) output.write(output.isTerminal ? renderClients(clients, output) : clientLines(clients));
  }
  return 0;
}

async function revoke({ ports, input, context }: Work): Promise<ExitCode> {
  const { flags, output, errors, settings } = context;
  const isThere = isStoreThere(settings);
  const revoked = isThere ? await ask(revokeAgent, input, LOCALLY, ports) : undefined;
  if (isThere && !revoked?.ok && (await revokeConnected({ ports, input, context }))) return 0;
  if (!revoked?.ok) {
    const name = toOneLine(String(input.name), 80);
    const reason = `there is no active agent of this name; see ${hintLine(context, ['agent', 'list'])}`;
    return exitSaying(context, `Cannot revoke agent "${name}": ${reason}`, 1);
  }
  if (flags.has('json')) output.write(toJsonText(revoked.value));
  else saySentence(errors, `Agent "${revoked.value.name}" is revoked: servers reject its token within a second`);
  return 0;
}

/** What is no agent may be a client that was let in by OAuth, by the id that the list has (O7). */
async function revokeConnected({ ports, input, context }: Work): Promise<boolean> {
  const { flags, output, errors } = context;
  const revoked = await ask(revokeClient, { id: input.name }, LOCALLY, ports);
  if (!revoked.ok) return false;
  if (flags.has('json')) output.write(toJsonText(revoked.value));
  else saySentence(errors, `Client "${revoked.value.id}" is revoked: servers reject its tokens within a second`);
  return true;
}

const STATE_COLOURS = { active: 'green', expired: 'yellow', revoked: 'dim' } as const satisfies Record<
  AgentJson['state'],
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
    return [
      ...breakCells(cells, columns, BELOW_INDENT),
      ...hangingText(`${' '.repeat(BELOW_INDENT)}${ROLES_TITLE} `, rolesOf(agent), columns),
    ];
  });
  const titles = agents.some(isBeside) ? [joinCells([...head, ROLES_TITLE])] : breakCells(head, columns, BELOW_INDENT);
  return [...titles.map(paint.dim), ...lines].map((line) => `${line}\n`).join('');
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

function renderClients(clients: readonly ClientJson[], { paint, columns }: Layout): string {
  const { head, rows } = layTable(clients, [
    { title: 'client (OAuth)', text: ({ name }) => name, most: 24, paint: paint.bold },
    { title: 'allowed by', text: ({ person }) => person ?? 'operator', most: 32 },
    { title: 'last used', text: ({ last_used_at }) => minuteOrNever(last_used_at) },
    { title: 'id', text: ({ id }) => id },
    { title: 'scopes', text: ({ scopes }) => scopes.join(', ') },
  ]);
  return tableText({ head, rows }, { paint, columns });
}

/** For programs: id, `client`, name, who allowed it, scopes, created, last used. */
const clientLines = (clients: readonly ClientJson[]): string =>
  tabLines(
    clients.map((each) => [
      each.id,
      'client',
      each.name,
      each.person ?? '',
      each.scopes.join(','),
      each.created_at,
      each.last_used_at ?? '',
    ]),
  );
