// Whether a client goes away before it has its answer: then what it asked for is cancelled.
import type { ServerResponse } from 'node:http';

export interface Leaving {
  readonly signal: AbortSignal;
  /** To be called when the work is done. */
  end(): void;
}

export function watchLeaving(response: ServerResponse): Leaving {
  const controller = new AbortController();
  const leave = () => controller.abort();
  if (response.destroyed) leave();
  response.once('close', leave);
  return { signal: controller.signal, end: () => void response.off('close', leave) };
}
