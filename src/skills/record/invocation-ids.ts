// The ids and names that a call is recorded under.
import { randomUUID } from 'node:crypto';
import { isAgentName } from '../../identity/agents.ts';
import { withoutCredentials } from '../../text/credentials.ts';
import { isUuid } from '../../values/uuid.ts';

export interface CorrelationId {
  readonly id: string;
  readonly valid: boolean;
}

/** The caller's id in lower case; `made` when there is none or it is no id (X2). */
export function correlationIdOf(given: unknown, made: string = randomUUID()): CorrelationId {
  if (given === undefined) return { id: made, valid: true };
  if (typeof given === 'string' && isUuid(given)) return { id: given.toLowerCase(), valid: true };
  return { id: made, valid: false };
}

const MAX_AGENT = 64;
/** More than this is not looked at: a name may have any length. */
const MOST_READ = 1_024;

/**
 * At most 64 characters, none of them broken or invisible: it is shown in lists and stored. Some clients put their token
 * where the name belongs, and plain JavaScript may send anything.
 */
export function agentNameOf(given: string): string {
  const name = withoutCredentials(String(given).slice(0, MOST_READ));
  // Almost every name is one already.
  if (isAgentName(name)) return name;
  const cleaned = name.replace(/[\p{Cc}\p{Cf}\p{Surrogate}]/gu, '').trim();
  const cut = [...cleaned].slice(0, MAX_AGENT).join('').trim();
  return cut === '' ? 'unknown' : cut;
}
