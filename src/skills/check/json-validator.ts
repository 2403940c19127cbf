// Checks values against a JSON Schema (the keywords of schema-problems.ts), all faults at once. Compiled once per skill.

import { countText } from './count-text.ts';
import { findReferenced, isJsonSchema, type JsonSchema } from './json-schema.ts';
import { compileObject } from './object-rules.ts';
import { attempt, type Compiler, descend, type Fault, type Rule, report, type Walk } from './rule.ts';
import { compileValueRules } from './value-rules.ts';

/** With `details` everything is checked; without, only the shape. */
export function createValidator(root: JsonSchema, details: boolean): (value: unknown) => readonly Fault[] {
  const rule = createCompiler(root, details).compile(root);
  const noPath: Walk = { path: [], faults: [] };
  return (value) => attempt(rule, value, noPath);
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
    ...compileValueRules(schema, compiler),
    ...compileObject(schema, compiler),
    ...compileArray(schema, compiler),
    ...compileChoices(schema, compiler),
  ];
}

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
      // What is too much is not looked at: whoever calls decides how much that is.
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
