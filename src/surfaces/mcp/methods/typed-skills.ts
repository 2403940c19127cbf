// Typed skills as tools: the tool's name is the skill's, its answer the bare output (X9).
import type { SkillAnnotations } from '../../../skills/define/define-skill.ts';
import type { RegisteredSkill } from '../../../skills/define/registered-skill.ts';
import type { Runtime } from '../../../skills/run/runtime.ts';
import type { JsonObject } from '../../../values/json-object.ts';
import type { ModernPart } from '../wire/method.ts';
import { callSkill } from './durable-call.ts';
import { correlationIdIn, idempotencyKeyIn, invokerOf } from './invoker.ts';
import { runResultTool } from './run-result.ts';
import { createTasks, type TaskPorts } from './tasks.ts';
import type { Tool } from './tool.ts';

export interface TypedToolOptions {
  readonly runtime: Runtime;
  /** Who invokes, where the operator said so (`--agent`); else the operator, under the client's name. */
  readonly agent: string | undefined;
  /** Where calls may outlive their answer; absent where nothing is recorded. */
  readonly tasks?: TaskPorts | undefined;
}

/** What typed skills add to the table. */
export const typedMethods = (options: TypedToolOptions): TypedMethods => ({
  tools: typedSkillTools(options),
  modern: options.tasks && createTasks({ ...options.tasks, agent: options.agent }),
});

interface TypedMethods {
  readonly tools: readonly Tool[];
  readonly modern: ModernPart | undefined;
}

export function typedSkillTools(options: TypedToolOptions): readonly Tool[] {
  const { runtime, agent, tasks } = options;
  const tools = runtime.skills.map((skill) => typedSkillTool(skill, options));
  const isAnyDurable = runtime.skills.some(({ durable }) => durable !== undefined);
  return tasks !== undefined && isAnyDurable ? [...tools, runResultTool({ ...tasks, runtime, agent })] : tools;
}

function typedSkillTool(skill: RegisteredSkill, { runtime, agent, tasks }: TypedToolOptions): Tool {
  return {
    name: skill.name,
    title: titleOf(skill.name),
    describe: () => describe(skill),
    inputSchema: skill.input.json,
    // What a durable one answers is not always its output (J4).
    ...(skill.durable === undefined && { outputSchema: skill.output.json }),
    annotations: hintsOf(skill.annotations),
    access: skill.access,
    call: (input, context, meta) => {
      const request = {
        name: skill.name,
        input,
        ...invokerOf(context, agent),
        correlationId: correlationIdIn(meta) ?? context.correlationId,
        idempotencyKey: idempotencyKeyIn(meta),
        signal: context.signal,
        span: context.span,
        onProgress: ({ done, total, message }: Parameters<OnProgress>[0]) => context.progress(done, total, message),
      };
      return callSkill({ runtime, tasks }, skill, request, context);
    },
  };
}

type OnProgress = NonNullable<Parameters<Runtime['invoke']>[0]['onProgress']>;

/** What a skill does is its author's matter: what the author does not say is not promised. */
function hintsOf({ readOnly = false, destructive, openWorld = true }: SkillAnnotations): JsonObject {
  const destructiveHint = readOnly ? false : destructive;
  return {
    readOnlyHint: readOnly,
    openWorldHint: openWorld,
    ...(destructiveHint !== undefined && { destructiveHint }),
  };
}

/** Hosts cut descriptions at 2,048 characters; a definition's has 500 at most (X1). */
function describe({ description, successCriteria, failureModes }: RegisteredSkill): string {
  const lines = description.trim() === '' ? [] : [description];
  if (successCriteria.length > 0) lines.push(`Success: ${successCriteria.join('; ')}`.slice(0, 600));
  if (failureModes.length > 0) lines.push(`May fail with ${failureModes.join(', ')}.`);
  return lines.join('\n');
}

const titleOf = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ');
