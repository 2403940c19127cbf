// What telemetry is told of a request of MCP: how it ended, in which session, under which version of the protocol.
import type { OperationOutcome, RequestTrace } from '../../../values/trace.ts';
import type { EraRules } from './era-rules.ts';
import type { Message } from './json-rpc.ts';
import type { MethodResult, RpcError } from './method.ts';

/** Where a message came from, for telemetry; both are absent on stdio. */
export interface Traced {
  readonly trace?: RequestTrace | undefined;
  readonly sessionId?: string | undefined;
}

/** `undefined`: there was no answer. */
export function outcomeOf(
  result: MethodResult | undefined,
  { version }: Pick<EraRules, 'version'>,
  { sessionId }: Traced,
): OperationOutcome {
  const place = { version, sessionId };
  if (result === undefined) return { ...place, isCancelled: true };
  if (!result.ok) return { ...place, error: result.failure };
  return { ...place, isToolError: 'isError' in result.value && result.value.isError === true };
}

/** A message that was answered, or taken, before any method ran. */
export function noteMessage(
  { trace, sessionId }: Traced,
  message: Message,
  { version, error }: { readonly version?: string | undefined; readonly error?: RpcError | undefined } = {},
): void {
  if (trace === undefined || (message.kind !== 'request' && message.kind !== 'notification')) return;
  trace.begin(message).end({ version, sessionId, error });
}
