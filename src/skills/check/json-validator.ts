// Checks values against a JSON Schema (the keywords of published-schema.ts), all faults at once. Compiled once per skill.
import { isRecord } from '../../values/is-record.ts';
import { findReferenced, isJsonSchema, type JsonSchema, type PathSegment, pathText } from './json-schema.ts';
import { compilePattern, type ValueRule, valueRulesOf } from './value-rules.ts';
import { COUNTED, countText, MOST_TOLD, type Violation } from './violation.ts';

/** With `details` everything is checked; without, only the shape. */
export function createValidator(root: JsonSchema, details: boolean): (value: unknown) => readonly Fault[] {
  const rule = createCompiler(root, details).compile(root);
  const noPath: Walk = { path: [], faults: [] };
  return (value) => attempt(rule, value, noPath);
}

/** A fault, and whether it is merely a field that the schema does not know. */
export interface Fault extends Violation {
  readonly unknownField: boolean;
}

/** Where we are in the value, and what was found so far. */
interface Walk {
  readonly path: PathSegment[];
  readonly faults: Fault[];
}

type Rule = (value: unknown, walk: Walk) => void;

interface Compiler {
  readonly root: JsonSchema;
  /** Without: only the shape is checked (types, fields), because zod checks lengths, patterns and bounds itself. */
  readonly details: boolean;
  readonly compile: (schema: unknown) => Rule;
}

function report(walk: Walk, message: string, unknownField = false): void {
  const isTold = walk.faults.length < MOST_TOLD;
  walk.faults.push(
    isTold ? { path: pathText(walk.path), message, unknownField } : unknownField ? COUNTED_UNKNOWN : COUNTED_FAULT,
  );
}

const COUNTED_FAULT: Fault = { ...COUNTED, unknownField: false };
const COUNTED_UNKNOWN: Fault = { ...COUNTED, unknownField: true };

/** Goes one step down and comes back. */
function descend(walk: Walk, segment: PathSegment, rule: Rule, value: unknown): void {
  walk.path.push(segment);
  rule(value, walk);
  walk.path.pop();
}

/** What the rule finds at this place, without reporting it. */
function attempt(rule: Rule, value: unknown, { path }: Walk): readonly Fault[] {
  const walk: Walk = { path, faults: [] };
  rule(value, walk);
  return walk.faults;
}

function createCompiler(root: JsonSchema, details: boolean): Compiler {
  // One rule per schema object: recursion by `$ref` ends in the same one.
  const compiled = new Map<JsonSchema, Rule>();
  const compile = (schema: unknown): Rule => {
    if (!isJsonSchema(schema)) return schema === false ? refuse : accept;
    const known = compiled.get(schema);
    if (known !== undefined) return known;
    // Entered before its parts are compiled: they may refer back to it.
    let rule: Rule = accept;
    compiled.set(schema, (value, walk) => rule(value, walk));
    rule = inOrder(rulesOf(schema, compiler));
    compiled.set(schema, rule);
    return rule;
  };
  const compiler: Compiler = { root, details, compile };
  return compiler;
}

const accept: Rule = () => {};
const refuse: Rule = (_, walk) => report(walk, 'is not allowed here');

function rulesOf(schema: JsonSchema, compiler: Compiler): readonly Rule[] {
  return [
    ...compileReference(schema, compiler),
    ...valueRulesOf(schema, compiler.details).map(ruleOf),
    ...compileObject(schema, compiler),
    ...compileArray(schema, compiler),
    ...compileChoices(schema, compiler),
  ];
}

const ruleOf =
  ({ fits, message }: ValueRule): Rule =>
  (value, walk) => {
    if (!fits(value)) report(walk, message);
  };

function inOrder(rules: readonly Rule[]): Rule {
  const [first, second] = rules;
  if (first === undefined) return accept;
  if (second === undefined) return first;
  return (value, walk) => {
    for (const rule of rules) rule(value, walk);
  };
}

function compileReference(schema: JsonSchema, compiler: Compiler): readonly Rule[] {
  if (schema.$ref === undefined) return [];
  const referenced = findReferenced(compiler.root, schema);
  return referenced === undefined ? [] : [compiler.compile(referenced)];
}

function compileObject(schema: JsonSchema, compiler: Compiler): readonly Rule[] {
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

function compileArray(schema: JsonSchema, compiler: Compiler): readonly Rule[] {
  const { items, prefixItems, maxItems } = schema;
  if (items === undefined && prefixItems === undefined && maxItems === undefined) return [];
  const first = Array.isArray(prefixItems) ? prefixItems.map(compiler.compile) : [];
  const rest = compiler.compile(items ?? true);
  const most = typeof maxItems === 'number' ? maxItems : Number.POSITIVE_INFINITY;
  return [
    (value, walk) => {
      if (!Array.isArray(value)) return;
      if (value.length > most) report(walk, `must have at most ${countText(most, 'item')}`);
      // What is too much is not looked at: the caller decides how much that is.
      const looked = Math.min(value.length, most);
      for (let index = 0; index < looked; index++) descend(walk, index, first[index] ?? rest, value[index]);
    },
  ];
}

function compileChoices(schema: JsonSchema, compiler: Compiler): readonly Rule[] {
  const rules: Rule[] = [];
  // Which branch a value means can only be told when everything in it is checked, unless the types tell them apart.
  const whole = compiler.details || differByType(schema.anyOf) ? compiler : createCompiler(compiler.root, true);
  const branchesOf = (list: unknown) => (Array.isArray(list) ? list.map(whole.compile) : []);
  for (const member of Array.isArray(schema.allOf) ? schema.allOf : []) rules.push(compiler.compile(member));
  if (schema.anyOf !== undefined) rules.push(anyOf(branchesOf(schema.anyOf)));
  if (schema.oneOf !== undefined) rules.push(oneOf(branchesOf(schema.oneOf)));
  if (schema.not !== undefined) rules.push(not(whole.compile(schema.not)));
  return rules;
}

/** `string | null` and the like. */
function differByType(branches: unknown): boolean {
  if (!Array.isArray(branches)) return false;
  const types = branches.map((branch) => (isJsonSchema(branch) ? branch.type : undefined));
  return types.every((type) => typeof type === 'string' && type !== 'integer') && new Set(types).size === types.length;
}

function anyOf(branches: readonly Rule[]): Rule {
  return (value, walk) => {
    const attempts: (readonly Fault[])[] = [];
    for (const branch of branches) {
      const faults = attempt(branch, value, walk);
      if (faults.length === 0) return;
      attempts.push(faults);
    }
    for (const fault of nearest(attempts)) walk.faults.push(fault);
  };
}

function oneOf(branches: readonly Rule[]): Rule {
  return (value, walk) => {
    const attempts = branches.map((branch) => attempt(branch, value, walk));
    const fitting = attempts.filter(({ length }) => length === 0).length;
    if (fitting === 0) for (const fault of nearest(attempts)) walk.faults.push(fault);
    if (fitting > 1) report(walk, 'matches more than one of the permitted forms');
  };
}

function not(refused: Rule): Rule {
  return (value, walk) => {
    if (attempt(refused, value, walk).length === 0) report(walk, 'has a form that is not allowed');
  };
}

/** The branch that was probably meant: it fits but for unknown fields, or has the fewest faults. */
function nearest(attempts: readonly (readonly Fault[])[]): readonly Fault[] {
  const misfits = (faults: readonly Fault[]) => faults.filter(({ unknownField }) => !unknownField).length;
  const [best = []] = [...attempts].sort((a, b) => misfits(a) - misfits(b) || a.length - b.length);
  return best;
}
