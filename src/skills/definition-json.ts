// The JSON form of a typed skill's definition (X1).
import type { FailureCode } from './failure.ts';
import type { RegisteredSkill } from './registered-skill.ts';
import type { JsonSchema } from './schema/json-schema.ts';

/**
 * A typed skill's definition as the API and the command line print it.
 *
 * @example
 * const definitions: readonly DefinitionJson[] = runtime.skills.map(definitionJson);
 * console.log(JSON.stringify(definitions[0]?.input_schema));
 */
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

/**
 * The JSON form of a registered skill: what it takes and gives as JSON Schema, who may invoke it, how it may fail.
 *
 * @example
 * const skill = runtime.find('greet');
 * if (skill) console.log(JSON.stringify(definitionJson(skill)));
 */
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
