// Agents by the digest of their token, from a store that is asked as seldom as revoking allows. While the store is away,
// whoever was known stays known (F1).
import { fail, ok } from '../result.ts';
import type { Agent, AgentStore } from './agents.ts';
import type { Authentication } from './authentication.ts';
import { agentCaller } from './caller.ts';

/** A token that was revoked elsewhere is refused at the latest after this long. */
const TRUST_MS = 10_000;
/** From here on the store is asked again while the agent is still let in: whoever calls often never waits. */
const CHECK_AFTER_MS = 5_000;
/** While the store is away: how often it is asked, and how long nobody waits for it. */
const RETRY_AFTER_MS = 1_000;
const TRUST_WITHOUT_STORE_MS = 5_000;
const STRANGER_MS = 5_000;
const NOTE_USE_EVERY_MS = 60_000;
/** Of each kind: known agents, strangers, questions under way. */
const MOST_KEPT = 10_000;

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
  checkAt: number;
  trustedUntil: number;
  useNotedAt: number;
}

export function createKnownAgents(parts: KnownAgentsParts): FindAgent {
  const { agents, monotonicMs } = parts;
  const known = new Map<string, Known>();
  /** Until when each is refused unasked. */
  const strangers = new Map<string, number>();

  const withoutStore = (digest: string): Authentication => {
    const entry = known.get(digest);
    if (entry === undefined) return UNAVAILABLE;
    entry.checkAt = monotonicMs() + RETRY_AFTER_MS;
    entry.trustedUntil = monotonicMs() + TRUST_WITHOUT_STORE_MS;
    return letIn(digest, entry, parts);
  };
  const ask = shareQuestions(async (digest) => {
    // Before the question: what is revoked while it is under way counts from here.
    const askedAt = monotonicMs();
    const answer = await findIn(agents, digest);
    if (answer === 'unavailable') return withoutStore(digest);
    if (answer === undefined || answer.revokedAt !== undefined) {
      known.delete(digest);
      keep(strangers, digest, askedAt + STRANGER_MS);
      return BAD;
    }
    const entry = toKnown(answer, askedAt, known.get(digest)?.useNotedAt ?? Number.NEGATIVE_INFINITY);
    keep(known, digest, entry);
    return letIn(digest, entry, parts);
  });
  return (digest) => {
    const at = monotonicMs();
    const entry = known.get(digest);
    if (entry === undefined) return at < (strangers.get(digest) ?? 0) ? BAD : ask(digest);
    if (at >= entry.trustedUntil) return ask(digest);
    if (at >= entry.checkAt) void ask(digest);
    return letIn(digest, entry, parts);
  };
}

/** Those who ask for the same at once share one question; beyond the bound nobody is asked for. */
function shareQuestions(ask: (digest: string) => Promise<Authentication>): FindAgent {
  const asking = new Map<string, Promise<Authentication>>();
  return (digest) => {
    const under = asking.get(digest);
    if (under !== undefined) return under;
    if (asking.size >= MOST_KEPT) return UNAVAILABLE;
    const answer = ask(digest).finally(() => asking.delete(digest));
    asking.set(digest, answer);
    return answer;
  };
}

function letIn(digest: string, entry: Known, { agents, now, monotonicMs }: KnownAgentsParts): Authentication {
  if (entry.expiresAt <= now().getTime()) return BAD;
  const at = monotonicMs();
  if (at - entry.useNotedAt >= NOTE_USE_EVERY_MS) {
    entry.useNotedAt = at;
    agents.noteUse(digest, now());
  }
  return entry.authentication;
}

const BAD: Authentication = fail('bad');
const UNAVAILABLE: Authentication = fail('unavailable');

async function findIn(agents: KnownAgentsParts['agents'], digest: string): Promise<Agent | undefined | 'unavailable'> {
  try {
    return await agents.findByDigest(digest);
  } catch {
    return 'unavailable'; // Whatever keeps the store from answering: who this is cannot be told.
  }
}

function toKnown({ name, roles, scopes, expiresAt }: Agent, askedAt: number, useNotedAt: number): Known {
  return {
    authentication: ok(agentCaller(name, roles, scopes)),
    expiresAt: expiresAt?.getTime() ?? Number.POSITIVE_INFINITY,
    checkAt: askedAt + CHECK_AFTER_MS,
    trustedUntil: askedAt + TRUST_MS,
    useNotedAt,
  };
}

/** The one that was kept longest goes when there are too many. */
function keep<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
  if (map.size <= MOST_KEPT) return;
  for (const oldest of map.keys()) {
    map.delete(oldest);
    return;
  }
}
