// Who is calling, and which typed skills that lets them invoke. How a caller proves who they are is the surface's matter.
import { isUuid } from '../values/uuid.ts';

/**
 * The operator may invoke everything, an agent what is assigned to it, a user what is open to users.
 *
 * @example
 * const kind: CallerKind = LOCAL_OPERATOR.kind;
 */
export type CallerKind = 'operator' | 'agent' | 'user';

/**
 * Who is calling. The code that makes this value has checked it.
 *
 * @example
 * const callers: readonly Caller[] = [LOCAL_OPERATOR, agentCaller('TaskAgent'), userCaller('u-1')];
 */
export interface Caller {
  readonly kind: CallerKind;
  /** An agent's name, a user's id, `local` for the operator. */
  readonly name: string;
  /** What an agent may act as; usually its own name. */
  readonly roles: readonly string[];
  /** What an agent may read beside its skills. */
  readonly scopes: readonly Scope[];
}

/**
 * What an agent may read beside its skills. `log:read`: what every agent ran and read.
 *
 * @example
 * const scopes: readonly Scope[] = ['log:read'];
 * const auditor = agentCaller('Auditor', [], scopes);
 */
export type Scope = 'log:read';

/**
 * The person at this machine, who may invoke everything. A call without a caller is theirs.
 *
 * @example
 * const answer = await runtime.invoke({ name: 'greet', input: { name: 'Ada' }, caller: LOCAL_OPERATOR });
 */
export const LOCAL_OPERATOR: Caller = Object.freeze({
  kind: 'operator',
  name: 'local',
  roles: Object.freeze([]),
  scopes: Object.freeze([]),
});

/**
 * An agent acts in the roles given to it; without any, in the one that bears its name.
 *
 * @example
 * const caller = agentCaller('night-shift', ['TaskAgent']);
 * const answer = await runtime.invoke({ name: 'greet', input: { name: 'Ada' }, caller });
 */
export const agentCaller = (
  name: string,
  roles: readonly string[] = [name],
  scopes: readonly Scope[] = [],
): Caller => ({ kind: 'agent', name, roles, scopes });

/** The caller where no credential is asked for: the agent that the operator named (`--agent`), else the operator (X9). */
export const callerOf = (agent: string | undefined): Caller =>
  agent === undefined ? LOCAL_OPERATOR : agentCaller(agent);

/**
 * A user, who may invoke skills with a `userField`, and only with their own id in it.
 *
 * @example
 * const answer = await runtime.invoke({ name: 'greet', input: { name: 'Ada' }, caller: userCaller('u-1') });
 * if (!answer.success) console.log(answer.failure.message);
 */
export const userCaller = (userId: string): Caller => ({ kind: 'user', name: userId, roles: [], scopes: [] });

/** One and the same for whatever a caller does. A kind has no colon, so no name can pass for another kind's. */
export const callerKey = ({ kind, name }: Caller): string => `${kind}:${name}`;

/** Callers of one key may invoke the same skills, so they are shown the same (X10). */
export const rightsKey = ({ kind, roles }: Caller): string => `${kind} ${JSON.stringify([...roles].sort())}`;

/** The log shows what all callers ran and read: the operator sees it, and agents that have its scope (H5). */
export const mayReadLog = ({ kind, scopes }: Caller): boolean => kind === 'operator' || scopes.includes('log:read');

/**
 * What a skill says about who may invoke it.
 *
 * @example
 * const access: Access | undefined = runtime.find('greet')?.access;
 * console.log(access?.assignedTo.length === 0 ? 'every agent' : access?.assignedTo);
 */
export interface Access {
  /** Agents' roles; empty: every agent. */
  readonly assignedTo: readonly string[];
  /** The input field that must hold a user's own id; without it users may not invoke the skill at all. */
  readonly userField: string | undefined;
}

/** The role of an agent that may invoke every typed skill. It opens nothing of the operator's. */
export const EVERY_SKILL = '*';

/** Whether there is an input that this caller may invoke it with: such skills are shown to them, and no others (X10). */
export const mayInvoke = (caller: Caller, access: Access): boolean => INVOKERS[caller.kind](caller, access);

const INVOKERS = {
  operator: () => true,
  agent: ({ roles }, { assignedTo }) =>
    assignedTo.length === 0 || roles.includes(EVERY_SKILL) || roles.some((role) => assignedTo.includes(role)),
  user: (_caller, { userField }) => userField !== undefined,
} as const satisfies Record<CallerKind, (caller: Caller, access: Access) => boolean>;

/** Why this caller may not invoke it, as the end of "Access denied: …"; `undefined` when they may (X5). */
export function refusalOf(caller: Caller, access: Access, input: unknown): string | undefined {
  return REFUSALS[caller.kind](caller, access, input);
}

type Refusal = (caller: Caller, access: Access, input: unknown) => string | undefined;

const REFUSALS = {
  operator: () => undefined,
  agent: (caller, access) => (mayInvoke(caller, access) ? undefined : 'this agent is not assigned to the skill'),
  user: ({ name }, { userField }, input) => {
    if (userField === undefined) return 'this skill is not open to users';
    const id = ownIdIn(input, userField);
    return id !== undefined && isSameId(id, name) ? undefined : `${userField} must be the id of the user who calls`;
  },
} as const satisfies Record<CallerKind, Refusal>;

/** UUIDs have no letter case; other ids that differ in it may be those of two people. */
const isSameId = (one: string, other: string): boolean =>
  one === other || (isUuid(one) && isUuid(other) && one.toLowerCase() === other.toLowerCase());

function ownIdIn(input: unknown, field: string): string | undefined {
  if (typeof input !== 'object' || input === null) return undefined;
  const own = Object.getOwnPropertyDescriptor(input, field)?.value;
  return typeof own === 'string' ? own : undefined;
}
