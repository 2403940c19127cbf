// `repertoire user list|add|grant|ungrant`: the people who may sign in, and what they may do (N6).
import type { PeopleStore } from '../../identity/people.ts';
import { ask } from '../../operations/operation.ts';
import {
  grantPerson,
  listPeople,
  type PeoplePorts,
  type PersonJson,
  personJson,
  ungrantPerson,
} from '../../operations/people.ts';
import { readFields } from '../../operations/shape.ts';
import type { RegisteredSkill } from '../../skills/define/registered-skill.ts';
import { orList } from '../../text/nearest.ts';
import { toOneLine } from '../../text/one-line.ts';
import type { JsonObject } from '../../values/json-object.ts';
import { fail, ok, type Result } from '../../values/result.ts';
import type { CommandContext, ExitCode } from './command.ts';
import { hintLine } from './hint-line.ts';
import { findDataFault, isStoreThere, withStore } from './open-store.ts';
import {
  documentRolesIn,
  findRoleListFault,
  LOCALLY,
  OWN_SKILLS,
  opensText,
  rightsFaultText,
  rightsIn,
  SCOPE_VERBS,
} from './rights-options.ts';
import { exitSaying, type Layout, saySentence } from './terminal/output.ts';
import { toJsonText } from './terminal/safe-text.ts';
import { layTable, tabLines, tableText } from './terminal/table.ts';
import { minuteText } from './terminal/time-text.ts';
import { withTypedDefinitions } from './typed-definitions.ts';

export async function run(context: CommandContext): Promise<ExitCode> {
  if (context.operands[0] === 'add') return (await import('./user-add.ts')).run(context);
  const asked = parseAsked(context);
  if (!asked.ok) return exitSaying(context, asked.failure, 2);
  const { value } = asked;
  const fault = findDataFault(context, 'people');
  if (fault !== undefined) return exitSaying(context, fault, 1);
  if (value.action === 'list')
    return withStore(context, ({ people }) => act(value, { people, skills: [] }, context, new Date()));
  // What roles open is told by the skills that a server has which is started with the same options.
  return withTypedDefinitions(
    context,
    ({ skills }, own) =>
      withStore(own, ({ people }) =>
        act(value, { people, skills, documentRoles: documentRolesIn(own) }, own, new Date()),
      ),
    { hasBuiltin: true },
  );
}

interface Work {
  readonly ports: PeoplePorts;
  readonly input: JsonObject;
  readonly context: CommandContext;
}

const ACTIONS = { list, grant, ungrant } as const;

/** `input`: the fields of the operation. */
interface Asked {
  readonly action: keyof typeof ACTIONS;
  readonly input: JsonObject;
}

interface Given {
  readonly people: PeopleStore;
  readonly skills: readonly RegisteredSkill[];
  readonly documentRoles?: readonly string[];
}

export const act = (
  { action, input }: Asked,
  { people, skills, documentRoles = [] }: Given,
  context: CommandContext,
  now: Date,
): Promise<ExitCode> =>
  ACTIONS[action]({ ports: { people, runtime: { skills }, documentRoles, now: () => now }, input, context });

/** The failure is a sentence about wrong usage. */
export function parseAsked(context: CommandContext): Result<Asked, string> {
  const { operands, values } = context;
  const [action, email] = operands;
  if (action === undefined) return fail('Command "user" needs an action: list, add, grant or ungrant');
  if (!isAction(action))
    return fail(`Unknown action "${toOneLine(action)}": use ${orList([...Object.keys(ACTIONS), 'add'])}`);
  if (action === 'list') return parseList(context);
  if (email === undefined) {
    const example = hintLine(context, ['user', action, 'ada@example.com', '--role', 'TaskAgent']);
    return fail(`Command "user ${action}" needs an EMAIL: for example ${example}`);
  }
  const listed = findRoleListFault(values);
  if (listed !== undefined) return fail(listed);
  const { roles = [], scopes = [] } = rightsIn(values);
  if (action === 'grant' && roles.length === 0 && scopes.length === 0)
    return fail('Command "user grant" needs something to grant: --role ROLE, --scope SCOPE or both');
  const input = { email, roles, scopes };
  const read = readFields(grantPerson.input, input);
  if (read.ok) return ok({ action, input });
  return fail(`Cannot ${action} "${toOneLine(email, 80)}": ${rightsFaultText(read.failure, input)}`);
}

const isAction = (text: string): text is keyof typeof ACTIONS => Object.hasOwn(ACTIONS, text);

function parseList({ operands: [, stranger], values }: CommandContext): Result<Asked, string> {
  if (stranger !== undefined) return fail(`Unexpected argument "${toOneLine(stranger)}": "user list" takes none`);
  const option = (['role', 'scope'] as const).find((name) => values.has(name));
  if (option !== undefined)
    return fail(`Option --${option} does not apply to "user list": it is for "user grant" and "user ungrant"`);
  return ok({ action: 'list', input: {} });
}

async function grant({ ports, input, context }: Work): Promise<ExitCode> {
  const answer = isStoreThere(context.settings) ? await ask(grantPerson, input, LOCALLY, ports) : undefined;
  if (!answer?.ok) return sayNoPerson('grant', input, context);
  sayNow(answer.value, context);
  const { warnings } = answer.value;
  for (const warning of warnings) saySentence(context.errors, `Warning: ${warning}`);
  if (warnings.length > 0 && context.settings.configFile === undefined) saySentence(context.errors, OWN_SKILLS);
  return 0;
}

async function ungrant({ ports, input, context }: Work): Promise<ExitCode> {
  const answer = isStoreThere(context.settings) ? await ask(ungrantPerson, input, LOCALLY, ports) : undefined;
  if (!answer?.ok) return sayNoPerson('ungrant', input, context);
  sayNow(answer.value, context);
  return 0;
}

function sayNoPerson(action: 'grant' | 'ungrant', { email }: JsonObject, context: CommandContext): ExitCode {
  const shown = toOneLine(String(email), 80);
  const add = action === 'grant' ? `add them with ${hintLine(context, ['user', 'add', shown])}, or ` : '';
  const reason = `no user has this email; ${add}see ${hintLine(context, ['user', 'list'])}`;
  return exitSaying(context, `Cannot ${action} "${shown}": ${reason}`, 1);
}

type Granted = Parameters<typeof grantPerson.project>[0];

/** What the person has now. */
function sayNow({ person, opens }: Granted, { flags, output, errors }: CommandContext): void {
  if (flags.has('json')) {
    output.write(toJsonText(personJson(person)));
    return;
  }
  const { email, roles, scopes } = person;
  const rights = [
    ...(roles.length > 0 ? [`may act as ${roles.join(', ')}`] : []),
    ...scopes.map((scope) => `may ${SCOPE_VERBS[scope]}`),
  ];
  saySentence(
    errors,
    `${toOneLine(email)} ${rights.length === 0 ? 'has no roles and no scopes' : rights.join(' and ')}.`,
  );
  saySentence(errors, opensText('They', roles, opens));
}

/** Of one page. */
const PAGE = 1_000;

async function list({ ports, context }: Work): Promise<ExitCode> {
  const { flags, output, errors, settings } = context;
  const people = isStoreThere(settings) ? await listAll(ports) : [];
  if (flags.has('json')) output.write(toJsonText({ users: people }));
  else if (people.length === 0)
    saySentence(errors, `No people yet: add one with \`${hintLine(context, ['user', 'add', 'EMAIL'])}\``);
  else output.write(output.isTerminal ? renderPeople(people, output) : peopleLines(people));
  return 0;
}

async function listAll(ports: PeoplePorts): Promise<readonly PersonJson[]> {
  const people: PersonJson[] = [];
  let cursor: string | null = null;
  do {
    const page = await ask(listPeople, { limit: PAGE, ...(cursor !== null && { cursor }) }, LOCALLY, ports);
    // Nothing that was asked for can be refused here.
    if (!page.ok) return people;
    const { users, next_cursor }: ReturnType<typeof listPeople.project> = listPeople.project(page.value);
    people.push(...users);
    cursor = next_cursor;
  } while (cursor !== null);
  return people;
}

export function renderPeople(people: readonly PersonJson[], { paint, columns }: Layout): string {
  const { head, rows } = layTable(people, [
    { title: 'email', text: ({ email }) => email, most: 32, paint: paint.bold },
    { title: 'name', text: ({ display_name }) => display_name ?? '-', most: 24 },
    { title: 'roles', text: ({ roles }) => roles.join(', ') || '-', most: 32 },
    { title: 'scopes', text: ({ scopes }) => scopes.join(', ') || '-' },
    { title: 'created', text: ({ created_at }) => minuteText(new Date(created_at)) },
    { title: 'id', text: ({ user_id }) => user_id },
  ]);
  return tableText({ head, rows }, { paint, columns });
}

/** For programs: email, name, id, roles, scopes, created; what is not there is empty. */
export const peopleLines = (people: readonly PersonJson[]): string =>
  tabLines(
    people.map((person) => [
      person.email,
      person.display_name ?? '',
      person.user_id,
      person.roles.join(','),
      person.scopes.join(','),
      person.created_at,
    ]),
  );
