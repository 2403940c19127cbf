// The correlation id that a person means: the whole one, or its beginning as `log` shows it.
import type { InvocationLog } from '../../skills/record/invocation-log.ts';
import { isUuid } from '../../values/uuid.ts';

const BEGINNING = /^[0-9a-f]{8}[0-9a-f-]{0,28}$/i;

export const isWholeId = isUuid;

/** Whole, or so much of it that it means one. */
export const isCorrelationId = (text: string): boolean => isWholeId(text) || BEGINNING.test(text);

const LONGEST_PAGE = 1_000;

/**
 * The newest id that begins so. Found by reading, newest first, because stores compare whole ids only: what somebody has
 * just seen in the log is among the first. The text itself when there is none.
 */
export async function findCorrelationId(log: Pick<InvocationLog, 'list'>, given: string): Promise<string> {
  if (isWholeId(given)) return given;
  const beginning = given.toLowerCase();
  let cursor: string | undefined;
  do {
    const page = await log.list({ limit: LONGEST_PAGE, ...(cursor !== undefined && { cursor }) });
    const found = page.invocations.find(({ invocation }) => invocation.correlationId.startsWith(beginning));
    if (found !== undefined) return found.invocation.correlationId;
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return given;
}
