// JSON-RPC batches, which only 2025-03-26 has: many messages in, their answers out together.
import { invalidRequest, type Line, type Message, readMessage } from './json-rpc.ts';
import { claimsModern } from './modern-era.ts';
import type { Waiter } from './waiter.ts';

const MAX_BATCH = 1024;

/** Why these items cannot be taken as a batch. */
export function batchProblem(items: readonly unknown[]): string | undefined {
  if (items.length === 0) return 'the batch is empty';
  return items.length > MAX_BATCH ? `the batch has more than ${MAX_BATCH} messages` : undefined;
}

/** The answers leave together when the last one is there; none when nothing in the batch wants one. */
export function receiveBatch(
  items: readonly unknown[],
  waiter: Waiter,
  receive: (message: Message, waiter: Waiter) => void,
): void {
  const lines: Line[] = [];
  let open = 1; // the batch itself, so that it cannot end before its last message was seen
  const settle = (line: Line | undefined) => {
    if (line !== undefined) lines.push(line);
    open -= 1;
    if (open === 0) waiter.answer(lines.length > 0 ? `[${lines.join(',')}]` : undefined);
  };
  const { caller, remote, correlationId } = waiter;
  const each: Waiter = { caller, remote, correlationId, notify: (line) => waiter.notify(line), answer: settle };
  for (const message of items.map(readBatched)) {
    if (message.kind === 'request' || message.kind === 'invalid') open += 1;
    receive(message, each);
  }
  settle(undefined);
}

/** A batch carries neither the handshake nor requests of an era without batches. */
function readBatched(item: unknown): Message {
  const message = readMessage(item);
  if (message.kind !== 'request') return message;
  const misplaced = message.method === 'initialize' || claimsModern(message.params);
  return misplaced ? { kind: 'invalid', id: message.id, error: invalidRequest('not allowed in a batch') } : message;
}
