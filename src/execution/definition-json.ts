// The JSON form of a typed skill's definition (X1).
import type { FailureCode } from './failure.ts';
import type { RegisteredSkill } from './registered-skill.ts';
import type { JsonSchema } from './schema/json-schema.ts';

export interface DefinitionJson {
  readonly name: string;
  readonly description: string;
  readonly category: string;
  readonly assigned_to: readonly string[];
  readonly input_schema: JsonSchema;
  readonly output_schema: JsonSchema;
  readonly success_criteria: readonly string[];
  readonly failure_modes: readonly FailureCode[];
  readonly timeout_seconds: number;
}

export function definitionJson(skill: RegisteredSkill): DefinitionJson {
  return {
    name: skill.name,
    description: skill.description,
    category: skill.category,
    assigned_to: skill.access.assignedTo,
    input_schema: skill.input.json,
    output_schema: skill.output.json,
    success_criteria: skill.successCriteria,
    failure_modes: skill.failureModes,
    timeout_seconds: skill.timeoutSeconds,
  };
}
