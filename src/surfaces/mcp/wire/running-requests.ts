// The requests that wait for their answer: run side by side, answered as they finish, or cancelled.

import { Call } from './call.ts';
import type { EraRules } from './era-rules.ts';
import { errorLine, internalError, type Line, type Request, resultLine } from './json-rpc.ts';
import type { ClientInfo, Method, Reply, RpcError } from './method.ts';
import type { Waiter } from './waiter.ts';
import type { WireLog } from './wire-log.ts';

/** A request that has found its method. */
export interface Routed {
  readonly request: Request;
  readonly rules: EraRules;
  readonly method: Method;
  readonly client: ClientInfo;
}

interface Running {
  readonly request: Request;
  readonly call: Call;
  readonly waiter: Waiter;
}

export class RunningCalls {
  readonly #log: WireLog;
  readonly #running = new Map<unknown, Running>();
  #whenIdle: (() => void)[] = [];

  constructor(log: WireLog) {
    this.#log = log;
  }

  get size(): number {
    return this.#running.size;
  }

  has(key: unknown): boolean {
    return this.#running.has(key);
  }

  /** `key`: what tells this request from the others. One client's ids do; those of many clients do not. */
  run(routed: Routed, waiter: Waiter, key: unknown = routed.request.id): void {
    const { request, rules, client } = routed;
    const call = new Call({ era: rules.era, client, params: request.params, waiter });
    const reply = this.#start(routed, call);
    // Most methods answer at once: no promise, no entry among the running.
    if (!(reply instanceof Promise)) {
      call.end();
      waiter.answer(this.#encode(routed, reply));
      return;
    }
    this.#running.set(key, { request, call, waiter });
    void reply.then((value) => {
      if (call.over) return;
      this.#leave(key, call);
      waiter.answer(this.#encode(routed, value));
    });
  }

  /** The method is asked to stop, and nothing more is sent for that request. */
  cancel(key: unknown): void {
    const entry = this.#running.get(key);
    if (entry === undefined) return;
    this.#leave(key, entry.call);
    entry.waiter.answer(undefined);
    entry.call.abort();
  }

  /** Every method is asked to stop; the answers are still wanted. */
  abort(): void {
    for (const { call } of this.#running.values()) call.abort();
  }

  cancelAll(): void {
    for (const key of [...this.#running.keys()]) this.cancel(key);
  }

  /** Every method is asked to stop, and whoever waits for one hears why there will be no answer. */
  dismissAll(error: RpcError): void {
    for (const [key, { request, call, waiter }] of [...this.#running]) {
      this.#leave(key, call);
      waiter.answer(errorLine(request.id, error));
      call.abort();
    }
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
    this.#log({ level: 'error', message: 'Method failed', method, error });
  }

  #leave(key: unknown, call: Call): void {
    call.end();
    this.#running.delete(key);
    if (this.#running.size > 0) return;
    for (const resolve of this.#whenIdle.splice(0)) resolve();
  }
}
