// Log lines about refused requests and connections: a few a second at most, however many are refused.
import type { RuntimeLog } from '../../../skills/record/runtime-log.ts';
import { withoutCredentials } from '../../../text/credentials.ts';
import { createFewLines } from '../message/few-lines.ts';
import type { ReceivedRequest } from './received-request.ts';
import type { Refusal } from './refusals.ts';

export interface RefusalLog {
  readonly note: (received: ReceivedRequest, refusal: Refusal) => void;
  /** A connection that was not taken, or that spoke no HTTP. */
  readonly noteConnection: (message: string) => void;
}

const MAX_PATH = 100;

export function createRefusalLog(log: RuntimeLog, monotonicMs: () => number): RefusalLog {
  const say = createFewLines(log, monotonicMs);
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
