// What a handler of the API is given and what it answers, and what several of them have in common.
import type { ServerResponse } from 'node:http';
import { BAD_CURSOR } from '../../../operations/list-skills.ts';
import { BadCursor, StoreUnavailable } from '../../../skills/record/invocation-log.ts';
import { fail, ok, type Result } from '../../../values/result.ts';
import type { OwnQueries } from '../contract/routes.ts';
import type { AdmittedRequest } from '../message/admitted-request.ts';
import { invalid, type Reply, refuse } from '../message/reply.ts';

/** One request that fits an operation. */
export interface ApiCall<Query> {
  readonly admitted: AdmittedRequest;
  /** The varying parts of the path, decoded, in their order; `{path}` as a path with `/`. */
  readonly parts: readonly string[];
  readonly query: Query;
}

export type Handler<Query> = (call: ApiCall<Query>) => Reply | Promise<Reply>;

/** One handler for each route that is more than an operation: the compiler reports a missing one. */
export type Handlers = { readonly [Id in keyof OwnQueries]: Handler<OwnQueries[Id]> };

/** What the store's own failures are over the API. */
export async function answerStore(answer: Promise<Reply>): Promise<Reply> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof StoreUnavailable) return AWAY;
    if (error instanceof BadCursor) return invalid(BAD_CURSOR);
    throw error;
  }
}

const AWAY = refuse('PERSISTENCE_ERROR', {});

/** The body as JSON; `undefined` when there is none. */
export function parseBody(text: string): Result<unknown, string> {
  if (text.trim() === '') return ok(undefined);
  try {
    return ok(JSON.parse(text));
  } catch (error) {
    if (error instanceof SyntaxError) return fail('the body is not valid JSON');
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
