// `--role` and `--scope` of the commands that give rights to agents and people: read, and told in words (H5, N6).
import { SCOPES } from '../../identity/agents.ts';
import { EVERY_SKILL, LOCAL_OPERATOR, type Scope } from '../../identity/caller.ts';
import { describeFaults } from '../../operations/operation.ts';
import type { Violation } from '../../skills/check/violation.ts';
import { counted } from '../../text/counted.ts';
import { toOneLine } from '../../text/one-line.ts';
import type { JsonObject } from '../../values/json-object.ts';
import type { CommandContext } from './command.ts';

/** A command is typed by the operator. */
export const LOCALLY = { caller: LOCAL_OPERATOR, remote: false };

interface GivenRights {
  readonly roles: readonly string[] | undefined;
  /** As they were written. */
  readonly scopes: readonly string[] | undefined;
}

/** Some write a scope as a role. */
export function rightsIn(values: CommandContext['values']): GivenRights {
  const [given = [], scopes = []] = [values.get('role'), values.get('scope')];
  const all = [...scopes, ...given.filter(isScope)];
  return {
    roles: given.length > 0 ? given.filter((role) => !isScope(role)) : undefined,
    scopes: all.length > 0 ? all : undefined,
  };
}

const isScope = (text: string): boolean => SCOPES.includes(text as Scope); // Any text may be asked about.

/** Some write several roles at once. */
export function findRoleListFault(values: CommandContext['values']): string | undefined {
  const several = (values.get('role') ?? []).find((role) => role.includes(','));
  return several && `Option --role takes one role: for several, repeat it: ${repeatedRoles(several)}`;
}

const repeatedRoles = (listed: string): string => {
  const roles = listed.split(',').flatMap((role) => toOneLine(role, 64).trim() || []);
  return roles.map((role) => `--role ${role}`).join(' ') || '--role ROLE';
};

/** By the field that each of them says. */
export const RIGHTS_OPTIONS = { roles: 'role', scopes: 'scope', expires_in: 'expires' } as const;

/** As the options are called here, with what was given. */
export const rightsFaultText = (faults: readonly Violation[], input: JsonObject): string =>
  describeFaults(faults.map(({ path, message }) => ({ path: optionIn(path, input), message })));

function optionIn(path: string, input: JsonObject): string {
  const [, field = '', index] = /^(\w+)(?:\[(\d+)\])?/.exec(path) ?? [];
  const option = new Map<string, string>(Object.entries(RIGHTS_OPTIONS)).get(field);
  if (option === undefined) return '';
  const value = index === undefined ? input[field] : Object(input[field])[index];
  return `--${option} ${JSON.stringify(toOneLine(String(value), 80))}`;
}

/** What a scope lets a caller do, behind "may". */
export const SCOPE_VERBS = {
  'log:read': 'read the log',
  'skills:propose': 'propose versions of skills',
  'skills:approve': 'approve versions of skills',
  'runs:approve': 'approve runs that wait',
} as const satisfies Record<Scope, string>;

/** What roles open (X10). */
export function opensText(who: 'It' | 'They', roles: readonly string[], opens: readonly string[]): string {
  if (roles.includes(EVERY_SKILL)) return `${who} may invoke every typed skill.`;
  if (opens.length === 0) return `${who} may read documents, but not invoke typed skills.`;
  return `${who} may invoke ${counted(opens.length, 'typed skill')}: ${opens.join(', ')}.`;
}

/** Roles that document skills are limited to (N4). */
export const documentRolesIn = ({ settings }: Pick<CommandContext, 'settings'>): readonly string[] =>
  settings.visible.flatMap(({ roles }) => roles);

export const OWN_SKILLS = 'Your own typed skills are not included: add --config FILE to see which roles they use.';
