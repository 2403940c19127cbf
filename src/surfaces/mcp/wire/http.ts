// MCP over Streamable HTTP on one path: both protocol eras, each request served by the rules of the era it speaks.
import { doneWithin } from '../../../async/within.ts';
import type { AdmittedRequest } from '../../http/message/admitted-request.ts';
import { type RpcRefusal, replyEmpty, replyRefusal } from './http-answer.ts';
import { namesModern, protocolVersionOf } from './http-headers.ts';
import { LegacyHttp, SESSION_HEADER, type Served } from './http-legacy.ts';
import { ModernHttp } from './http-modern.ts';
import { type NoteSession, SESSION_LIMITS, type SessionLimits } from './http-sessions.ts';
import { internalError, type Message, methodNotFound, parseMessage, rpcCode } from './json-rpc.ts';
import type { MethodTable, NoteHandshake, WireLog } from './method.ts';
import { claimsModern, modernOnlyMethods, removedMethods } from './modern-era.ts';
import type { SharedOptions } from './shared-sessions.ts';
import { noteMessage } from './traced.ts';

export interface McpEndpointOptions {
  readonly log: WireLog;
  readonly sessions?: SessionLimits;
  /** What replicas have in common, so that 2025-era sessions may meet any of them (N2); absent: they are this process's. */
  readonly shared?: SharedOptions | undefined;
  /** Hears of every client that introduces itself. Must not throw. */
  readonly onHandshake?: NoteHandshake | undefined;
  readonly onSessionEnd?: NoteSession | undefined;
  /** How often a quiet stream shows that it is alive. */
  readonly keepAliveMs?: number;
  /** After close(): how long requests may go on, and then may react to being aborted. */
  readonly grace?: { readonly finishMs: number; readonly abortMs: number };
}

export interface McpEndpoint {
  /** How many sessions of 2025-era clients this process knows. */
  readonly sessions: number;
  handle(admitted: AdmittedRequest): void;
  /** Ends the streams, lets running requests finish for a while, then cancels them. Never rejects. */
  close(): Promise<void>;
}

/** Together well below the 10 s that a stop may take (F11). */
const GRACE = { finishMs: 3_000, abortMs: 1_000 };

export function createMcpEndpoint(table: MethodTable, options: McpEndpointOptions): McpEndpoint {
  return new HttpEndpoint(table, options);
}

class HttpEndpoint implements McpEndpoint {
  readonly #modern: ModernHttp;
  readonly #legacy: LegacyHttp;
  readonly #log: WireLog;
  readonly #grace: { readonly finishMs: number; readonly abortMs: number };
  readonly #unsubscribe: () => void;
  #stopping = false;

  constructor(table: MethodTable, options: McpEndpointOptions) {
    const { log, keepAliveMs, shared, sessions = SESSION_LIMITS, grace = GRACE } = options;
    const { onHandshake = () => undefined, onSessionEnd = () => undefined } = options;
    const streams = keepAliveMs === undefined ? {} : { keepAliveMs };
    this.#log = log;
    this.#grace = grace;
    this.#modern = new ModernHttp(table, { log, streams, onHandshake });
    this.#legacy = new LegacyHttp(table, { log, streams, limits: sessions, onHandshake, onSessionEnd, shared });
    this.#unsubscribe = table.subscribe((event) => {
      this.#modern.announce(event);
      this.#legacy.announce(event);
    });
  }

  get sessions(): number {
    return this.#legacy.sessions.size;
  }

  handle(admitted: AdmittedRequest): void {
    const message = admitted.request.method === 'POST' ? parseMessage(admitted.body) : undefined;
    const id = message !== undefined && 'id' in message ? message.id : null;
    // What holds no message of MCP is a request of HTTP like others.
    if (message === undefined || !('method' in message)) admitted.trace?.answeredBy(admitted.path);
    const settle = (refusal: RpcRefusal | undefined) => {
      if (refusal === undefined) return;
      if (message !== undefined) noteMessage(admitted, message, refusal);
      replyRefusal(admitted.response, id, refusal);
    };
    const onFault = (error: unknown) => {
      // A fault of this wire: methods never throw as far as here.
      this.#log({ level: 'error', message: 'MCP request failed', error });
      replyRefusal(admitted.response, id, { status: 500, error: internalError });
    };
    try {
      const served = message === undefined ? this.#withoutBody(admitted) : this.#post(admitted, message);
      if (served instanceof Promise) served.then(settle).catch(onFault);
      else settle(served);
    } catch (error) {
      onFault(error);
    }
  }

  async close(): Promise<void> {
    this.#stopping = true;
    this.#unsubscribe();
    this.#modern.endSubscriptions();
    const idle = Promise.all([this.#modern.idle(), this.#legacy.idle()]);
    if (!(await doneWithin(idle, this.#grace.finishMs))) {
      this.#modern.abort();
      this.#legacy.abort();
      await doneWithin(idle, this.#grace.abortMs);
    }
    this.#modern.dismiss(STOPPING.error);
    this.#legacy.close(STOPPING.error);
  }

  #post(admitted: AdmittedRequest, message: Message): Served {
    if (this.#stopping) return STOPPING;
    if (message.kind === 'invalid') return { status: 400, error: message.error };
    if (message.kind === 'nothing' && admitted.body.trim() === '') return NO_BODY;
    const modern = isModern(admitted, message);
    if (message.kind === 'request' && removedMethods.has(message.method) && (modern || namesNoEra(admitted)))
      return { status: 404, error: methodNotFound(message.method) };
    if (!modern) return this.#legacy.receive(admitted, message);
    if (message.kind === 'request') return this.#modern.receive(admitted, message);
    // The modern era knows no notification from a client: a closed response says what `cancelled` did.
    noteMessage(admitted, message);
    replyEmpty(admitted.response, 202);
    return undefined;
  }

  /** GET and DELETE exist for sessions only. */
  #withoutBody(admitted: AdmittedRequest): Served {
    const { headers, method } = admitted.request;
    if (this.#stopping) return STOPPING;
    // Clients read 405 as "no stream here" and go on, whichever version they name.
    if (namesModern(headers) || !headers[SESSION_HEADER]) return notAllowed('POST');
    if (method === 'GET') return this.#legacy.listen(admitted);
    return method === 'DELETE' ? this.#legacy.end(admitted) : notAllowed('GET, POST, DELETE');
  }
}

/** By what the body claims; a body that claims nothing may have been sent with the headers of the era. */
function isModern({ request }: AdmittedRequest, message: Message): boolean {
  if (message.kind !== 'request' && message.kind !== 'notification') return false;
  return claimsModern(message.params) || namesModern(request.headers) || modernOnlyMethods.has(message.method);
}

/** A session has an era of its own: there, a 404 would say that it has ended. */
const namesNoEra = ({ request: { headers } }: AdmittedRequest): boolean =>
  headers[SESSION_HEADER] === undefined && protocolVersionOf(headers) === undefined;

const notAllowed = (allow: string): RpcRefusal => ({
  status: 405,
  error: { code: rpcCode.refused, message: `Method not allowed: use ${allow}` },
  headers: ['Allow', allow],
});

const NO_BODY: RpcRefusal = {
  status: 400,
  error: { code: rpcCode.parseError, message: 'Parse error: the body is empty' },
};

const STOPPING: RpcRefusal = {
  status: 503,
  error: { code: rpcCode.refused, message: 'The server is stopping' },
  headers: ['Connection', 'close'],
};
