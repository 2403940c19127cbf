// The JSON form of a result (X3): every key is always there, `null` where it does not apply.
import { FAILURE_MODES, type FailureCode, type Severity } from './failure.ts';
import type { InvocationResult, JsonRecord } from './invocation.ts';

/**
 * A result as the API and the command line print it: every key is always there, `null` where it does not apply.
 *
 * @example
 * const json: ResultJson = resultJson(await runtime.invoke({ name: 'greet', input: { name: 'Ada' } }));
 * console.log(json.failure_code ?? json.output_payload);
 */
export interface ResultJson {
  readonly invocation_id: string;
  readonly success: boolean;
  readonly output_payload: JsonRecord | null;
  readonly failure_code: FailureCode | null;
  readonly failure_message: string | null;
  readonly failure_details: JsonRecord | null;
  readonly severity: Severity | null;
  readonly suggested_action: string | null;
  readonly duration_ms: number;
  readonly timestamp: string;
}

/**
 * The JSON form of a result, with the severity and the suggested action of its failure.
 *
 * @example
 * const answer = await runtime.invoke({ name: 'greet', input: { name: 'Ada' } });
 * const body = JSON.stringify({ ...resultJson(answer), correlation_id: answer.correlationId });
 */
export function resultJson(result: InvocationResult): ResultJson {
  const failure = result.success ? undefined : result.failure;
  const mode = failure === undefined ? undefined : FAILURE_MODES[failure.code];
  return {
    invocation_id: result.invocationId,
    success: result.success,
    output_payload: result.success ? result.outputPayload : null,
    failure_code: failure?.code ?? null,
    failure_message: failure?.message ?? null,
    failure_details: failure?.details ?? null,
    severity: mode?.severity ?? null,
    suggested_action: mode?.suggestedAction ?? null,
    duration_ms: result.durationMs,
    timestamp: result.timestamp.toISOString(),
  };
}
