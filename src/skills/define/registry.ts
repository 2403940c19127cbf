// The typed skills that can be invoked, by name. A bad definition is a problem in a list; the others are served.
import { fail, ok, type Result } from '../../values/result.ts';
import { isJsonSchema } from '../check/json-schema.ts';
import type { Direction } from '../check/published-schema.ts';
import { createSchemaForm, type SchemaForm } from '../check/schema-form.ts';
import type { AnySkill } from './define-skill.ts';
import {
  type DefinitionProblem,
  type Fault,
  findFaults,
  problemOf,
  type RegistrationRules,
  userFieldFaults,
} from './definition-problems.ts';
import { createRegisteredSkill, type RegisteredSkill } from './registered-skill.ts';

export interface Registry {
  /** In the order of their registration. */
  readonly skills: readonly RegisteredSkill[];
  readonly problems: readonly DefinitionProblem[];
  readonly find: (name: string) => RegisteredSkill | undefined;
}

export function createRegistry(
  definitions: readonly AnySkill[],
  { reserved = new Set(), agents = [] }: Partial<RegistrationRules> = {},
): Registry {
  const byName = new Map<string, RegisteredSkill>();
  const taken = new Set(reserved);
  const problems: DefinitionProblem[] = [];
  for (const definition of definitions) {
    const registered = register(definition, { reserved: taken, agents });
    if (registered.ok) {
      byName.set(definition.name, registered.value);
      taken.add(definition.name);
    } else problems.push(...registered.failure);
  }
  return { skills: [...byName.values()], problems, find: (name) => byName.get(name) };
}

function register(skill: AnySkill, rules: RegistrationRules): Result<RegisteredSkill, readonly DefinitionProblem[]> {
  if (typeof skill !== 'object' || skill === null) {
    return fail([problemOf({}, ['definition', 'is not a skill', 'Export what defineSkill returns.'])]);
  }
  const input = formOf(skill.input, 'input');
  const output = formOf(skill.output, 'output');
  const userField = userFieldFaults(skill, input.form && propertiesOf(input.form));
  const faults = [...findFaults(skill, rules), ...userField, ...input.faults, ...output.faults];
  if (input.form === undefined || output.form === undefined || faults.length > 0) {
    return fail(faults.map((fault) => problemOf(skill, fault)));
  }
  return ok(createRegisteredSkill(skill, input.form, output.form));
}

const propertiesOf = ({ json }: SchemaForm): object => (isJsonSchema(json.properties) ? json.properties : {});

interface FormOrFaults {
  readonly form: SchemaForm | undefined;
  readonly faults: readonly Fault[];
}

const SCHEMA_FIX = 'Give a z.object(…), or a JSON Schema with "type": "object" of the keywords in the documentation.';

function formOf(schema: unknown, direction: Direction): FormOrFaults {
  const form = createSchemaForm(schema, direction);
  if (form.ok) return { form: form.value, faults: [] };
  return { form: undefined, faults: [[`${direction}_schema`, form.failure, SCHEMA_FIX]] };
}
