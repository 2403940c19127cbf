// Operations over the API: the input from path, query or body, the answer as JSON with its status (H2, H3).
import { maySeePaths, viewKey } from '../../../operations/access.ts';
import { OPERATIONS, type Ports } from '../../../operations/index.ts';
import { type Answer, describeFaults, type Refusal } from '../../../operations/operation.ts';
import { type Fields, readFields } from '../../../operations/shape.ts';
import { isRecord } from '../../../values/is-record.ts';
import type { JsonObject } from '../../../values/json-object.ts';
import { fail, ok, type Result } from '../../../values/result.ts';
import { REASON_HEADER } from '../contract/failure.ts';
import { hasRoute, pathNames, queryName, type WithRoute } from '../contract/operation-route.ts';
import { HTTP_STATUS } from '../message/failure-reply.ts';
import { invalid, json, type Reply, type RouteRefusal } from '../message/reply.ts';
import { type ApiCall, answerStore, type Handler, parseBody, whileClientWaits } from './handler.ts';
import { createKeptReplies, type KeepReply } from './kept-replies.ts';

/** By the id of their routes. */
export function operationHandlers(ports: Ports): ReadonlyMap<string, Handler<JsonObject>> {
  const keep = createKeptReplies(ports.repertoire);
  return new Map(OPERATIONS.filter(hasRoute).map((each) => [each.http.id, operationHandler(each, ports, keep)]));
}

/** `api.ts` has checked the access and the query. */
function operationHandler(operation: WithRoute<Ports>, ports: Ports, keep: KeepReply): Handler<JsonObject> {
  const { http, access } = operation;
  const readInput = http.method === 'POST' ? bodyReader(operation) : queryReader(operation);
  const reply = (answer: Answer<unknown>): Reply =>
    answer.ok ? contentOf(operation, answer.value) : refusalReply(answer.failure);
  return (call) => {
    const { admitted } = call;
    const read = readInput(call);
    if (!read.ok) return invalid(read.failure);
    const input = read.value;
    const { caller, request } = admitted;
    const remote = !maySeePaths(admitted);
    // As it came, right or wrong: a wrong one is the runtime's to refuse and to record (X2).
    const correlationId = request.headers['x-correlation-id']?.toString() ?? admitted.correlationId;
    const run = (signal?: AbortSignal) => operation.run(input, { caller, remote, correlationId, signal }, ports);
    if (operation.isLong) return whileClientWaits(admitted.response, async (signal) => reply(await run(signal)));
    const answerNow = () => {
      const answer = run();
      return answer instanceof Promise ? answerStore(answer.then(reply)) : reply(answer);
    };
    if (!operation.isKept?.(input)) return answerNow();
    const key = JSON.stringify([http.id, viewKey(access, caller, remote), input]);
    return keep(key, answerNow);
  };
}

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

function contentOf({ http, project }: WithRoute<Ports>, found: unknown): Reply {
  const failure = http.failureIn?.(found);
  const content = json(http.project === undefined ? project(found) : http.project(found), http.status);
  if (failure === undefined) return content;
  return {
    ...content,
    status: HTTP_STATUS[failure.code],
    headers: {
      ...content.headers,
      ...(failure.code === 'RATE_EXCEEDED' && { 'Retry-After': waitOf(failure.details) }),
    },
  };
}

function waitOf(details: JsonObject | null | undefined): string {
  const seconds = Number(details?.retry_after);
  return String(Number.isFinite(seconds) ? Math.max(1, Math.ceil(seconds)) : 1);
}

const PARAMETER = { VALIDATION_ERROR: 'details', NOT_FOUND: 'resource', UNAUTHORIZED: 'reason' } as const;

export function refusalReply({ code, said, reason }: Refusal): RouteRefusal {
  const headers = reason === undefined ? {} : { headers: { [REASON_HEADER]: reason } };
  return { code, parameters: { [PARAMETER[code]]: said }, ...headers };
}
