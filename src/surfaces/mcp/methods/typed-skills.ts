// Typed skills as tools: the tool's name is the skill's, its answer the bare output (X9).
import { callerOf } from '../../../identity/caller.ts';
import type { SkillAnnotations } from '../../../skills/define/define-skill.ts';
import { FAILURE_MODES } from '../../../skills/define/failure.ts';
import type { SkillAnswer } from '../../../skills/define/invocation.ts';
import type { RegisteredSkill } from '../../../skills/define/registered-skill.ts';
import type { Runtime } from '../../../skills/run/runtime.ts';
import { toOneLine } from '../../../text/one-line.ts';
import type { JsonObject } from '../../../values/json-object.ts';
import type { RequestContext } from '../wire/method.ts';
import { readerName } from './reader-name.ts';
import { type Tool, type ToolResult, textContent } from './tool.ts';

export interface TypedToolOptions {
  readonly runtime: Runtime;
  /** Who invokes, where the operator said so (`--agent`); else the operator, under the client's name. */
  readonly agent: string | undefined;
}

export const typedSkillTools = (options: TypedToolOptions): readonly Tool[] =>
  options.runtime.skills.map((skill) => typedSkillTool(skill, options));

function typedSkillTool(skill: RegisteredSkill, { runtime, agent }: TypedToolOptions): Tool {
  return {
    name: skill.name,
    title: titleOf(skill.name),
    describe: () => describe(skill),
    inputSchema: skill.input.json,
    outputSchema: skill.output.json,
    annotations: hintsOf(skill.annotations),
    access: skill.access,
    call: async (input, context, meta) => {
      const answer = await runtime.invoke({
        name: skill.name,
        input,
        ...invokerOf(context, agent),
        correlationId: correlationIdIn(meta) ?? context.correlationId,
        signal: context.signal,
        onProgress: ({ done, total, message }) => context.progress(done, total, message),
      });
      return toolResult(answer);
    },
  };
}

/** What a skill does is its author's matter: what the author does not say is not promised. */
function hintsOf({ readOnly = false, destructive, openWorld = true }: SkillAnnotations): JsonObject {
  const destructiveHint = readOnly ? false : destructive;
  return {
    readOnlyHint: readOnly,
    openWorldHint: openWorld,
    ...(destructiveHint !== undefined && { destructiveHint }),
  };
}

/** Over HTTP the authenticated caller; over stdio the agent that the operator named, else the operator as the client's name. */
function invokerOf(context: RequestContext, agent: string | undefined) {
  const { caller } = context;
  if (caller !== undefined) return { caller };
  return { caller: callerOf(agent), agent: agent ?? readerName(context) };
}

/** Hosts cut descriptions at 2,048 characters; a definition's has 500 at most (X1). */
function describe({ description, successCriteria, failureModes }: RegisteredSkill): string {
  const lines = description.trim() === '' ? [] : [description];
  if (successCriteria.length > 0) lines.push(`Success: ${successCriteria.join('; ')}`.slice(0, 600));
  if (failureModes.length > 0) lines.push(`May fail with ${failureModes.join(', ')}.`);
  return lines.join('\n');
}

const titleOf = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ');

/** Ours as it is, right or wrong; else the trace of a W3C `traceparent`, which is an id of the same length. */
function correlationIdIn(meta: JsonObject): string | undefined {
  const own = meta['repertoire/correlation_id'];
  if (own !== undefined) return typeof own === 'string' ? own : 'not a string';
  const { traceparent } = meta;
  const trace = typeof traceparent === 'string' ? TRACEPARENT.exec(traceparent)?.[1] : undefined;
  return trace?.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Version, trace, parent, flags; an id of zeros is none. */
const TRACEPARENT = /^[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}/;

function toolResult(answer: SkillAnswer): ToolResult {
  const _meta = {
    'repertoire/invocation_id': answer.invocationId,
    'repertoire/correlation_id': answer.correlationId,
    'repertoire/duration_ms': answer.durationMs,
  };
  if (answer.success) {
    const structuredContent = answer.outputPayload;
    return { content: [textContent(JSON.stringify(structuredContent))], structuredContent, _meta };
  }
  return { content: [textContent(explain(answer))], isError: true, _meta };
}

/** What an agent needs to go on: the code, what happened, what to do, and the id under which it is in the log. */
function explain({ failure, correlationId }: Extract<SkillAnswer, { success: false }>): string {
  const { severity, suggestedAction } = FAILURE_MODES[failure.code];
  // What a skill put into its failure may come from anywhere, and hosts print it.
  return `${failure.code}: ${toOneLine(failure.message)}\n${suggestedAction} (${severity}; correlation id ${correlationId})`;
}
