// The typed skills that can be invoked, by name. A bad definition is a problem in a list; the others are served.
import { fail, ok, type Result } from '../../values/result.ts';
import { isJsonSchema } from '../check/json-schema.ts';
import type { Direction } from '../check/published-schema.ts';
import { createSchemaForm, type SchemaForm } from '../check/schema-form.ts';
import { findUnmarkedSecrets } from '../check/unmarked-secrets.ts';
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

export interface RegistryOptions extends Partial<RegistrationRules> {
  /** Skills that come with the program: one of them is served unless another replaces it (X1). */
  readonly builtin?: readonly AnySkill[];
}

export function createRegistry(
  definitions: readonly AnySkill[],
  { builtin = [], reserved = new Set(), agents = [], replaceable }: RegistryOptions = {},
): Registry {
  const byName = new Map<string, RegisteredSkill>();
  const repeated = findRepeatedNames(definitions);
  const problems = [...repeated].map(([name, times]) => problemOf({ name }, repeatedName(times)));
  const add = (definition: AnySkill, rules: RegistrationRules, isServed: boolean) => {
    const registered = register(definition, rules);
    if (!registered.ok) problems.push(...registered.failure);
    else if (isServed) byName.set(definition.name, registered.value);
  };
  const own = { reserved, agents, replaceable, builtinNames: new Set(builtin.map(({ name }) => name)) };
  for (const definition of definitions) add(definition, own, !repeated.has(nameOf(definition) ?? ''));
  // One that was to be replaced does not come back because the replacement has a fault.
  const replaced = new Set(definitions.filter(isReplacing).map(nameOf));
  for (const definition of builtin) if (!replaced.has(definition.name)) add(definition, { reserved, agents }, true);
  return { skills: [...byName.values()], problems, find: (name) => byName.get(name) };
}

/** Definitions may be anything: what is no skill is refused when it is registered. */
type Unchecked = Partial<AnySkill> | null | undefined;

const nameOf = (definition: Unchecked): string | undefined =>
  typeof definition?.name === 'string' ? definition.name : undefined;

const isReplacing = (definition: Unchecked): boolean => definition?.replaces === true;

/** How often each is given, if more than once: which definition is meant is not clear (X1). */
function findRepeatedNames(definitions: readonly AnySkill[]): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const name of definitions.map(nameOf)) if (name !== undefined) times.set(name, (times.get(name) ?? 0) + 1);
  return new Map([...times].filter(([, count]) => count > 1));
}

const repeatedName = (times: number): Fault => [
  'name',
  `is given to ${times} definitions, and none of them is served`,
  'Rename all but one.',
];

function register(skill: AnySkill, rules: RegistrationRules): Result<RegisteredSkill, readonly DefinitionProblem[]> {
  if (typeof skill !== 'object' || skill === null) {
    return fail([problemOf({}, ['definition', 'is not a skill', 'Export what defineSkill returns.'])]);
  }
  const input = formOf(skill.input, 'input');
  const output = formOf(skill.output, 'output');
  const userField = userFieldFaults(skill, input.form && propertiesOf(input.form));
  const secrets = secretOutputFaults(skill, output.form);
  const faults = [...findFaults(skill, rules), ...userField, ...secrets, ...input.faults, ...output.faults];
  if (input.form === undefined || output.form === undefined || faults.length > 0) {
    return fail(faults.map((fault) => problemOf(skill, fault)));
  }
  return ok(createRegisteredSkill(skill, input.form, output.form));
}

/** What a run answers is read from the log, which keeps no secrets: its caller would get `[redacted]`. */
function secretOutputFaults({ durable, approval }: AnySkill, output: SchemaForm | undefined): readonly Fault[] {
  if (output === undefined || (durable === undefined && approval === undefined)) return [];
  const field = durable === undefined ? 'approval' : 'durable';
  if (output.secrecy.holdsSecret)
    return [[field, 'is given, but the output has secrets, which are not kept', 'Return them in another skill.']];
  const [path] = findUnmarkedSecrets(output.json);
  if (path === undefined) return [];
  const what = `is given, but the output has ${JSON.stringify(path.slice(0, 80))}, which is called like a secret and is not kept`;
  return [[field, what, 'Rename it, or return it in another skill.']];
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
