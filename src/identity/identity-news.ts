// What is heard of agents and users whom another process, or this one, has changed: what is remembered of them is dropped (N3).
import type { Bus } from '../async/bus.ts';

/** `{ name, change }`, part of the transaction that changes an agent. */
export const AGENTS_TOPIC = 'agents';
/** `{ user_id }`: an account that was deleted, or that may do something else from now on. */
export const USERS_TOPIC = 'users';

/** `{ grant_id }` or `{ client_id }`: what a client was allowed holds no longer, or one of its tokens (O4). */
export const OAUTH_TOPIC = 'oauth';

export type AgentChange = 'added' | 'revoked';

/** `change`: another agent has the name from now on, or none. `isOwn`: this process did it. */
type AgentListener = (name: string, change: AgentChange, isOwn: boolean) => void;

/** Of one consent, or of all that a client was allowed; neither: of any. */
interface OAuthChange {
  readonly grantId: string | undefined;
  readonly clientId: string | undefined;
}

export interface IdentityNews {
  readonly onAgent: (listener: AgentListener) => void;
  readonly onUser: (listener: (userId: string) => void) => void;
  readonly onOAuth: (listener: (change: OAuthChange) => void) => void;
  /** News may have been missed: what is remembered is asked for again. */
  readonly onGap: (listener: () => void) => void;
  /** After each of them, when those above have heard it; also when the operator's token was rotated. */
  readonly onAny: (listener: () => void) => void;
  /** This process knows before the others do. */
  readonly tellAgent: (name: string, change: AgentChange) => void;
  readonly tellOAuth: (change: OAuthChange) => void;
  readonly tellOperator: () => void;
  readonly close: () => void;
}

export function createIdentityNews(bus: Pick<Bus, 'subscribe' | 'onGap'>): IdentityNews {
  const agents = new Set<AgentListener>();
  const users = new Set<(userId: string) => void>();
  const clients = new Set<(change: OAuthChange) => void>();
  const gaps = new Set<() => void>();
  const any = new Set<() => void>();
  const tellAny = () => {
    for (const listener of any) listener();
  };
  const tellAgent: AgentListener = (name, change, isOwn) => {
    for (const listener of agents) listener(name, change, isOwn);
    tellAny();
  };
  const tellOAuth = (change: OAuthChange) => {
    for (const listener of clients) listener(change);
    tellAny();
  };
  const stops = [
    bus.subscribe(AGENTS_TOPIC, ({ name, change }, isOwn) =>
      tellAgent(String(name), change === 'added' ? 'added' : 'revoked', isOwn),
    ),
    bus.subscribe(USERS_TOPIC, ({ user_id: userId }) => {
      for (const listener of users) listener(String(userId));
      tellAny();
    }),
    bus.subscribe(OAUTH_TOPIC, ({ grant_id: grantId, client_id: clientId }) =>
      tellOAuth({ grantId: textOf(grantId), clientId: textOf(clientId) }),
    ),
    bus.onGap(() => {
      for (const listener of gaps) listener();
      tellAny();
    }),
  ];
  return {
    onAgent: (listener) => void agents.add(listener),
    onUser: (listener) => void users.add(listener),
    onOAuth: (listener) => void clients.add(listener),
    onGap: (listener) => void gaps.add(listener),
    onAny: (listener) => void any.add(listener),
    tellAgent: (name, change) => tellAgent(name, change, true),
    tellOAuth,
    tellOperator: tellAny,
    close: () => {
      for (const stop of stops) stop();
    },
  };
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
