// Operations over the API: the input from path, query or body, the answer as JSON with its status (H2, H3).
import type { IncomingHttpHeaders } from 'node:http';
import type { Caller } from '../../../identity/caller.ts';
import { maySeePaths, viewKey } from '../../../operations/access.ts';
import { OPERATIONS, type Ports } from '../../../operations/index.ts';
import { type Answer, type Asking, describeFaults, type Refusal } from '../../../operations/operation.ts';
import { type Fields, readFields } from '../../../operations/shape.ts';
import { perView } from '../../../repertoire/per-view.ts';
import type { Repertoire } from '../../../repertoire/repertoire.ts';
import { isRecord } from '../../../values/is-record.ts';
import type { JsonObject } from '../../../values/json-object.ts';
import { fail, ok, type Result } from '../../../values/result.ts';
import { REASON_HEADER } from '../contract/failure.ts';
import { hasRoute, pathNames, queryName, takesBody, type WithRoute } from '../contract/operation-route.ts';
import { HTTP_STATUS } from '../message/failure-reply.ts';
import { invalid, json, type Reply, type RouteRefusal } from '../message/reply.ts';
import { type ApiCall, answerStore, type Handler, parseBody, whileClientWaits } from './handler.ts';
import { createKeptReplies, type KeepReply } from './kept-replies.ts';

/** What operations work on for those who see the same, and what is kept for them (N4). */
interface Shown {
  readonly ports: (caller: Caller) => Ports;
  readonly keep: KeepReply;
}

/** By the id of their routes. `portsIn`: what a caller who sees this view may ask about. */
export function operationHandlers(
  all: Repertoire,
  portsIn: (view: Repertoire) => (caller: Caller) => Ports,
): ReadonlyMap<string, Handler<JsonObject>> {
  const shownTo = perView(all, (view): Shown => ({ ports: portsIn(view), keep: createKeptReplies(view) }));
  return new Map(OPERATIONS.filter(hasRoute).map((each) => [each.http.id, operationHandler(each, shownTo)]));
}

/** `api.ts` has checked the access and the query. */
function operationHandler(operation: WithRoute<Ports>, shownTo: (caller: Caller) => Shown): Handler<JsonObject> {
  const { http, access } = operation;
  const readInput = takesBody(http) ? bodyReader(operation) : queryReader(operation);
  const reply = (answer: Answer<unknown>, asking: Asking): Reply =>
    answer.ok ? contentOf(operation, answer.value, asking) : refusalReply(answer.failure);
  return (call) => {
    const { admitted } = call;
    const read = readInput(call);
    if (!read.ok) return invalid(read.failure);
    const input = read.value;
    const { caller, request } = admitted;
    const remote = !maySeePaths(admitted);
    // As it came, right or wrong: a wrong one is the runtime's to refuse and to record (X2).
    const correlationId = request.headers['x-correlation-id']?.toString() ?? admitted.correlationId;
    const asking = { caller, remote, correlationId, span: admitted.trace?.span, ...wishesIn(request.headers) };
    const shown = shownTo(caller);
    const run = (signal?: AbortSignal) => operation.run(input, { ...asking, signal }, shown.ports(caller));
    if (operation.isLong)
      return whileClientWaits(admitted.response, (signal) =>
        answerStore((async () => reply(await run(signal), asking))()),
      );
    const answerNow = () => {
      const answer = run();
      return answer instanceof Promise
        ? answerStore(answer.then((later) => reply(later, asking)))
        : reply(answer, asking);
    };
    if (!operation.isKept?.(input)) return answerNow();
    const key = JSON.stringify([http.id, viewKey(access, caller, remote), input]);
    return shown.keep(key, answerNow);
  };
}

/** What a client wishes beside the input (J2, J3). An empty key is one that does not fit, not none. */
const wishesIn = (headers: IncomingHttpHeaders): Pick<Asking, 'prefer' | 'idempotencyKey'> => ({
  prefer: headers.prefer?.toString(),
  idempotencyKey: headers['idempotency-key']?.toString(),
});

type InputReader = (call: ApiCall<JsonObject>) => Result<JsonObject, string>;

/** The fields that the path names, each checked, into `input`. */
function pathReader({ http, input: fields }: WithRoute<Ports>) {
  const named = pathNames(http.path).map((name) => ({ name, shape: fields[name] }));
  return (parts: readonly string[], input: Record<string, unknown>): string | undefined => {
    for (const [at, { name, shape }] of named.entries()) {
      const faults = shape?.faultsIn(parts[at], name) ?? [];
      if (faults.length > 0) return describeFaults(faults);
      input[name] = parts[at];
    }
    return undefined;
  };
}

function queryReader(operation: WithRoute<Ports>): InputReader {
  const { http } = operation;
  const readPath = pathReader(operation);
  const inPath = pathNames(http.path);
  const names = Object.keys(operation.input).filter((name) => !inPath.includes(name));
  const inQuery = names.map((name) => ({ name, given: queryName(http, name) }));
  return ({ parts, query }) => {
    const input: Record<string, unknown> = {};
    for (const { name, given } of inQuery) if (query[given] !== undefined) input[name] = query[given];
    const fault = readPath(parts, input);
    return fault === undefined ? ok(input) : fail(fault);
  };
}

function bodyReader(operation: WithRoute<Ports>): InputReader {
  const { body: field, path } = operation.http;
  const readPath = pathReader(operation);
  const inPath = pathNames(path);
  const inBody = Object.fromEntries(Object.entries(operation.input).filter(([name]) => !inPath.includes(name)));
  return ({ admitted, parts }) => {
    const parsed = parseBody(admitted.body);
    if (!parsed.ok) return parsed;
    const read = field === undefined ? readObject(inBody, parsed.value ?? {}) : ok({ [field]: parsed.value });
    if (!read.ok) return read;
    const input: Record<string, unknown> = { ...read.value };
    const fault = readPath(parts, input);
    return fault === undefined ? ok(input) : fail(fault);
  };
}

function readObject(fields: Fields, given: unknown): Result<JsonObject, string> {
  if (!isRecord(given)) return fail('the body must be a JSON object');
  const read = readFields(fields, given);
  return read.ok ? read : fail(describeFaults(read.failure));
}

function contentOf({ http, project }: WithRoute<Ports>, found: unknown, asking: Asking): Reply {
  const failure = http.failureIn?.(found);
  const given = http.replyOf?.(found, asking);
  const content = json(http.project === undefined ? project(found) : http.project(found), given?.status ?? http.status);
  const headers = { ...content.headers, ...given?.headers };
  if (failure === undefined) return { ...content, headers };
  return {
    ...content,
    status: given?.status ?? HTTP_STATUS[failure.code],
    headers: {
      ...headers,
      ...(failure.code === 'RATE_EXCEEDED' && { 'Retry-After': waitOf(failure.details) }),
    },
  };
}

function waitOf(details: JsonObject | null | undefined): string {
  const seconds = Number(details?.retry_after);
  return String(Number.isFinite(seconds) ? Math.max(1, Math.ceil(seconds)) : 1);
}

const PARAMETER = { VALIDATION_ERROR: 'details', NOT_FOUND: 'resource', UNAUTHORIZED: 'reason' } as const;

export function refusalReply({ code, said, reason, isConflict }: Refusal): RouteRefusal {
  const headers = reason === undefined ? {} : { headers: { [REASON_HEADER]: reason } };
  return { code, parameters: { [PARAMETER[code]]: said }, ...headers, ...(isConflict && { status: 409 }) };
}
