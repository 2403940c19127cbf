// How a typed skill's runs are limited and survive, in words. Pure.
import { plural } from '../text/format.ts';
import type { Definition } from './shapes.ts';

export function limitsText({ per_minute, at_once }: NonNullable<Definition['limits']>): string {
  const perMinute = per_minute === undefined ? [] : [`${plural(per_minute, 'call')} per minute for each caller`];
  return [...perMinute, ...(at_once === undefined ? [] : [`${at_once} at once`])].join(', ');
}

/** As `repertoire show` says it (J1, J5). */
export function durableText({
  idempotent,
  attempts,
  backoff_seconds,
  resumes,
}: NonNullable<Definition['durable']>): string {
  if (resumes) return 'a run that is not waited for goes on after its last completed step when its process dies';
  const pause = attempts > 1 ? `, the second after about ${plural(backoff_seconds, 'second')}` : '';
  const twice = idempotent ? 'idempotent' : 'not idempotent: never run twice';
  return `runs survive a restart; ${plural(attempts, 'attempt')}${pause}; ${twice}`;
}
