// What every route over the log has in common: without a log there is none, and without its database no answer (H6).
import { BadCursor, StoreUnavailable } from '../../../skills/record/invocation-log.ts';
import { type FailureReason, REASON_HEADER } from '../contract/failure.ts';
import type { ApiCall, Handler } from '../contract.ts';
import { notFound, type Reply, refuse } from '../reply.ts';
import { BAD_CURSOR } from './document-list.ts';

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

const REASON: FailureReason = 'nothing_recorded';

const NO_LOG = notFound('nothing is recorded, because the server was started with --no-log', {
  headers: { [REASON_HEADER]: REASON },
});

const AWAY = refuse('PERSISTENCE_ERROR', {});
