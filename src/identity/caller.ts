// Who is calling, and which typed skills that lets them invoke. How a caller proves who they are is the surface's matter.
import { withoutCredentials } from '../text/credentials.ts';
import { isUuid } from '../values/uuid.ts';
import { digestOf } from './token.ts';

/**
 * The operator may invoke everything, an agent what is assigned to it, a user what is open to users or to their roles.
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
  /** What an agent may act as, usually its own name; what a user was granted. */
  readonly roles: readonly string[];
  /** Of a user: which of the roles open documents that are limited (N4); absent: all of them. */
  readonly seesAs?: readonly string[];
  /** What an agent or a user may do beside invoking skills. */
  readonly scopes: readonly Scope[];
  /** Of a user, as far as it is known: how people call them. */
  readonly person?: { readonly email: string; readonly displayName: string | null };
  /** The client that calls in their name, and what its token is good for (O5); absent: they call themselves. */
  readonly via?: Via;
  /** Who issued the token that they call with, and the one that it was asked for with: `personKey` of each; absent: the operator. */
  readonly issuers?: readonly string[];
}

/** A client with a token that a person, the operator or an issuer gave it. */
interface Via {
  /** As it calls itself: one safe line. */
  readonly client: string;
  /** Two clients may call themselves the same. */
  readonly clientId: string;
  /** The consent that the token came of; absent: another issuer gave it. */
  readonly grantId?: string | undefined;
  /** Who gave it the token: `personKey` of what they are when they call themselves. */
  readonly person: string;
  /** Absent: the token names none, and restricts nothing. */
  readonly scopes: readonly string[] | undefined;
}

/**
 * What an agent or a user may do beside invoking skills. `log:read`: see what every caller ran and read. `skills:propose`:
 * make versions of skills. `skills:approve`: decide which version is served, and read the trail. `runs:approve`: decide on runs
 * that wait.
 *
 * @example
 * const scopes: readonly Scope[] = ['log:read'];
 * const auditor = agentCaller('Auditor', [], scopes);
 */
export type Scope = 'log:read' | 'skills:propose' | 'skills:approve' | 'runs:approve';

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
 * A user, who may invoke skills with a `userField`, and only with their own id in it; with roles also what these open.
 *
 * @example
 * const answer = await runtime.invoke({ name: 'greet', input: { name: 'Ada' }, caller: userCaller('u-1') });
 * if (!answer.success) console.log(answer.failure.message);
 */
export const userCaller = (
  userId: string,
  roles: readonly string[] = [],
  scopes: readonly Scope[] = [],
  person?: Caller['person'],
): Caller => ({ kind: 'user', name: userId, roles, scopes, ...(person && { person }) });

/** Before a credential was checked, and where none is needed: may do nothing of their own. */
export const ANONYMOUS: Caller = Object.freeze(userCaller(''));

/**
 * What limits are counted by, one and the same for whatever a caller does. A kind has no colon, so no name can pass for another kind's.
 * What comes through a client as an agent is none of ours: an issuer may have people who are called like one (O6).
 */
export const callerKey = ({ kind, name, via }: Pick<Caller, 'kind' | 'name' | 'via'>): string =>
  kind === 'agent' && via !== undefined ? `client:${via.person}` : `${kind}:${name}`;

/** The person, the agent or the operator, through whichever client. */
export const personKey = (caller: Owner): string => caller.via?.person ?? callerKey(caller);

/** Who may have made what this caller makes: with a token that one issued for another, both. Authors do not approve their own (L2, J8). */
export const makersOf = (caller: Owner): readonly string[] => [personKey(caller), ...(caller.issuers ?? [])];

/** Among makers: too many to name. */
export const ANY_MAKER = '*';
/** Among makers: an earlier version issued the token, and did not say who asked for it. */
export const UNNAMED_MAKER = '?';

/** Or may be, for all that is known. `maker`: `personKey`. */
export const isMadeBy = (makers: readonly string[], maker: string): boolean =>
  makers.includes(maker) || makers.includes(ANY_MAKER) || makers.includes(UNNAMED_MAKER);

/**
 * Whose a call, a run, a key or a session is: what came through a client is that client's, and the person's (J3, J4). So is what came
 * with a token that another caller issued: who issues tokens has what was done with those, and nothing else of the person's (J2, N6).
 * With a token of an earlier version it is the person's: what was made with it before the update has no other key.
 */
export const ownerKey = (caller: Owner): string => {
  const { via } = caller;
  const issuers = caller.issuers?.join() === UNNAMED_MAKER ? undefined : caller.issuers;
  const person = ownerPart(personKey(caller));
  if (via === undefined && issuers === undefined) return person;
  const parts = [ownerPart(via?.clientId ?? ''), ...(issuers ? [digestOf(issuers.join('\n'))] : [])];
  return [person, ...parts].join(WITH_CLIENT);
};

/** It is stored: of what cannot be, and of what looks like a credential, it has the digest. */
export const ownerPart = (text: string): string => (isStorable(text) ? text : `#${digestOf(text)}`);

/** Names have 64 characters and addresses of clients 1,024, but programs may call anyone anything. */
const MOST_STORED = 1_100;

const isStorable = (text: string): boolean =>
  text.length <= MOST_STORED && !UNSTORABLE.test(text) && withoutCredentials(text) === text;

const UNSTORABLE = /[\p{Cc}\p{Surrogate}]/u;

/** Between the person, the client, and the digest of those who issued the token. */
export const WITH_CLIENT = '\n';

/** What a caller is known by. */
export type Owner = Pick<Caller, 'kind' | 'name' | 'via' | 'issuers'>;

/** What is kept of a caller with what is theirs. */
export const asOwner = ({ kind, name, via, issuers }: Caller): Owner => ({
  kind,
  name,
  ...(via && { via }),
  ...(issuers && { issuers }),
});

/** A client has what came through itself, who issued a token what came with it; those who call themselves have all of theirs. */
export const isOwnerOf = (owned: Owner, caller: Owner): boolean => isWithin(ownerKey(owned), ownerKey(caller));

const isWithin = (key: string, own: string): boolean => key === own || key.startsWith(`${own}${WITH_CLIENT}`);

/** Callers of one key may do the same, so they are shown the same (X10). */
export const rightsKey = ({ kind, roles, seesAs, scopes, via }: Caller): string =>
  `${kind} ${JSON.stringify([[...roles].sort(), [...scopes].sort(), ...(via?.scopes === undefined ? [] : [via.scopes]), ...(seesAs === undefined ? [] : [{ seesAs }])])}`;

/** Whether the token of a client is good for this; every other credential is (O5). */
export const isScoped = ({ via }: Caller, scope: string): boolean => via?.scopes?.includes(scope) ?? true;

const MOST_NAME = 64;

/** As the log calls them: with the client that called in their name. */
export const recordedName = ({ name, via }: Caller): string =>
  via === undefined ? name : [...`${name} via ${via.client}`].slice(0, MOST_NAME).join('');

/** What the log has of who called; without a key a version before this one wrote it. */
interface Recorded {
  readonly ownerKey?: string | undefined;
  readonly invokingAgent: string;
}

/** Whether a call in the log is this caller's: as `isOwnerOf`, and without a key as far as names tell. */
export const isRecordedAs = (caller: Caller, { ownerKey: key, invokingAgent }: Recorded): boolean =>
  key === undefined ? isCalled(invokingAgent, caller) : isWithin(key, ownerKey(caller));

const isCalled = (recorded: string, caller: Caller): boolean =>
  recorded === recordedName(caller) ||
  (caller.kind === 'user' && caller.via === undefined && recorded.startsWith(`${caller.name} via `));

/** The log shows what all callers ran and read: the operator sees it, and who has its scope (H5, N6). */
export const mayReadLog = (caller: Caller): boolean => hasScope(caller, 'log:read');

/** The operator may do whatever a scope opens. */
const hasScope = ({ kind, scopes }: Caller, scope: Scope): boolean => kind === 'operator' || scopes.includes(scope);

/** Make versions of skills (L2). */
export const mayPropose = (caller: Caller): boolean => hasScope(caller, 'skills:propose');

/** Say which version of a skill is served (L2). */
export const mayApprove = (caller: Caller): boolean => hasScope(caller, 'skills:approve');

/** The trail shows who changed what: for the operator, and for those who approve (L5). */
export const mayReadTrail = (caller: Caller): boolean => mayApprove(caller);

/** Runs that wait for a person (J8). Of one that they started themselves see run-rights.ts. */
export const mayDecideRuns = (caller: Caller): boolean => hasScope(caller, 'runs:approve');

/**
 * What a skill says about who may invoke it.
 *
 * @example
 * const access: Access | undefined = runtime.find('greet')?.access;
 * console.log(access?.assignedTo.length === 0 ? 'every agent' : access?.assignedTo);
 */
export interface Access {
  /** Roles; empty: every agent, and of users those with the role `*`. */
  readonly assignedTo: readonly string[];
  /** The input field that must hold a user's own id; without it users need one of the roles. */
  readonly userField: string | undefined;
}

/** The role of a caller that may invoke every typed skill. It opens nothing of the operator's. */
export const EVERY_SKILL = '*';

/** Whether there is an input that this caller may invoke it with: such skills are shown to them, and no others (X10). */
export const mayInvoke = (caller: Caller, access: Access): boolean =>
  isScoped(caller, INVOKE_SCOPE) && INVOKERS[caller.kind](caller, access);

const INVOKE_SCOPE = 'skills:invoke';

const INVOKERS = {
  operator: () => true,
  agent: (caller, access) => access.assignedTo.length === 0 || isOpenedByRole(caller, access),
  user: (caller, access) => access.userField !== undefined || isOpenedByRole(caller, access),
} as const satisfies Record<CallerKind, (caller: Caller, access: Access) => boolean>;

const isOpenedByRole = ({ roles }: Caller, { assignedTo }: Access): boolean =>
  roles.includes(EVERY_SKILL) || roles.some((role) => assignedTo.includes(role));

/** Why this caller may not invoke it, as the end of "Access denied: …"; `undefined` when they may (X5). */
export function refusalOf(caller: Caller, access: Access, input: unknown): string | undefined {
  if (!isScoped(caller, INVOKE_SCOPE)) return `the token of this client is not good for ${INVOKE_SCOPE}`;
  return REFUSALS[caller.kind](caller, access, input);
}

type Refusal = (caller: Caller, access: Access, input: unknown) => string | undefined;

const REFUSALS = {
  operator: () => undefined,
  agent: (caller, access) => (mayInvoke(caller, access) ? undefined : 'this agent is not assigned to the skill'),
  user: (caller, access, input) => {
    // As for an agent of that role: for every user's id (N6).
    if (isOpenedByRole(caller, access)) return undefined;
    const { userField } = access;
    if (userField === undefined) return 'this skill is not open to users';
    const id = ownIdIn(input, userField);
    return id !== undefined && isSameId(id, caller.name)
      ? undefined
      : `${userField} must be the id of the user who calls`;
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
