// The requests that wait for their answer: run side by side, answered as they finish, or cancelled.
import type { Caller } from '../../../identity/caller.ts';
import type { ClientInfo } from '../../../identity/client-info.ts';
import { isRecord } from '../../../values/is-record.ts';
import type { JsonObject } from '../../../values/json-object.ts';
import type { TracedOperation } from '../../../values/trace.ts';
import type { EraRules } from './era-rules.ts';
import {
  errorLine,
  internalError,
  isRequestId,
  type Line,
  notificationLine,
  type Request,
  resultLine,
} from './json-rpc.ts';
import type { Method, MethodResult, RequestContext, ReserveRoom, RpcError, WireLog } from './method.ts';
import { outcomeOf, type Traced } from './traced.ts';

/** Who sent a request: what its method may know of them, and the way back to them. */
export interface Requester extends Traced {
  /** Who proved to be calling; absent on stdio. */
  readonly caller: Caller | undefined;
  readonly remote: boolean;
  /** The id of the request in logs and headers; absent on stdio. */
  readonly correlationId: string | undefined;
  /** Room for a large answer: see `RequestContext`. */
  readonly reserve: ReserveRoom;
  /** Takes a progress notification; it may drop it when the client does not read. */
  notify(line: string): void;
  /** Takes the answer, or undefined when there will be none. `error`: what the answer says, where it is one. */
  answer(line: Line | undefined, error?: RpcError): void;
}

/** A request that has found its method. */
export interface RoutedRequest {
  readonly request: Request;
  readonly rules: EraRules;
  readonly method: Method;
  readonly client: ClientInfo;
}

export class RunningRequests {
  readonly #log: WireLog;
  readonly #running = new Map<unknown, RunningRequest>();
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
  run(routed: RoutedRequest, requester: Requester, key: unknown = routed.request.id): void {
    const running = new RunningRequest(routed, requester);
    const result = this.#start(running);
    // Most methods answer at once: no promise, no entry among the running.
    if (!(result instanceof Promise)) {
      running.end(result);
      requester.answer(this.#encode(routed, result), errorOf(result));
      return;
    }
    this.#running.set(key, running);
    void result.then((value) => {
      if (running.over) return;
      this.#leave(key, running, value);
      requester.answer(this.#encode(routed, value), errorOf(value));
    });
  }

  /** The method is asked to stop, and nothing more is sent for that request, unless it is told why. */
  cancel(key: unknown, error?: RpcError): void {
    const running = this.#running.get(key);
    if (running !== undefined) this.#stop(key, running, error);
  }

  /** Every method is asked to stop; the answers are still wanted. */
  abort(): void {
    for (const running of this.#running.values()) running.abort();
  }

  cancelAll(): void {
    for (const [key, running] of [...this.#running]) this.#stop(key, running);
  }

  /** Every method is asked to stop, and each requester is told why there will be no answer. */
  dismissAll(error: RpcError): void {
    for (const [key, running] of [...this.#running]) this.#stop(key, running, error);
  }

  /** Resolves when every request is answered. */
  idle(): Promise<void> {
    if (this.#running.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.#whenIdle.push(resolve));
  }

  /** The one place where a throw becomes "Internal error": the promise it gives never rejects. */
  #start(running: RunningRequest): MethodResult | Promise<MethodResult> {
    const { method, request } = running.routed;
    const failed = (error: unknown): MethodResult => {
      // A method that was asked to stop may throw: that is no fault to report.
      if (!running.aborted) this.#report(request, error);
      return { ok: false, failure: internalError };
    };
    try {
      const result = method(request.params, running.context);
      return 'then' in result ? Promise.resolve(result).catch(failed) : result;
    } catch (error) {
      return failed(error);
    }
  }

  #encode({ request, rules }: RoutedRequest, result: MethodResult): Line {
    const { id, method } = request;
    try {
      return result.ok ? resultLine(id, rules.dress(method, result.value)) : errorLine(id, result.failure);
    } catch (error) {
      // A cycle or a bigint in the result: a fault of the method like any other.
      this.#report(request, error);
      return errorLine(id, internalError);
    }
  }

  #report({ method }: Request, error: unknown): void {
    this.#log({ level: 'error', message: 'Method failed', method, error });
  }

  #stop(key: unknown, running: RunningRequest, error?: RpcError): void {
    this.#leave(key, running, error && { ok: false, failure: error });
    running.requester.answer(error && errorLine(running.routed.request.id, error));
    running.abort();
  }

  #leave(key: unknown, running: RunningRequest, result: MethodResult | undefined): void {
    running.end(result);
    this.#running.delete(key);
    if (this.#running.size > 0) return;
    for (const resolve of this.#whenIdle.splice(0)) resolve();
  }
}

/** A method that gives nothing back is a fault, which is said by then. */
const errorOf = (result: MethodResult | null | undefined): RpcError | undefined =>
  result?.ok === false ? result.failure : undefined;

/** One request while it runs: the context its method sees, and whether its answer is still wanted. */
class RunningRequest {
  readonly routed: RoutedRequest;
  readonly requester: Requester;
  readonly context: RequestContext;
  readonly #operation: TracedOperation | undefined;
  #controller: AbortController | undefined;
  #aborted = false;
  #over = false;
  #lastProgress = Number.NEGATIVE_INFINITY;

  constructor(routed: RoutedRequest, requester: Requester) {
    this.routed = routed;
    this.requester = requester;
    const { rules, client, request } = routed;
    const token = progressToken(request.params);
    const { caller, remote, correlationId, reserve } = requester;
    this.#operation = requester.trace?.begin(request);
    const progress: RequestContext['progress'] =
      token === undefined ? ignoreProgress : (done, total, message) => this.#progress(token, done, total, message);
    // The signal is made when it is asked for: few methods look at it, and a controller costs more than most requests.
    this.context = withSignal({
      era: rules.era,
      client,
      caller,
      remote,
      correlationId,
      reserve,
      span: this.#operation?.span,
      progress,
      running: this,
    });
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#aborted) this.#controller.abort();
    }
    return this.#controller.signal;
  }

  /** It was answered or cancelled. */
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

  /** `undefined`: its answer is not wanted any more. */
  end(result: MethodResult | undefined): void {
    this.#over = true;
    this.#operation?.end(outcomeOf(result, this.routed.rules, this.requester));
  }

  #progress(progressToken: string | number, progress: number, total?: number, message?: string): void {
    // The protocol wants progress to increase and to stop with the answer.
    if (this.#over || !(progress > this.#lastProgress) || !Number.isFinite(progress)) return;
    this.#lastProgress = progress;
    this.requester.notify(notificationLine('notifications/progress', { progressToken, progress, total, message }));
  }
}

/** What the client wants its progress marked with; absent: it did not ask for progress. */
export function progressToken(params: JsonObject): string | number | undefined {
  const token = isRecord(params._meta) ? params._meta.progressToken : undefined;
  return isRequestId(token) ? token : undefined;
}

type Unfinished = Omit<RequestContext, 'signal'> & { readonly running: RunningRequest };

/**
 * One getter for all contexts: an object literal with a getter of its own gets a hidden class of its own, and V8 keeps
 * those until the next full collection. It is the context's own property, so that a copy of the context has the signal.
 */
const SIGNAL = {
  enumerable: true,
  get(this: Unfinished): AbortSignal {
    return this.running.signal;
  },
};

function withSignal(context: Unfinished): RequestContext {
  // With the property that is defined here it is a whole context.
  return Object.defineProperty(context, 'signal', SIGNAL) as Unfinished & RequestContext;
}

function ignoreProgress(): void {
  // The client did not ask for it.
}
