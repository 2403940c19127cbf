// One request while it runs: the context its method sees, and whether anyone still waits for the answer.
import type { CallContext, ClientInfo, Era, JsonObject } from '../method.ts';
import { isObject, isRequestId, notificationLine } from './json-rpc.ts';

export interface CallOptions {
  readonly era: Era;
  readonly client: ClientInfo;
  readonly remote: boolean;
  readonly params: JsonObject;
  /** Sends a progress notification; it may drop it when the client does not read. */
  readonly notify: (line: string) => void;
}

export class Call {
  readonly context: CallContext;
  readonly #notify: (line: string) => void;
  #controller: AbortController | undefined;
  #aborted = false;
  #over = false;
  #lastProgress = Number.NEGATIVE_INFINITY;

  constructor({ era, client, remote, params, notify }: CallOptions) {
    this.#notify = notify;
    const token = progressToken(params);
    const signal = () => this.#signal();
    this.context = {
      era,
      client,
      remote,
      // A getter, because few methods look at their signal and a controller costs more than most calls.
      get signal() {
        return signal();
      },
      progress:
        token === undefined ? ignoreProgress : (done, total, message) => this.#progress(token, done, total, message),
    };
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

  #signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#aborted) this.#controller.abort();
    }
    return this.#controller.signal;
  }

  #progress(progressToken: string | number, progress: number, total?: number, message?: string): void {
    // The protocol wants progress to increase and to stop with the answer.
    if (this.#over || !(progress > this.#lastProgress) || !Number.isFinite(progress)) return;
    this.#lastProgress = progress;
    this.#notify(notificationLine('notifications/progress', { progressToken, progress, total, message }));
  }
}

function progressToken(params: JsonObject): string | number | undefined {
  const token = isObject(params._meta) ? params._meta.progressToken : undefined;
  return isRequestId(token) ? token : undefined;
}

function ignoreProgress(): void {
  // The client did not ask for it.
}
