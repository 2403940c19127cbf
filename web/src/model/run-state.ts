// How a run stands, in one word and the colour of it. Pure.
import { isUuid } from '../../../src/values/uuid.ts';
import type { InvocationWithResult, Me } from './shapes.ts';

type Standing = Pick<InvocationWithResult, 'result' | 'approval' | 'cancelled' | 'attempts'>;

export interface RunState {
  readonly word: string;
  readonly tone: 'good' | 'bad' | 'warn' | 'info' | '';
  /** Why it failed, where the word does not say it. */
  readonly code: string | undefined;
}

export function runState(status: string, run: Standing): RunState {
  const { result, approval, cancelled } = run;
  if (result === null) return { ...unfinishedState(status, run), code: undefined };
  if (result.success) return { word: 'completed', tone: 'good', code: undefined };
  const ended = endWord(approval?.state, cancelled === true);
  if (ended !== undefined) return { word: ended, tone: '', code: undefined };
  return { word: status, tone: 'bad', code: status === 'timeout' ? undefined : result.failure_code };
}

function unfinishedState(status: string, { approval, cancelled, attempts = [] }: Standing) {
  if (cancelled === true) return { word: 'cancelling', tone: 'info' } as const;
  if (approval?.state === 'waiting') return { word: 'waits for approval', tone: 'warn' } as const;
  const last = attempts.at(-1);
  // Between attempts it stays `running`.
  if (status === 'running' && last !== undefined && last.failure_code !== null)
    return { word: 'waits for its next attempt', tone: 'warn' } as const;
  return { word: status, tone: 'info' } as const;
}

function endWord(approval: string | undefined, isCancelled: boolean): string | undefined {
  if (approval === 'rejected' || approval === 'expired') return approval;
  return isCancelled ? 'cancelled' : undefined;
}

/** Who started it. */
export const starterText = (name: string, me: Pick<Me, 'name'>): string =>
  name === me.name ? 'you' : callerText(name);

const UUID_LENGTH = 36;

/** As in the log, where a person has an id, of which the beginning tells two apart; behind it may be the client that called. */
export function callerText(name: string): string {
  const [id, rest] = [name.slice(0, UUID_LENGTH), name.slice(UUID_LENGTH)];
  return isUuid(id) && /^(?: via |$)/.test(rest) ? `user ${id.slice(0, 8)}${rest}` : name;
}

/** Who decided, as the trail names them. */
export function deciderText(actor: string, me: Pick<Me, 'kind' | 'name'>): string {
  if (actor === 'local') return me.kind === 'operator' ? 'you' : 'the operator';
  if (actor === `${me.kind}:${me.name}`) return 'you';
  const [, kind, name = ''] = /^(agent|user):(.+)$/s.exec(actor) ?? [];
  return kind === undefined ? actor : `the ${kind} ${name}`;
}
