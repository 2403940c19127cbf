// The requests of one client that wait for their answer: run side by side, answered as they finish, or cancelled.
import type { ClientInfo, Method, Reply } from '../method.ts';
import { Call } from './call.ts';
import type { EraRules } from './era-rules.ts';
import { errorLine, internalError, type Line, type Request, type RequestId, resultLine } from './json-rpc.ts';
import type { WireLog } from './wire-log.ts';

/** Takes the answer to one request, or undefined when there will be none. */
export type Answer = (line: Line | undefined) => void;

/** A request that has found its method. */
export interface Routed {
  readonly request: Request;
  readonly rules: EraRules;
  readonly method: Method;
  readonly client: ClientInfo;
}

export interface RunningCallsOptions {
  readonly remote: boolean;
  readonly log: WireLog;
  readonly notify: (line: string) => void;
}

export class RunningCalls {
  readonly #options: RunningCallsOptions;
  readonly #running = new Map<RequestId, { readonly call: Call; readonly answer: Answer }>();
  #whenIdle: (() => void)[] = [];

  constructor(options: RunningCallsOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#running.size;
  }

  has(id: RequestId): boolean {
    return this.#running.has(id);
  }

  run(routed: Routed, answer: Answer): void {
    const { request, rules, client } = routed;
    const { remote, notify } = this.#options;
    const call = new Call({ era: rules.era, client, remote, params: request.params, notify });
    const reply = this.#start(routed, call);
    // Most methods answer at once: no promise, no entry among the running.
    if (!(reply instanceof Promise)) {
      call.end();
      answer(this.#encode(routed, reply));
      return;
    }
    this.#running.set(request.id, { call, answer });
    void reply.then((value) => {
      if (call.over) return;
      this.#leave(request.id, call);
      answer(this.#encode(routed, value));
    });
  }

  /** The method is asked to stop, and nothing more is sent for that id. */
  cancel(id: RequestId): void {
    const entry = this.#running.get(id);
    if (entry === undefined) return;
    this.#leave(id, entry.call);
    entry.answer(undefined);
    entry.call.abort();
  }

  /** Every method is asked to stop; the answers are still wanted. */
  abort(): void {
    for (const { call } of this.#running.values()) call.abort();
  }

  cancelAll(): void {
    for (const id of [...this.#running.keys()]) this.cancel(id);
  }

  /** Resolves when nobody waits for an answer. */
  idle(): Promise<void> {
    if (this.#running.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.#whenIdle.push(resolve));
  }

  /** The one place where a throw becomes "Internal error": the promise it gives never rejects. */
  #start(routed: Routed, call: Call): Reply | Promise<Reply> {
    const failed = (error: unknown) => this.#failed(routed, call, error);
    try {
      const reply = routed.method(routed.request.params, call.context);
      return 'then' in reply ? Promise.resolve(reply).catch(failed) : reply;
    } catch (error) {
      return failed(error);
    }
  }

  #failed({ request }: Routed, call: Call, error: unknown): Reply {
    // A method that was told to stop may well throw: that is no fault to report.
    if (!call.aborted) this.#report(request, error);
    return { ok: false, failure: internalError };
  }

  #encode({ request, rules }: Routed, reply: Reply): Line {
    const { id, method } = request;
    try {
      return reply.ok ? resultLine(id, rules.dress(method, reply.value)) : errorLine(id, reply.failure);
    } catch (error) {
      // A cycle or a bigint in the result: a fault of the method like any other.
      this.#report(request, error);
      return errorLine(id, internalError);
    }
  }

  #report({ method }: Request, error: unknown): void {
    this.#options.log({ level: 'error', message: 'Method failed', method, error });
  }

  #leave(id: RequestId, call: Call): void {
    call.end();
    this.#running.delete(id);
    if (this.#running.size > 0) return;
    for (const resolve of this.#whenIdle.splice(0)) resolve();
  }
}
