// How much of what was written to a connection the system has taken: what waits beyond that is held by this process.
import type { Socket } from 'node:net';

/** Node's own, of each open connection; it looks at the same two numbers before its timeout ends one. */
interface Handle {
  readonly bytesWritten: number;
  readonly writeQueueSize: number;
}

/**
 * Also within one long write, of which `bytesWritten` of the socket counts all at once: a slow reader of a large answer
 * can be told from one who takes nothing.
 */
export function takenBytes(socket: Socket): number {
  // Not in the public types.
  const { _handle: handle } = socket as Socket & { readonly _handle?: Handle | null };
  return handle ? handle.bytesWritten - handle.writeQueueSize : socket.bytesWritten;
}
