// The stream of what runs right now, for live views. Everything in it is redacted.

import type { Progress } from '../define/define-skill.ts';
import type { Invocation, InvocationResult } from '../define/invocation.ts';
import { describeError } from './describe-error.ts';
import type { RuntimeLog } from './runtime-log.ts';

/**
 * What happens to invocations right now. Everything in it is redacted.
 *
 * @example
 * const stop = runtime.subscribe((event: InvocationEvent) => {
 *   if (event.type === 'end') console.log(event.invocation.skillName, event.invocation.status);
 * });
 */
export type InvocationEvent =
  | { readonly type: 'begin'; readonly invocation: Invocation }
  | {
      readonly type: 'progress';
      readonly invocationId: string;
      readonly skillName: string;
      readonly correlationId: string;
      readonly progress: Progress;
    }
  | { readonly type: 'end'; readonly invocation: Invocation; readonly result: InvocationResult };

/**
 * Hears of every invocation of a runtime while it runs. One that throws does not affect the others.
 *
 * @example
 * const listener: InvocationListener = ({ type }) => console.log(type);
 * const stop = runtime.subscribe(listener);
 */
export type InvocationListener = (event: InvocationEvent) => void;

export interface InvocationEvents {
  /** Answers the function that ends the subscription. */
  readonly subscribe: (listener: InvocationListener) => () => void;
  readonly emit: (event: InvocationEvent) => void;
  /** Without listeners: nothing needs to be redacted. */
  readonly idle: boolean;
}

export function createInvocationEvents(log: RuntimeLog): InvocationEvents {
  const listeners = new Set<InvocationListener>();
  return {
    subscribe: (listener) => {
      // Wrapped: the same function may listen twice.
      const own: InvocationListener = (event) => listener(event);
      listeners.add(own);
      return () => void listeners.delete(own);
    },
    emit: (event) => {
      for (const listener of listeners) notify(listener, event, log);
    },
    get idle() {
      return listeners.size === 0;
    },
  };
}

/** A listener that fails hurts neither the call nor the other listeners. */
function notify(listener: InvocationListener, event: InvocationEvent, log: RuntimeLog): void {
  try {
    listener(event);
  } catch (error) {
    log({ level: 'error', message: 'A listener for invocations failed', error: describeError(error) });
  }
}
