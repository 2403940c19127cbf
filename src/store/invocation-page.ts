// Questions about the log that every store treats alike: what cannot be there is not looked for, and pages have an end.
import type { InvocationPage, InvocationQuery, LoggedInvocation } from '../skills/invocation-log.ts';
import { isUuid } from '../values/uuid.ts';
import { createCursor } from './cursor.ts';

export const LONGEST_PAGE = 1_000;

/** Undefined: no invocation can match, and PostgreSQL would refuse the question. */
export function checkedQuery(query: InvocationQuery): InvocationQuery | undefined {
  const { skill = '', agent = '', correlationId } = query;
  if (correlationId !== undefined && !isUuid(correlationId)) return undefined;
  if ([skill, agent].some((text) => text.includes('\0'))) return undefined;
  return { ...query, limit: Math.min(Math.max(1, Math.trunc(query.limit)), LONGEST_PAGE) };
}

/** `found`: one more than the limit if there are more. */
export function pageOf(found: readonly LoggedInvocation[], limit: number): InvocationPage {
  const invocations = found.slice(0, limit);
  const last = invocations.at(-1)?.invocation;
  const isLastPage = found.length <= limit || last === undefined;
  return { invocations, nextCursor: isLastPage ? undefined : createCursor({ at: last.timestamp, id: last.id }) };
}
