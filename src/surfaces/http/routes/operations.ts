// Operations over the API: the input from path, query or body, the answer as JSON with its status (H2, H3).
import { maySeePaths } from '../../../operations/access.ts';
import { OPERATIONS, type Ports } from '../../../operations/index.ts';
import { type Answer, describeFaults, type HttpFace, type Refusal } from '../../../operations/operation.ts';
import { type Fields, record } from '../../../operations/shape.ts';
import type { JsonObject } from '../../../values/json-object.ts';
import { fail, ok, type Result } from '../../../values/result.ts';
import { REASON_HEADER } from '../contract/failure.ts';
import { addressName, hasRoute, pathNames, type WithRoute } from '../contract/operation-route.ts';
import { HTTP_STATUS } from '../message/failure-reply.ts';
import { invalid, json, type Reply, type RouteRefusal } from '../message/reply.ts';
import { answerStore, type Handler, parseBody, whileClientWaits } from './handler.ts';
import { createKeptReplies, type KeepReply } from './kept-replies.ts';

/** By the id of their routes. */
export function operationHandlers(ports: Ports): ReadonlyMap<string, Handler<JsonObject>> {
  const keep = createKeptReplies(ports.repertoire);
  return new Map(OPERATIONS.filter(hasRoute).map((each) => [each.http.id, operationHandler(each, ports, keep)]));
}

/** Whoever calls it has seen to the access, and to the query. */
function operationHandler(operation: WithRoute<Ports>, ports: Ports, keep: KeepReply): Handler<JsonObject> {
  const { http } = operation;
  const inPath = pathNames(http.path);
  const others = Object.entries(operation.input).filter(([name]) => !inPath.includes(name));
  const reply = (answer: Answer<unknown>): Reply =>
    answer.ok ? contentOf(operation, answer.value) : refusalReply(answer.failure);
  return ({ admitted, parts, query }) => {
    const rest = http.method === 'POST' ? readBody(http, others, admitted.body) : ok(fromQuery(http, others, query));
    if (!rest.ok) return rest.failure;
    const input: JsonObject = { ...Object.fromEntries(inPath.map((name, at) => [name, parts[at]])), ...rest.value };
    const { caller, remote, request } = admitted;
    // As it came, right or wrong: a wrong one is the runtime's to refuse and to record (X2).
    const correlationId = request.headers['x-correlation-id']?.toString() ?? admitted.correlationId;
    const asking = { caller, remote, correlationId };
    if (operation.isLong) {
      return whileClientWaits(admitted.response, async (signal) =>
        reply(await operation.run(input, { ...asking, signal }, ports)),
      );
    }
    const answer = operation.run(input, asking, ports);
    if (answer instanceof Promise) return answerStore(answer.then(reply));
    if (!operation.isKept?.(input)) return reply(answer);
    return keep(JSON.stringify([http.id, maySeePaths(admitted), input]), () => reply(answer));
  };
}

type Entries = readonly (readonly [string, Fields[string]])[];

/** Under the names that they have in the address. */
const fromQuery = (http: HttpFace<unknown>, fields: Entries, query: JsonObject): JsonObject =>
  Object.fromEntries(fields.map(([name]) => [name, query[addressName(http, name)]]));

function readBody({ body: field }: HttpFace<unknown>, fields: Entries, body: string): Result<JsonObject, RouteRefusal> {
  const parsed = parseBody(body);
  if (!parsed.ok) return parsed;
  if (field !== undefined) return ok({ [field]: parsed.value });
  const given = parsed.value ?? {};
  const faults = record(Object.fromEntries(fields)).faultsIn(given, '');
  // It is an object of just these fields.
  return faults.length === 0 ? ok(given as JsonObject) : fail(invalid(describeFaults(faults)));
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
