// What a typed skill answered, as the result of a tool (X9).
import { FAILURE_MODES } from '../../../skills/define/failure.ts';
import type { SkillAnswer } from '../../../skills/define/invocation.ts';
import { toOneLine } from '../../../text/one-line.ts';
import type { JsonObject } from '../../../values/json-object.ts';
import { type ToolResult, textContent } from './tool.ts';

export function skillResult(answer: SkillAnswer): ToolResult {
  const _meta = { ...idsOf(answer.invocationId, answer.correlationId), 'repertoire/duration_ms': answer.durationMs };
  if (answer.success) {
    const structuredContent = answer.outputPayload;
    return { content: [textContent(JSON.stringify(structuredContent))], structuredContent, _meta };
  }
  return { content: [textContent(explain(answer))], isError: true, _meta };
}

export const idsOf = (invocationId: string, correlationId: string): JsonObject => ({
  'repertoire/invocation_id': invocationId,
  'repertoire/correlation_id': correlationId,
});

/** What an agent needs to go on: the code, what happened, what to do, and the id under which it is in the log. */
function explain({ failure, correlationId }: Extract<SkillAnswer, { success: false }>): string {
  const { severity, suggestedAction } = FAILURE_MODES[failure.code];
  // What a skill put into its failure may come from anywhere, and hosts print it.
  return `${failure.code}: ${toOneLine(failure.message)}\n${suggestedAction} (${severity}; correlation id ${correlationId})`;
}
