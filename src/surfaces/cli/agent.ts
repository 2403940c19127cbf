// `repertoire agent add|list|revoke`: the agents that may call the server, each with a token that is shown once (H5).

import type { Agent, AgentStore } from '../../identity/agents.ts';
import { EVERY_SKILL, LOCAL_OPERATOR } from '../../identity/caller.ts';
import { type AgentJson, type AgentPorts, addAgent, listAgents, revokeAgent } from '../../operations/agents.ts';
import { ask, describeFaults } from '../../operations/operation.ts';
import { type Fields, readFields } from '../../operations/shape.ts';
import type { Violation } from '../../skills/check/violation.ts';
import type { RegisteredSkill } from '../../skills/define/registered-skill.ts';
import { counted } from '../../text/counted.ts';
import { orList } from '../../text/nearest.ts';
import { toOneLine } from '../../text/one-line.ts';
import type { JsonObject } from '../../values/json-object.ts';
import { fail, ok, type Result } from '../../values/result.ts';
import type { CommandContext, ExitCode } from './command.ts';
import { hintLine } from './hint-line.ts';
import { findDataFault, isStoreThere, storeName, withStore } from './open-store.ts';
import type { Paint } from './terminal/colours.ts';
import { exitSaying, type Layout, saySentence } from './terminal/output.ts';
import { toJsonText } from './terminal/safe-text.ts';
import { joinCells, layTable, tabLines, widest } from './terminal/table.ts';
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
    return withStore(context, ({ agents }) => act(value, { agents, skills: [] }, context, new Date()));
  }
  // What roles open is told by the skills that a server has which is started with the same options.
  return withTypedDefinitions(
    context,
    ({ skills }, own) => withStore(own, ({ agents }) => act(value, { agents, skills }, own, new Date())),
    { hasBuiltin: true },
  );
}

interface Work {
  readonly ports: AgentPorts;
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

export const act = (
  { action, input }: Asked,
  { agents, skills }: { readonly agents: AgentStore; readonly skills: readonly RegisteredSkill[] },
  context: CommandContext,
  now: Date,
): Promise<ExitCode> => ACTIONS[action].run({ ports: { agents, runtime: { skills }, now: () => now }, input, context });

/** By the field that each of them says. */
const OPTIONS = { roles: 'role', scopes: 'scope', expires_in: 'expires' } as const;

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
    Object.entries({ name, ...rightsIn(values) }).filter(([, value]) => value !== undefined),
  );
  const stranger = Object.entries(OPTIONS).find(([field]) => field in input && !(field in fields));
  if (stranger !== undefined)
    return fail(`Option --${stranger[1]} does not apply to "agent ${action}": it goes with "agent add"`);
  const [several] = (values.get('role') ?? []).filter((role) => role.includes(','));
  if (several !== undefined)
    return fail(`Option --role takes one role: for several, repeat it: ${repeatedRoles(several)}`);
  const read = readFields<Fields>(fields, input);
  return read.ok
    ? ok({ action, input })
    : fail(`Cannot ${action} agent "${toOneLine(name ?? '', 80)}": ${faultText(read.failure, input)}`);
}

const repeatedRoles = (listed: string): string => {
  const roles = listed.split(',').flatMap((role) => toOneLine(role, 64).trim() || []);
  return roles.map((role) => `--role ${role}`).join(' ') || '--role ROLE';
};

const isAction = (text: string): text is keyof typeof ACTIONS => Object.hasOwn(ACTIONS, text);

/** As the options are called here, with what was given. */
const faultText = (faults: readonly Violation[], input: JsonObject): string =>
  describeFaults(faults.map(({ path, message }) => ({ path: optionIn(path, input), message })));

function optionIn(path: string, input: JsonObject): string {
  const [, field = '', index] = /^(\w+)(?:\[(\d+)\])?/.exec(path) ?? [];
  const option = new Map<string, string>(Object.entries(OPTIONS)).get(field);
  if (option === undefined) return '';
  const value = index === undefined ? input[field] : Object(input[field])[index];
  return `--${option} ${JSON.stringify(toOneLine(String(value), 80))}`;
}

const LOG_READ = 'log:read';

/** Some write the scope as a role. */
function rightsIn(values: CommandContext['values']): JsonObject {
  const [given = [], scopes = []] = [values.get('role'), values.get('scope')];
  const all = [...scopes, ...given.filter((role) => role === LOG_READ)];
  return {
    roles: given.length > 0 ? given.filter((role) => role !== LOG_READ) : undefined,
    scopes: all.length > 0 ? all : undefined,
    expires_in: values.get('expires')?.[0],
  };
}

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
  if (!flags.has('json')) errors.write(describeAdded(agent, opens, storeName(settings, environment)));
  for (const warning of warnings) saySentence(errors, `Warning: ${warning}`);
  if (warnings.length > 0 && settings.configFile === undefined) saySentence(errors, OWN_SKILLS);
  if (warnings.length > 0) saySentence(errors, otherRoles(context, agent.name));
  return 0;
}

const OWN_SKILLS = 'Your own typed skills are not included: add --config FILE to see which roles they use.';

function otherRoles(context: CommandContext, name: string): string {
  const [revoking, adding] = [hintLine(context, ['agent', 'revoke', name]), hintLine(context, addWords(name))];
  return `To give it other roles, revoke it and add it again: ${revoking}, then ${adding}`;
}

const addWords = (name: string): readonly string[] => ['agent', 'add', name, '--role', 'ROLE'];

const LOCALLY = { caller: LOCAL_OPERATOR, remote: false };

type Added = Pick<Agent, 'name' | 'roles' | 'scopes' | 'expiresAt'>;

function describeAdded({ name, roles, scopes, expiresAt }: Added, opens: readonly string[], place: string): string {
  const rights = [`may act as ${roles.join(', ')}`, ...(scopes.includes(LOG_READ) ? ['may read the log'] : [])];
  const end = expiresAt === undefined ? '' : `, until ${expiresAt.toISOString()}`;
  return [
    `Agent "${name}" ${rights.join(' and ')}${end}.`,
    opensText(roles, opens),
    `It is stored in ${toOneLine(place)}: servers that use this store accept it.`,
    'The token is shown only once. Send it as: Authorization: Bearer TOKEN',
    '',
  ].join('\n');
}

/** What its roles open (X10). */
function opensText(roles: readonly string[], opens: readonly string[]): string {
  if (roles.includes(EVERY_SKILL)) return 'It may invoke every typed skill.';
  if (opens.length === 0) return 'It may read documents, but not invoke typed skills.';
  return `It may invoke ${counted(opens.length, 'typed skill')}: ${opens.join(', ')}.`;
}

async function list({ ports, context }: Work): Promise<ExitCode> {
  const { flags, output, errors, settings } = context;
  const listed = isStoreThere(settings) ? await ask(listAgents, {}, LOCALLY, ports) : ok({ agents: [] });
  const found = listed.ok ? listed.value.agents : [];
  if (flags.has('json')) output.write(toJsonText({ agents: found }));
  else if (found.length === 0)
    saySentence(errors, `No agents yet: add one with \`${hintLine(context, ['agent', 'add', 'NAME'])}\``);
  else output.write(output.isTerminal ? renderAgents(found, output) : agentLines(found));
  return 0;
}

async function revoke({ ports, input, context }: Work): Promise<ExitCode> {
  const { flags, output, errors, settings } = context;
  const revoked = isStoreThere(settings) ? await ask(revokeAgent, input, LOCALLY, ports) : undefined;
  if (!revoked?.ok) {
    const name = toOneLine(String(input.name), 80);
    const reason = `there is no active agent of this name; see ${hintLine(context, ['agent', 'list'])}`;
    return exitSaying(context, `Cannot revoke agent "${name}": ${reason}`, 1);
  }
  if (flags.has('json')) output.write(toJsonText(revoked.value));
  else saySentence(errors, `Agent "${revoked.value.name}" is revoked: servers reject its token within 10 seconds`);
  return 0;
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
