// 2025-03-26 to 2025-11-25 over HTTP: a handshake opens a session, and every later request names it.
import { andThen } from '../../../async/and-then.ts';
import type { Caller } from '../../../identity/caller.ts';
import type { KeptSession } from '../../../identity/kept-sessions.ts';
import type { AdmittedRequest } from '../../http/message/admitted-request.ts';
import type { EventStreamOptions } from '../../streams/event-stream.ts';
import { ChangeRelay, type ForeignChange } from './change-relay.ts';
import { HttpRequester, NOT_ACCEPTABLE, type RpcRefusal, replyEmpty, TOO_MANY_STREAMS } from './http-answer.ts';
import { type AnswerForm, answerForm, headerOf, protocolVersionOf } from './http-headers.ts';
import { McpSessions, type NoteSession, type SessionLimits } from './http-sessions.ts';
import { invalidRequest, type Message, type Request, rpcCode } from './json-rpc.ts';
import { batchProblem, receiveBatch } from './legacy-era.ts';
import { McpSession } from './mcp-session.ts';
import type { Method, MethodTable, NoteHandshake, OpenTo, RpcError, ServerEvent, WireLog } from './method.ts';
import { progressToken } from './running-requests.ts';
import { SeenChanges } from './seen-changes.ts';
import { LIST_KINDS } from './server-event.ts';
import { type SharedOptions, SharedSessions } from './shared-sessions.ts';

export const SESSION_HEADER = 'mcp-session-id';

export interface LegacyHttpOptions {
  readonly log: WireLog;
  readonly streams: EventStreamOptions;
  readonly limits: SessionLimits;
  readonly onHandshake: NoteHandshake;
  /** What replicas have in common; absent: sessions live in this process. */
  readonly shared: SharedOptions | undefined;
  readonly onSessionEnd: NoteSession;
}

/** Why a request is not served; undefined: it is, now or later. A promise where the session has to be looked for, or others asked. */
export type Served = RpcRefusal | undefined | Promise<RpcRefusal | undefined>;

type Batch = Extract<Message, { readonly kind: 'batch' }>;

export class LegacyHttp {
  readonly sessions: McpSessions;
  readonly #table: MethodTable;
  readonly #options: LegacyHttpOptions;
  readonly #seen = new SeenChanges();
  readonly #relay: ChangeRelay | undefined;

  constructor(table: MethodTable, options: LegacyHttpOptions) {
    const { shared, limits, log } = options;
    this.#table = table;
    this.#options = options;
    this.sessions = new McpSessions({
      limits,
      onEnd: options.onSessionEnd,
      shared: shared && new SharedSessions(shared, log),
      resume: (id, caller, kept) => this.#resume(id, caller, kept),
    });
    this.#relay = shared && new ChangeRelay(shared.bus, (change, openTo) => this.#announceForeign(change, openTo));
  }

  /** POST: answers the message, now or later, unless it gives back why not. */
  receive(admitted: AdmittedRequest, message: Message): Served {
    const form = answerForm(admitted.request.headers);
    if (form === undefined) return NOT_ACCEPTABLE;
    if (message.kind === 'request' && message.method === 'initialize') return this.#open(admitted, message, form);
    return this.#inSession(admitted, (session) => {
      if (message.kind === 'request') return this.#receiveRequest(admitted, session, message, form);
      const requester = new HttpRequester(admitted, 'json', this.#options.streams, session.id);
      if (message.kind === 'batch') return receiveItems(admitted, session, message, requester);
      session.receive(message, requester);
      replyEmpty(admitted.response, 202);
      return undefined;
    });
  }

  /** GET: the stream on which the session is notified of changes. */
  listen(admitted: AdmittedRequest): Served {
    const form = answerForm(admitted.request.headers);
    if (form === undefined || form === 'json') return NOT_ACCEPTABLE;
    return this.#inSession(admitted, (session) => {
      // It may have gone while its session was looked for.
      if (admitted.response.destroyed) return undefined;
      if (session.listens) return STREAM_TAKEN;
      if (!admitted.limits.openStream(admitted, () => session.endStream())) return TOO_MANY_STREAMS;
      session.openStream(admitted.response);
      return undefined;
    });
  }

  /** DELETE: the client needs its session no more. */
  end(admitted: AdmittedRequest): Served {
    return this.#inSession(admitted, (session) => {
      const reply = () => {
        replyEmpty(admitted.response, 204);
        return undefined;
      };
      const ending = this.sessions.end(session);
      return ending === undefined ? reply() : ending.then(reply);
    });
  }

  announce(event: ServerEvent): void {
    this.#seen.note(event);
    this.#relay?.note(event, this.#table.openTo?.(event) ?? 'all');
    for (const session of this.sessions) session.announce(event);
  }

  idle(): Promise<unknown> {
    return Promise.all([...this.sessions].map((session) => session.requests.idle()));
  }

  abort(): void {
    for (const session of this.sessions) session.requests.abort();
  }

  close(error: RpcError): void {
    this.#relay?.close();
    this.sessions.close(error);
  }

  #open(admitted: AdmittedRequest, request: Request, form: AnswerForm): Served {
    const greet = (hasRoom: boolean) => {
      if (!hasRoom) return TOO_MANY_SESSIONS;
      this.#greet(admitted, request, form);
      return undefined;
    };
    const room = this.sessions.makeRoom(admitted.caller);
    return typeof room === 'boolean' ? greet(room) : room.then(greet);
  }

  #greet(admitted: AdmittedRequest, request: Request, form: AnswerForm): void {
    const session = new McpSession(this.#table, this.#sessionOptions(admitted.caller));
    const { rules } = session;
    const greet = rules.find('initialize');
    const client = rules.identify(request);
    if (greet === undefined || !client.ok) throw new Error('The legacy era has no initialize');
    // The handshake is decided before anything is awaited: only one that succeeds makes a session. Where replicas share
    // them, it is answered when all of them can find the session.
    const method: Method = (params, context) => {
      const reply = greet(params, context);
      const keeping = rules.version === undefined ? undefined : this.#admit(admitted, session, request);
      return keeping === undefined ? reply : keeping.then(() => reply);
    };
    const requester = new HttpRequester(admitted, form, this.#options.streams, session.id);
    session.requests.run({ request, rules, method, client: client.value }, requester);
  }

  #admit(admitted: AdmittedRequest, session: McpSession, request: Request): Promise<void> | undefined {
    const keeping = this.sessions.add(session, admitted);
    const client = session.rules.identify(request);
    if (client.ok) this.#options.onHandshake(admitted.caller, client.value);
    admitted.response.setHeader('Mcp-Session-Id', session.id);
    return keeping;
  }

  #sessionOptions(caller: Caller) {
    const { log, streams } = this.#options;
    return { caller, log, streams, elsewhere: this.sessions.elsewhere };
  }

  /** What changed since it was opened, its client may not have been told: one time too many does no harm (N2). */
  #resume(id: string, caller: Caller, kept: KeptSession): McpSession {
    const session = new McpSession(this.#table, { ...this.#sessionOptions(caller), earlier: { ...kept, id } });
    // A caller who does not see all is told in any case: then it says nothing of what is hidden (N4).
    const changed = this.#table.viewName?.(caller) === undefined ? this.#seen.within(kept.ageMs) : LIST_KINDS;
    for (const kind of changed) session.announce({ kind });
    if (changed.includes('resources')) for (const uri of kept.resources) session.announce({ kind: 'resource', uri });
    return session;
  }

  #announceForeign(change: ForeignChange, openTo: OpenTo): void {
    for (const session of this.sessions) {
      if (change.kind !== 'everything') session.announce(change, openTo);
      else for (const event of everyChangeFor(session)) session.announce(event, openTo);
    }
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
    const requester = new HttpRequester(admitted, form, this.#options.streams, session.id);
    session.receive(request, requester);
    // In this era a broken connection cancels nothing: the client says so when it means it.
    if (!requester.answered && progressToken(request.params) !== undefined) requester.openStream();
    return undefined;
  }

  #inSession(admitted: AdmittedRequest, serve: (session: McpSession) => Served): Served {
    const { headers } = admitted.request;
    const named = headerOf(headers, SESSION_HEADER);
    if (named === undefined) return NO_SESSION;
    const serveIn = (session: McpSession | 'full' | undefined): Served => {
      if (session === undefined) return UNKNOWN_SESSION;
      if (session === 'full') return TOO_MANY_SESSIONS;
      const version = protocolVersionOf(headers);
      return version === undefined || version === session.rules.version ? serve(session) : wrongVersion(session);
    };
    const session = this.sessions.find(named, admitted);
    if (session !== undefined) return serveIn(session);
    const adopting = this.sessions.adopt(named, admitted);
    return adopting === undefined ? UNKNOWN_SESSION : adopting.then(serveIn);
  }
}

function everyChangeFor({ rules }: McpSession): readonly ServerEvent[] {
  const resources = [...rules.resources].map((uri) => ({ kind: 'resource' as const, uri }));
  return [{ kind: 'tools' }, { kind: 'prompts' }, { kind: 'resources' }, ...resources];
}

function receiveItems(
  { caller, limits }: AdmittedRequest,
  session: McpSession,
  { items }: Batch,
  requester: HttpRequester,
): Served {
  const problem = session.rules.allowsBatches ? batchProblem(items) : 'a message must be an object';
  if (problem !== undefined) return { status: 400, error: invalidRequest(problem) };
  // The POST itself was counted when it came: as one.
  return andThen(items.length > 1 ? limits.takeRequests(caller, items.length - 1) : undefined, (wait) => {
    if (wait !== undefined) return tooOften(wait);
    receiveBatch(items, requester, session.receive);
    return undefined;
  });
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
