// subscriptions/listen (2026-07-28): which changes a client wants to be notified of, until it or we stop.
import { isRecord } from '../../../values/is-record.ts';
import type { JsonObject } from '../../../values/json-object.ts';
import { fail, ok, type Result } from '../../../values/result.ts';
import { declaresTasks, needsTasks } from './client-capabilities.ts';
import { invalidParams, notificationLine, type RequestId, resultLine, rpcCode } from './json-rpc.ts';
import type { MethodTable, RpcError, ServerEvent, TaskAsker } from './method.ts';
import { metaKey } from './modern-era.ts';
import { announcesList, announcesResources, eventMethod, eventParams } from './server-event.ts';

export const MAX_SUBSCRIPTIONS = 1024;

/** The part of a client's filter that we can and do honour. */
export interface ListenFilter {
  readonly toolsListChanged?: true;
  readonly promptsListChanged?: true;
  readonly resourcesListChanged?: true;
  readonly resourceSubscriptions?: readonly string[];
  readonly taskIds?: readonly string[];
}

/** The open subscriptions of one client, by the id of the request that opened each. */
export class Subscriptions {
  readonly #table: MethodTable;
  readonly #open = new Map<RequestId, (event: ServerEvent) => boolean>();

  constructor(table: MethodTable) {
    this.#table = table;
  }

  has(id: RequestId): boolean {
    return this.#open.has(id);
  }

  /** The lines that answer the request: the acknowledgement, and the end at once when nothing can be announced. */
  open(id: RequestId, params: JsonObject, taskIds: readonly string[] = []): Result<readonly string[], RpcError> {
    if (this.#open.size >= MAX_SUBSCRIPTIONS) {
      return fail({ code: rpcCode.internalError, message: 'Subscription limit reached' });
    }
    const parsed = parseListenFilter(params.notifications, this.#table.capabilities);
    if (!parsed.ok) return parsed;
    const filter: ListenFilter = { ...parsed.value, ...(taskIds.length > 0 && { taskIds }) };
    const acknowledged = tagged('notifications/subscriptions/acknowledged', { notifications: filter }, id);
    if (Object.keys(filter).length === 0) return ok([acknowledged, finalLine(this.#table, id)]);
    this.#open.set(id, acceptor(filter));
    return ok([acknowledged]);
  }

  /** After this nothing more is sent for that id, not even a result. */
  cancel(id: RequestId): boolean {
    return this.#open.delete(id);
  }

  /** One tagged notification for each subscription that asked for it. */
  linesFor(event: ServerEvent): readonly string[] {
    const lines: string[] = [];
    for (const [id, accepts] of this.#open) {
      if (accepts(event)) lines.push(tagged(eventMethod(event), eventParams(event), id));
    }
    return lines;
  }

  /** How a task stands, for the subscription that asked for it. */
  taskLine(id: RequestId, task: JsonObject): string | undefined {
    return this.#open.has(id) ? tagged('notifications/tasks', task, id) : undefined;
  }

  /** The server stops: each open subscription gets its result. */
  close(): readonly string[] {
    const lines = [...this.#open.keys()].map((id) => finalLine(this.#table, id));
    this.#open.clear();
    return lines;
  }
}

const flags = { toolsListChanged: 'tools', promptsListChanged: 'prompts', resourcesListChanged: 'resources' } as const;

/** What of the requested filter this server's capabilities can honour. */
export function parseListenFilter(requested: unknown, capabilities: JsonObject): Result<ListenFilter, RpcError> {
  if (!isRecord(requested)) return invalidParams('Invalid params: notifications must be an object');
  const honoured: Record<string, true | readonly string[]> = {};
  for (const [flag, kind] of Object.entries(flags)) {
    const wanted = requested[flag];
    if (wanted !== undefined && typeof wanted !== 'boolean')
      return invalidParams(`Invalid params: ${flag} must be a boolean`);
    if (wanted === true && announcesList(capabilities, kind)) honoured[flag] = true;
  }
  const { resourceSubscriptions: uris = [] } = requested;
  if (!isStrings(uris)) return invalidParams('Invalid params: resourceSubscriptions must be an array of strings');
  if (uris.length > 0 && announcesResources(capabilities)) honoured.resourceSubscriptions = uris;
  // Each key of `honoured` was set above, with the type that ListenFilter gives it.
  return ok(honoured as ListenFilter);
}

/** The tasks that a client wants to listen to; `undefined`: none. */
export function parseTaskIds(params: JsonObject, asker: TaskAsker): Result<readonly string[] | undefined, RpcError> {
  const { taskIds } = isRecord(params.notifications) ? params.notifications : {};
  if (taskIds === undefined) return ok(undefined);
  if (!declaresTasks(asker)) return fail(needsTasks('Listening to tasks'));
  if (!isStrings(taskIds) || taskIds.length > MAX_TASKS)
    return invalidParams(`Invalid params: taskIds must be an array of at most ${MAX_TASKS} strings`);
  return ok(taskIds);
}

/** Each is looked up before the subscription is acknowledged. */
const MAX_TASKS = 100;

function isStrings(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function acceptor(filter: ListenFilter): (event: ServerEvent) => boolean {
  const uris = new Set(filter.resourceSubscriptions);
  return (event) => (event.kind === 'resource' ? uris.has(event.uri) : filter[`${event.kind}ListChanged`] === true);
}

function tagged(method: string, params: JsonObject, id: RequestId): string {
  return notificationLine(method, { ...params, _meta: { [metaKey.subscriptionId]: id } });
}

function finalLine(table: MethodTable, id: RequestId): string {
  const _meta = { [metaKey.subscriptionId]: id, [metaKey.serverInfo]: table.info };
  return resultLine(id, { resultType: 'complete', _meta });
}
