// What is recorded of a run when the log has no room or no time for its payloads: everything else. Its payloads are named as
// missing, with their size; short ones stay.
import type { ResultRecord } from './invocation-record.ts';
import type { Ended, LogEntry } from './invocation-writes.ts';

/** Of JSON. With it, 30,000 that wait take 45 MB at most. */
const SHORT = 512;

export const briefEntry = ({ record, result }: LogEntry): LogEntry => ({
  record: { ...record, inputPayload: briefText(record.inputPayload) },
  result: result && briefResult(result),
});

export const briefEnd = ({ record, result }: Ended): Ended => ({ record, result: briefResult(result) });

const briefResult = (result: ResultRecord): ResultRecord => ({
  ...result,
  outputPayload: result.outputPayload && briefText(result.outputPayload),
  failureDetails: result.failureDetails && briefText(result.failureDetails),
});

const briefText = (json: string): string =>
  json.length <= SHORT
    ? json
    : JSON.stringify({ not_recorded: 'the log had no room for it', bytes: Buffer.byteLength(json) });
