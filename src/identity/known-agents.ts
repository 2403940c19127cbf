// Agents by the digest of their token, remembered for a while. When one was last seen is noted about once a minute.
import { fail, ok } from '../result.ts';
import type { Agent, AgentStore } from './agents.ts';
import type { Authentication } from './authentication.ts';
import { agentCaller } from './caller.ts';
import { createRemembered, type Remembered } from './remembered.ts';

const NOTE_USE_EVERY_MS = 60_000;

export interface KnownAgentsParts {
  readonly agents: Pick<AgentStore, 'findByDigest' | 'noteUse'>;
  readonly now: () => Date;
  readonly monotonicMs: () => number;
}

/** At once for whoever is known already. Never rejects. */
type FindAgent = (tokenDigest: string) => Authentication | Promise<Authentication>;

interface Known {
  readonly authentication: Authentication;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
  useNotedAt: number;
}

export function createKnownAgents(parts: KnownAgentsParts): FindAgent {
  const { agents, monotonicMs } = parts;
  const recall = createRemembered<Known>({
    monotonicMs,
    find: async (digest, former) => {
      const agent = await agents.findByDigest(digest);
      if (agent === undefined || agent.revokedAt !== undefined) return undefined;
      return toKnown(agent, former?.useNotedAt ?? Number.NEGATIVE_INFINITY);
    },
  });
  return (digest) => {
    const found = recall(digest);
    return found instanceof Promise
      ? found.then((later) => toAuthentication(digest, later, parts))
      : toAuthentication(digest, found, parts);
  };
}

const BAD: Authentication = fail('bad');
const UNAVAILABLE: Authentication = fail('unavailable');

function toAuthentication(digest: string, found: Remembered<Known>, parts: KnownAgentsParts): Authentication {
  if (typeof found === 'string') return found === 'stranger' ? BAD : UNAVAILABLE;
  const { agents, now, monotonicMs } = parts;
  if (found.expiresAt <= now().getTime()) return BAD;
  const at = monotonicMs();
  if (at - found.useNotedAt >= NOTE_USE_EVERY_MS) {
    found.useNotedAt = at;
    agents.noteUse(digest, now());
  }
  return found.authentication;
}

const toKnown = ({ name, roles, scopes, expiresAt }: Agent, useNotedAt: number): Known => ({
  authentication: ok(agentCaller(name, roles, scopes)),
  expiresAt: expiresAt?.getTime() ?? Number.POSITIVE_INFINITY,
  useNotedAt,
});
