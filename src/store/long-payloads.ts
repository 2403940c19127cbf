// Payloads that are too long for a list. Beside each stands its size and its beginning, so that a page of the log reads
// neither the megabytes nor the parts of the file that hold them.
import type { InvocationRecord, ResultRecord } from './invocation-record.ts';
import { type Steps, sql, tuples, unread } from './sql.ts';

/** Of JSON, in bytes: whole in a list up to here. */
export const LONGEST_LISTED = 8_192;
const BEGINNING = 200;

export interface LongPayload {
  readonly bytes: number;
  readonly begins: string;
}

export function findLong(json: string | null): LongPayload | undefined {
  // A unit has at most three bytes: most payloads need not be measured.
  if (json === null || json.length * 3 <= LONGEST_LISTED) return undefined;
  const bytes = Buffer.byteLength(json);
  if (bytes <= LONGEST_LISTED) return undefined;
  return { bytes, begins: json.slice(0, BEGINNING).replace(/\p{Surrogate}$/u, '') };
}

/** What stands in a list instead of it, as JSON. */
export const cutText = ({ bytes, begins }: LongPayload): string => JSON.stringify({ cut: true, bytes, begins });

/** Of invocations that have just been inserted. */
export function* insertLongInputs(records: readonly InvocationRecord[]): Steps<void> {
  const values = records.flatMap(({ id, inputPayload }) => {
    const long = findLong(inputPayload);
    return long === undefined ? [] : [[id, long.bytes, long.begins]];
  });
  if (values.length === 0) return;
  yield unread(sql`INSERT INTO skill_long_inputs (invocation_id, bytes, begins) VALUES ${tuples(values)}`);
}

/** With everything else that a list shows of them: SQLite would go through the whole payload to what is stored behind it. */
export function* insertLongResults(results: readonly ResultRecord[]): Steps<void> {
  const values = results.flatMap((result) => {
    const long = findLong(result.outputPayload ?? result.failureDetails);
    if (long === undefined) return [];
    const { invocationId, failureCode, failureMessage, durationMs, createdAt } = result;
    const success = failureCode === null;
    return [[invocationId, success, long.bytes, long.begins, failureCode, failureMessage, durationMs, createdAt]];
  });
  if (values.length === 0) return;
  yield unread(sql`INSERT INTO skill_long_results
    (invocation_id, success, bytes, begins, failure_code, failure_message, duration_ms, created_at)
    VALUES ${tuples(values)}`);
}
