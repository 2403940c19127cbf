// Agents by the digest of their token, remembered for a while. When one was last seen is noted about once a minute.
import { createBoundedMap } from '../async/bounded-map.ts';
import { fail, ok } from '../values/result.ts';
import type { Agent, AgentStore } from './agents.ts';
import type { Authentication } from './authentication.ts';
import { agentCaller } from './caller.ts';
import { createRemembered, type Remembered } from './remembered.ts';
import type { RevocableAgents } from './revocable-agents.ts';

const NOTE_USE_EVERY_MS = 60_000;

/** Without `onRevoked`, what was revoked in this process is forgotten as if another one had done it. */
export type KnownAgents = Pick<AgentStore, 'findByDigest' | 'noteUse'> & Partial<Pick<RevocableAgents, 'onRevoked'>>;

export interface RememberedAgentsParts {
  readonly agents: KnownAgents;
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
  /** How many were revoked here before the store was asked. */
  readonly asOf: number;
  useNotedAt: number;
}

export function createRememberedAgents(parts: RememberedAgentsParts): FindAgent {
  const { agents, monotonicMs } = parts;
  const revocations = createRevocations(agents);
  const recall = createRemembered<Known>({
    monotonicMs,
    find: async (digest, former) => {
      // Before the question: what the store says may be older than a revocation that comes meanwhile.
      const asOf = revocations.count();
      const agent = await agents.findByDigest(digest);
      if (agent === undefined || agent.revokedAt !== undefined) return undefined;
      return toKnown(agent, asOf, former?.useNotedAt ?? Number.NEGATIVE_INFINITY);
    },
  });
  return (digest, isUse = true) => {
    const authenticateFound = (found: Remembered<Known>) => {
      if (typeof found !== 'string' && revocations.include(found)) return BAD;
      const authentication = toAuthentication(found, parts);
      if (isUse && authentication.ok && typeof found !== 'string') noteUse(digest, found, parts);
      return authentication;
    };
    // What is no use of it is a look whether it still holds.
    const found = recall(digest, !isUse);
    return found instanceof Promise ? found.then(authenticateFound) : authenticateFound(found);
  };
}

/** More than are revoked in the seconds for which an answer is remembered. */
const MOST_REVOKED = 10_000;

/** Those of this process, by name: an agent that gets the name afterwards is another one. */
function createRevocations({ onRevoked }: KnownAgents) {
  const byName = createBoundedMap<string, number>({ most: MOST_REVOKED });
  let count = 0;
  onRevoked?.((name) => {
    count += 1;
    byName.set(name, count);
  });
  return {
    count: () => count,
    include: ({ name, asOf }: Known) => (byName.get(name) ?? 0) > asOf,
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

const toKnown = ({ name, roles, scopes, expiresAt }: Agent, asOf: number, useNotedAt: number): Known => ({
  name,
  asOf,
  authentication: ok(agentCaller(name, roles, scopes)),
  expiresAt: expiresAt?.getTime() ?? Number.POSITIVE_INFINITY,
  useNotedAt,
});
