// Agents that have a token, and what is asked of a store that keeps them (H5). Implemented in store/.
import type { Scope } from './caller.ts';

export interface Agent {
  readonly name: string;
  readonly roles: readonly string[];
  readonly scopes: readonly Scope[];
  readonly createdAt: Date;
  /** Absent: never. */
  readonly expiresAt: Date | undefined;
  /** Absent: it is not. */
  readonly revokedAt: Date | undefined;
  /** To the minute. Absent: never yet. */
  readonly lastUsedAt: Date | undefined;
}

export type NewAgent = Pick<Agent, 'name' | 'roles' | 'scopes' | 'createdAt' | 'expiresAt'> & {
  /** See `digestOf`: the token itself is kept nowhere. */
  readonly tokenDigest: string;
};

/** Its promises reject when the store cannot be reached. */
export interface AgentStore {
  /** False: there is one of that name that is not revoked. A revoked one gives its name away. `actor`: for the trail. */
  add(agent: NewAgent, actor: string): Promise<boolean>;
  findByDigest(tokenDigest: string): Promise<Agent | undefined>;
  /** By name, revoked ones too. */
  list(): Promise<readonly Agent[]>;
  /** False: there is none of that name, or it is revoked already. */
  revoke(name: string, at: Date, actor: string): Promise<boolean>;
  /** Never throws, never waits: written behind the answer, and forgotten where it cannot be written. */
  noteUse(tokenDigest: string, at: Date): void;
}

/** Of an agent, or of a role: roles are names of agents, too. */
export const isAgentName = (text: string): boolean => /^[\w.-]{1,64}$/.test(text);

/** Clients take these out of `/api/agents/..` before they ask. */
const isDots = (text: string): boolean => text === '.' || text === '..';

/** Ends the sentence "Cannot add agent …: "; `undefined` when the name will do. */
export function agentNameFault(name: string): string | undefined {
  if (isDots(name))
    return 'in a path that is a folder, so no client could revoke it by its address; choose another name';
  if (!isAgentName(name)) return 'a name has 1 to 64 letters, digits, _ - or .';
  // The log calls the operator so.
  return name.toLowerCase() === 'local' ? 'that is what the log calls the operator; choose another name' : undefined;
}

/** Those that this version knows: another one may have written others. */
export const toScopes = (names: readonly unknown[]): readonly Scope[] =>
  SCOPES.filter((scope) => names.includes(scope));

/** Everything that a caller may be given beside roles; the order in which they are shown (N6). */
export const SCOPES: readonly Scope[] = ['log:read', 'skills:propose', 'skills:approve', 'runs:approve'];
