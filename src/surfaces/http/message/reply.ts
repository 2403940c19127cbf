// What a handler answers, as a value: something to send, or a failure. Sent in one place, in one write.
import type { FailureCode, FailureParameters } from '../../../skills/define/failure.ts';
import { ROOM_RETRY_SECONDS, SMALL_ANSWER_BYTES } from '../../streams/unread-answers.ts';
import type { AdmittedRequest } from './admitted-request.ts';
import { replyFailure } from './failure-reply.ts';

type Headers = Readonly<Record<string, string | number>>;

export interface Content {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer | string;
  /** Room for it was taken before it was made. */
  readonly hasRoom?: true;
}

/** Parameters of the code's template; the status follows from the code unless one is given (H3). */
export interface RouteRefusal {
  readonly code: FailureCode;
  readonly parameters: FailureParameters[FailureCode];
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Answers in its own time, for as long as it likes. */
interface Stream {
  readonly open: (admitted: AdmittedRequest) => void;
}

export type Reply = Content | RouteRefusal | Stream;

export const JSON_UTF8 = 'application/json; charset=utf-8';

export function json(value: unknown, status = 200): Content {
  const body = JSON.stringify(value);
  return { status, headers: { 'Content-Type': JSON_UTF8, 'Content-Length': Buffer.byteLength(body) }, body };
}

export function refuse<C extends FailureCode>(
  code: C,
  parameters: FailureParameters[C],
  extra: Pick<RouteRefusal, 'status' | 'headers'> = {},
): RouteRefusal {
  return { code, parameters, ...extra };
}

export const notFound = (resource: string, extra: Pick<RouteRefusal, 'headers'> = {}): RouteRefusal =>
  refuse('NOT_FOUND', { resource }, extra);

export const invalid = (details: string): RouteRefusal => refuse('VALIDATION_ERROR', { details });

export function send(admitted: AdmittedRequest, reply: Reply): void {
  if ('code' in reply) {
    replyFailure(admitted, reply.code, reply.parameters, reply);
    return;
  }
  const { response } = admitted;
  // The client has gone meanwhile.
  if (response.destroyed) return;
  if ('open' in reply) return void reply.open(admitted);
  if (!hasRoom(admitted, reply)) return void send(admitted, NO_ROOM);
  response.writeHead(reply.status, reply.headers);
  // Of an answer to HEAD, Node leaves the body out.
  response.end(reply.body);
}

/** Too many answers of this caller, or of all, wait to be taken. */
export const NO_ROOM = refuse('RATE_EXCEEDED', { retry_after: ROOM_RETRY_SECONDS });

/** What was read can be read again; what was done has been done, and its answer is sent. */
function hasRoom(admitted: AdmittedRequest, { headers, body, hasRoom: isTaken }: Content): boolean {
  if (isTaken === true) return true;
  // Bytes: a text has up to three for each unit of its length.
  const bytes = Number(headers['Content-Length'] ?? Buffer.byteLength(body));
  if (bytes <= SMALL_ANSWER_BYTES) return true;
  const { answers } = admitted.limits;
  if (admitted.request.method === 'GET') return answers.hold(admitted, bytes);
  if (admitted.request.method === 'POST' || admitted.request.method === 'PUT') answers.count(admitted, bytes);
  return true;
}
