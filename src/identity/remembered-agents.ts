// Agents by the digest of their token, remembered for a while. When one was last seen is noted about once a minute.
import { fail, ok } from '../values/result.ts';
import type { Agent, AgentStore } from './agents.ts';
import type { Authentication } from './authentication.ts';
import { agentCaller } from './caller.ts';
import type { IdentityNews } from './identity-news.ts';
import { createRemembered, type Remembered } from './remembered.ts';

const NOTE_USE_EVERY_MS = 60_000;

export type KnownAgents = Pick<AgentStore, 'findByDigest' | 'noteUse'>;

export interface RememberedAgentsParts {
  readonly agents: KnownAgents;
  /** Without it, what changes is noticed when the store is asked again: within 10 seconds. */
  readonly news?: Pick<IdentityNews, 'onAgent' | 'onGap'> | undefined;
  readonly now: () => Date;
  readonly monotonicMs: () => number;
}

/** At once for an agent that is known already. Never rejects. `isUse`: a request came with it. */
type FindAgent = (tokenDigest: string, isUse?: boolean) => Authentication | Promise<Authentication>;

interface Known {
  readonly authentication: Authentication;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
  readonly name: string;
  useNotedAt: number;
}

export function createRememberedAgents(parts: RememberedAgentsParts): FindAgent {
  const { agents, news, monotonicMs } = parts;
  const memory = createRemembered<Known>({
    monotonicMs,
    find: async (digest, former) => {
      const agent = await agents.findByDigest(digest);
      if (agent === undefined || agent.revokedAt !== undefined) return undefined;
      return toKnown(agent, former?.useNotedAt ?? Number.NEGATIVE_INFINITY);
    },
  });
  // Another agent has the name, or the news are late and it is the one that is known: only the store can tell.
  news?.onAgent((name, change) =>
    memory.forget((known) => known.name === name, change === 'revoked' ? 'stranger' : 'unavailable'),
  );
  news?.onGap(memory.doubt);
  return (digest, isUse = true) => {
    const authenticateFound = (found: Remembered<Known>) => {
      const authentication = toAuthentication(found, parts);
      if (isUse && authentication.ok && typeof found !== 'string') noteUse(digest, found, parts);
      return authentication;
    };
    // What is no use of it is a look whether it still holds.
    const found = memory.recall(digest, !isUse);
    return found instanceof Promise ? found.then(authenticateFound) : authenticateFound(found);
  };
}

const BAD: Authentication = fail('bad');
const UNAVAILABLE: Authentication = fail('unavailable');

function toAuthentication(found: Remembered<Known>, { now }: RememberedAgentsParts): Authentication {
  if (typeof found === 'string') return found === 'stranger' ? BAD : UNAVAILABLE;
  return found.expiresAt <= now().getTime() ? BAD : found.authentication;
}

function noteUse(digest: string, known: Known, { agents, now, monotonicMs }: RememberedAgentsParts): void {
  const at = monotonicMs();
  if (at - known.useNotedAt < NOTE_USE_EVERY_MS) return;
  known.useNotedAt = at;
  agents.noteUse(digest, now());
}

const toKnown = ({ name, roles, scopes, expiresAt }: Agent, useNotedAt: number): Known => ({
  name,
  authentication: ok(agentCaller(name, roles, scopes)),
  expiresAt: expiresAt?.getTime() ?? Number.POSITIVE_INFINITY,
  useNotedAt,
});
