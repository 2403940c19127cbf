// What a handler of the API is given and what it answers, and what several of them have in common.
import type { ServerResponse } from 'node:http';
import type { z } from 'zod';
import { BadCursor, StoreUnavailable } from '../../../skills/record/invocation-log.ts';
import { fail, ok, type Result } from '../../../values/result.ts';
import { type FailureReason, REASON_HEADER } from '../contract/failure.ts';
import type { OPERATIONS, OperationId } from '../contract/operations.ts';
import type { AdmittedRequest } from '../message/admitted-request.ts';
import { invalid, notFound, type Reply, type RouteRefusal, refuse } from '../message/reply.ts';

/** One request that fits an operation. */
export interface ApiCall<Query> {
  readonly admitted: AdmittedRequest;
  /** The varying parts of the path, decoded, in their order; `{path}` as a path with `/`. */
  readonly parts: readonly string[];
  readonly query: Query;
}

export type Handler<Query> = (call: ApiCall<Query>) => Reply | Promise<Reply>;

/** One handler for each operation: the compiler reports a missing one. */
export type Handlers = {
  readonly [Id in OperationId]: Handler<z.output<(typeof OPERATIONS)[Id]['query']>>;
};

type LogHandler<Log, Query> = (log: Log, call: ApiCall<Query>) => Promise<Reply>;

/** `log`: `undefined` with `--no-log`. */
export function withLog<Log, Query>(log: Log | undefined, handle: LogHandler<Log, Query>): Handler<Query> {
  return log === undefined ? () => NO_LOG : withStore((call) => handle(log, call));
}

export function withStore<Query>(handle: (call: ApiCall<Query>) => Promise<Reply>): Handler<Query> {
  return async (call) => {
    try {
      return await handle(call);
    } catch (error) {
      if (error instanceof StoreUnavailable) return AWAY;
      if (error instanceof BadCursor) return BAD_CURSOR;
      throw error;
    }
  };
}

export const BAD_CURSOR = invalid(
  'cursor: is none of ours; send next_cursor of the page before exactly as it came, or leave it out',
);

const REASON: FailureReason = 'nothing_recorded';

const NO_LOG = notFound('nothing is recorded, because the server was started with --no-log', {
  headers: { [REASON_HEADER]: REASON },
});

const AWAY = refuse('PERSISTENCE_ERROR', {});

/** The body as JSON; `undefined` when there is none. */
export function parseBody(text: string): Result<unknown, RouteRefusal> {
  if (text.trim() === '') return ok(undefined);
  try {
    return ok(JSON.parse(text));
  } catch (error) {
    if (error instanceof SyntaxError) return fail(invalid('the body is not valid JSON'));
    throw error;
  }
}

/** Runs `work` with a signal that aborts when the client goes away before it has its answer. */
export async function whileClientWaits<T>(
  response: ServerResponse,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const abort = () => controller.abort();
  if (response.destroyed) abort();
  response.once('close', abort);
  try {
    return await work(controller.signal);
  } finally {
    response.off('close', abort);
  }
}
