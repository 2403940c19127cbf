// Log lines about refused requests and connections: a few a second at most, however many are refused.
import type { RuntimeLog } from '../../../skills/record/runtime-log.ts';
import { withoutCredentials } from '../../../text/credentials.ts';
import type { ReceivedRequest } from './received-request.ts';
import type { Refusal } from './refusals.ts';

export interface RefusalLog {
  readonly note: (received: ReceivedRequest, refusal: Refusal) => void;
  /** A connection that was not taken, or that spoke no HTTP. */
  readonly noteConnection: (message: string) => void;
}

const PER_SECOND = 5;
const MAX_PATH = 100;

export function createRefusalLog(log: RuntimeLog, monotonicMs: () => number): RefusalLog {
  let startedMs = Number.NEGATIVE_INFINITY;
  let said = 0;
  let unsaid = 0;
  const say = (message: string, details: () => object) => {
    if (monotonicMs() - startedMs >= 1_000) {
      startedMs = monotonicMs();
      said = 0;
    }
    if (said >= PER_SECOND) {
      unsaid += 1;
      return;
    }
    said += 1;
    log({ level: 'warn', message, ...details(), ...(unsaid > 0 ? { unsaid } : undefined) });
    unsaid = 0;
  };
  return {
    note: (received, refusal) => {
      // Clients begin without a credential to learn which one they need; that is no event.
      if (refusal.status === 401 && received.request.headers.authorization === undefined) return;
      say(`Refused a request: ${refusal.message}`, () => detailsOf(received, refusal));
    },
    noteConnection: (message) => say(message, () => ({})),
  };
}

/** Without the query and the headers: those may hold secrets. */
const detailsOf = ({ request, path, address, correlationId }: ReceivedRequest, { status }: Refusal) => ({
  status,
  method: request.method,
  path: withoutCredentials(path).slice(0, MAX_PATH),
  address,
  correlation_id: correlationId,
});
