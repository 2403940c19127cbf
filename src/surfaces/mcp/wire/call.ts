// One request while it runs: the context its method sees, and whether anyone still waits for the answer.

import { isObject, isRequestId, notificationLine } from './json-rpc.ts';
import type { CallContext, ClientInfo, Era, JsonObject } from './method.ts';
import type { Waiter } from './waiter.ts';

export interface CallOptions {
  readonly era: Era;
  readonly client: ClientInfo;
  readonly params: JsonObject;
  readonly waiter: Waiter;
}

export class Call {
  readonly context: CallContext;
  readonly #waiter: Waiter;
  #controller: AbortController | undefined;
  #aborted = false;
  #over = false;
  #lastProgress = Number.NEGATIVE_INFINITY;

  constructor({ era, client, params, waiter }: CallOptions) {
    this.#waiter = waiter;
    const token = progressToken(params);
    const { caller, remote, correlationId } = waiter;
    const progress: CallContext['progress'] =
      token === undefined ? ignoreProgress : (done, total, message) => this.#progress(token, done, total, message);
    // The signal is made when it is asked for: few methods look at it, and a controller costs more than most calls.
    this.context = withSignal({ era, client, caller, remote, correlationId, progress, call: this });
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#aborted) this.#controller.abort();
    }
    return this.#controller.signal;
  }

  /** Nobody waits any more: it was answered or cancelled. */
  get over(): boolean {
    return this.#over;
  }

  get aborted(): boolean {
    return this.#aborted;
  }

  /** The method is asked to stop; its answer is still wanted. */
  abort(): void {
    this.#aborted = true;
    this.#controller?.abort();
  }

  end(): void {
    this.#over = true;
  }

  #progress(progressToken: string | number, progress: number, total?: number, message?: string): void {
    // The protocol wants progress to increase and to stop with the answer.
    if (this.#over || !(progress > this.#lastProgress) || !Number.isFinite(progress)) return;
    this.#lastProgress = progress;
    this.#waiter.notify(notificationLine('notifications/progress', { progressToken, progress, total, message }));
  }
}

/** What the client wants its progress marked with; absent: it did not ask for progress. */
export function progressToken(params: JsonObject): string | number | undefined {
  const token = isObject(params._meta) ? params._meta.progressToken : undefined;
  return isRequestId(token) ? token : undefined;
}

type Unfinished = Omit<CallContext, 'signal'> & { readonly call: Call };

/**
 * One getter for all contexts: an object literal with a getter of its own gets a hidden class of its own, and V8 keeps
 * those until the next full collection. It is the context's own property, so that a copy of the context has the signal.
 */
const SIGNAL = {
  enumerable: true,
  get(this: Unfinished): AbortSignal {
    return this.call.signal;
  },
};

function withSignal(context: Unfinished): CallContext {
  // With the property that is defined here it is a whole context.
  return Object.defineProperty(context, 'signal', SIGNAL) as Unfinished & CallContext;
}

function ignoreProgress(): void {
  // The client did not ask for it.
}
