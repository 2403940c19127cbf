// 2025-03-26 to 2025-11-25 over HTTP: a handshake opens a session, and every later request names it.
import { fail, ok, type Result } from '../../../values/result.ts';
import type { AdmittedRequest } from '../../http/message/admitted-request.ts';
import type { EventStreamOptions } from '../../streams/event-stream.ts';
import { HttpRequester, NOT_ACCEPTABLE, type RpcRefusal, replyEmpty, TOO_MANY_STREAMS } from './http-answer.ts';
import { type AnswerForm, answerForm, headerOf, protocolVersionOf } from './http-headers.ts';
import { McpSession, McpSessions, type SessionLimits } from './http-sessions.ts';
import { invalidRequest, type Message, type Request, rpcCode } from './json-rpc.ts';
import { batchProblem, receiveBatch } from './legacy-era.ts';
import type { Method, MethodTable, NoteHandshake, RpcError, ServerEvent, WireLog } from './method.ts';
import { progressToken } from './running-requests.ts';

export const SESSION_HEADER = 'mcp-session-id';

export interface LegacyHttpOptions {
  readonly log: WireLog;
  readonly streams: EventStreamOptions;
  readonly limits: SessionLimits;
  readonly onHandshake: NoteHandshake;
}

type Batch = Extract<Message, { readonly kind: 'batch' }>;

export class LegacyHttp {
  readonly sessions: McpSessions;
  readonly #table: MethodTable;
  readonly #options: LegacyHttpOptions;

  constructor(table: MethodTable, options: LegacyHttpOptions) {
    this.#table = table;
    this.#options = options;
    this.sessions = new McpSessions(options.limits);
  }

  /** POST: answers the message, now or later, unless it gives back why not. */
  receive(admitted: AdmittedRequest, message: Message): RpcRefusal | undefined {
    const form = answerForm(admitted.request.headers);
    if (form === undefined) return NOT_ACCEPTABLE;
    if (message.kind === 'request' && message.method === 'initialize') return this.#open(admitted, message, form);
    const session = this.#sessionOf(admitted);
    if (!session.ok) return session.failure;
    if (message.kind === 'request') return this.#receiveRequest(admitted, session.value, message, form);
    const requester = new HttpRequester(admitted, 'json', this.#options.streams);
    if (message.kind === 'batch') return receiveItems(admitted, session.value, message, requester);
    session.value.receive(message, requester);
    replyEmpty(admitted.response, 202);
    return undefined;
  }

  /** GET: the stream on which the session is notified of changes. */
  listen(admitted: AdmittedRequest): RpcRefusal | undefined {
    const form = answerForm(admitted.request.headers);
    if (form === undefined || form === 'json') return NOT_ACCEPTABLE;
    const found = this.#sessionOf(admitted);
    if (!found.ok) return found.failure;
    const session = found.value;
    if (session.listens) return STREAM_TAKEN;
    if (!admitted.limits.openStream(admitted, () => session.endStream())) return TOO_MANY_STREAMS;
    session.openStream(admitted.response);
    return undefined;
  }

  /** DELETE: the client needs its session no more. */
  end(admitted: AdmittedRequest): RpcRefusal | undefined {
    const session = this.#sessionOf(admitted);
    if (!session.ok) return session.failure;
    this.sessions.end(session.value);
    replyEmpty(admitted.response, 204);
    return undefined;
  }

  announce(event: ServerEvent): void {
    for (const session of this.sessions) session.announce(event);
  }

  idle(): Promise<unknown> {
    return Promise.all([...this.sessions].map((session) => session.requests.idle()));
  }

  abort(): void {
    for (const session of this.sessions) session.requests.abort();
  }

  close(error: RpcError): void {
    this.sessions.close(error);
  }

  #open(admitted: AdmittedRequest, request: Request, form: AnswerForm): RpcRefusal | undefined {
    const { caller } = admitted;
    if (!this.sessions.makeRoom(caller)) return TOO_MANY_SESSIONS;
    const { log, streams } = this.#options;
    const session = new McpSession(this.#table, { caller, log, streams });
    const { rules } = session;
    const greet = rules.find('initialize');
    const client = rules.identify(request);
    if (greet === undefined || !client.ok) throw new Error('The legacy era has no initialize');
    // The handshake is decided before anything is awaited: only one that succeeds makes a session.
    const method: Method = (params, context) => {
      const reply = greet(params, context);
      if (rules.version !== undefined) this.#admit(admitted, session, request);
      return reply;
    };
    session.requests.run({ request, rules, method, client: client.value }, new HttpRequester(admitted, form, streams));
    return undefined;
  }

  #admit(admitted: AdmittedRequest, session: McpSession, request: Request): void {
    this.sessions.add(session, admitted);
    const client = session.rules.identify(request);
    if (client.ok) this.#options.onHandshake(admitted.caller, client.value);
    admitted.response.setHeader('Mcp-Session-Id', session.id);
  }

  #receiveRequest(
    admitted: AdmittedRequest,
    session: McpSession,
    request: Request,
    form: AnswerForm,
  ): RpcRefusal | undefined {
    const error = session.refusalOf(request);
    // As a 200 with this id it could be taken for the answer to the request that has the id already.
    if (error !== undefined) return { status: 400, error };
    const requester = new HttpRequester(admitted, form, this.#options.streams);
    session.receive(request, requester);
    // In this era a broken connection cancels nothing: the client says so when it means it.
    if (!requester.answered && progressToken(request.params) !== undefined) requester.openStream();
    return undefined;
  }

  #sessionOf(admitted: AdmittedRequest): Result<McpSession, RpcRefusal> {
    const { headers } = admitted.request;
    const named = headerOf(headers, SESSION_HEADER);
    if (named === undefined) return fail(NO_SESSION);
    const session = this.sessions.find(named, admitted);
    if (session === undefined) return fail(UNKNOWN_SESSION);
    const version = protocolVersionOf(headers);
    return version === undefined || version === session.rules.version ? ok(session) : fail(wrongVersion(session));
  }
}

function receiveItems(
  { caller, limits }: AdmittedRequest,
  session: McpSession,
  { items }: Batch,
  requester: HttpRequester,
): RpcRefusal | undefined {
  const problem = session.rules.allowsBatches ? batchProblem(items) : 'a message must be an object';
  if (problem !== undefined) return { status: 400, error: invalidRequest(problem) };
  // The POST itself was counted when it came: as one.
  const wait = items.length > 1 ? limits.takeRequests(caller, items.length - 1) : undefined;
  if (wait !== undefined) return tooOften(wait);
  receiveBatch(items, requester, session.receive);
  return undefined;
}

const wrongVersion = ({ rules }: McpSession): RpcRefusal => ({
  status: 400,
  error: invalidRequest(`MCP-Protocol-Version must be ${rules.version}, which this session agreed on`),
});

const NO_SESSION: RpcRefusal = {
  status: 400,
  error: invalidRequest('no session: send initialize first, then its Mcp-Session-Id with every request'),
};

const UNKNOWN_SESSION: RpcRefusal = {
  status: 404,
  error: { code: rpcCode.noSuchSession, message: 'Session not found: send initialize to start a new one' },
};

const STREAM_TAKEN: RpcRefusal = {
  status: 409,
  error: { code: rpcCode.refused, message: 'This session has its stream already: close that one first' },
};

const tooOften = (seconds: number): RpcRefusal => ({
  status: 429,
  error: {
    code: rpcCode.refused,
    message: `Rate limit exceeded: each message of a batch counts; send fewer, or wait ${seconds} s`,
  },
  headers: ['Retry-After', String(seconds)],
});

const TOO_MANY_SESSIONS: RpcRefusal = {
  status: 503,
  error: { code: rpcCode.refused, message: 'Too many sessions are in use: end one with DELETE first' },
};
