// The keywords of JSON Schema that look at an object's fields: which there are, which must be, which may not.
import { isRecord } from '../../values/is-record.ts';
import { findReferenced, isJsonSchema, type JsonSchema } from './json-schema.ts';
import { attempt, type Compiler, descend, type Rule, report } from './rule.ts';
import { compilePattern } from './value-rules.ts';

export function compileObject(schema: JsonSchema, compiler: Compiler): readonly Rule[] {
  const rules: Rule[] = [];
  if (Array.isArray(schema.required)) rules.push(requiredRule(schema.required as readonly string[]));
  if (namesFields(schema)) rules.push(fieldsRule(schema, compiler));
  if (schema.unevaluatedProperties === false) rules.push(sharedFieldsRule(schema, compiler));
  if (isJsonSchema(schema.propertyNames)) rules.push(namesRule(compiler.compile(schema.propertyNames)));
  return rules;
}

const namesFields = (schema: JsonSchema): boolean =>
  schema.properties !== undefined ||
  schema.patternProperties !== undefined ||
  schema.additionalProperties !== undefined;

function requiredRule(required: readonly string[]): Rule {
  return (value, walk) => {
    if (!isRecord(value)) return;
    for (const name of required) {
      if (!Object.hasOwn(value, name) || value[name] === undefined) descend(walk, name, missing, undefined);
    }
  };
}

const missing: Rule = (_, walk) => report(walk, 'is required');

const UNKNOWN = 'is not a known field';
const unknown: Rule = (_, walk) => report(walk, UNKNOWN, true);

function fieldsRule(schema: JsonSchema, compiler: Compiler): Rule {
  const known = new Map(
    Object.entries(schema.properties ?? {}).map(([name, inner]) => [name, compiler.compile(inner)]),
  );
  const patterns = Object.entries(schema.patternProperties ?? {}).map(
    ([pattern, inner]) => [compilePattern(pattern), compiler.compile(inner)] as const,
  );
  const further =
    schema.additionalProperties === false ? unknown : compiler.compile(schema.additionalProperties ?? true);
  return (value, walk) => {
    if (!isRecord(value)) return;
    for (const name of Object.keys(value)) {
      const field = value[name];
      // JSON leaves such a field out.
      if (field === undefined) continue;
      const rule = known.get(name);
      if (rule !== undefined) descend(walk, name, rule, field);
      const matching = patterns.length === 0 ? patterns : patterns.filter(([pattern]) => pattern.test(name));
      for (const [, inner] of matching) descend(walk, name, inner, field);
      if (rule === undefined && matching.length === 0) descend(walk, name, further, field);
    }
  };
}

/** Members of `allOf` share one object: a field is unknown when none of them names it. */
function sharedFieldsRule(schema: JsonSchema, { root }: Compiler): Rule {
  const members = Array.isArray(schema.allOf) ? schema.allOf.filter(isJsonSchema) : [];
  const all = [schema, ...members].map((member) => findReferenced(root, member) ?? member);
  const names = new Set(all.flatMap((member) => Object.keys(member.properties ?? {})));
  return (value, walk) => {
    if (!isRecord(value)) return;
    for (const name of Object.keys(value)) {
      if (value[name] !== undefined && !names.has(name)) descend(walk, name, unknown, undefined);
    }
  };
}

function namesRule(rule: Rule): Rule {
  return (value, walk) => {
    if (!isRecord(value)) return;
    for (const name of Object.keys(value)) {
      if (attempt(rule, name, walk).length > 0) descend(walk, name, badName, undefined);
    }
  };
}

const badName: Rule = (_, walk) => report(walk, 'has a name that is not allowed');
