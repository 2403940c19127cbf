// Typed skills as function tools: the function's name is the skill's, its answer the bare output (T11).
import { FAILURE_MODES } from '../../skills/define/failure.ts';
import type { SkillAnswer } from '../../skills/define/invocation.ts';
import type { RegisteredSkill } from '../../skills/define/registered-skill.ts';
import type { Runtime } from '../../skills/run/runtime.ts';
import { fail, ok } from '../../values/result.ts';
import type { FunctionTool } from './function-tool.ts';
import { strictFaults } from './strict-mode.ts';

type Runner = Pick<Runtime, 'skills' | 'invoke'>;

export const typedFunctionTools = (runtime: Runner): readonly FunctionTool[] =>
  runtime.skills.map((skill) => typedFunctionTool(skill, runtime));

function typedFunctionTool({ name, description, access, input }: RegisteredSkill, runtime: Runner): FunctionTool {
  const { json: parameters } = input;
  return {
    definition: {
      type: 'function',
      // A schema with ranges, patterns or optional fields would make a provider refuse the whole request.
      function: { name, description, parameters, strict: strictFaults(parameters).length === 0 },
    },
    access,
    example: 'an object that fits its parameters',
    // The runtime checks the input, and tells of unknown fields with everything else that is wrong (X5).
    fields: undefined,
    call: async (input, { caller, correlationId, signal }) => {
      const answer = await runtime.invoke({ name, input, caller, correlationId, signal });
      return answer.success ? ok(answer.outputPayload) : fail(explain(answer));
    },
  };
}

/** What a model needs to go on: the code, what happened, what to do, and the id under which it is in the log. */
function explain({ failure, correlationId }: Extract<SkillAnswer, { success: false }>): string {
  const { suggestedAction } = FAILURE_MODES[failure.code];
  return `${failure.code}: ${failure.message}. ${suggestedAction} (correlation id ${correlationId})`;
}
