// What the rules of the JSON Schema validator have in common: a walk through the value that collects faults.
import type { JsonSchema } from './json-schema.ts';
import { COUNTED, MOST_TOLD, type PathSegment, pathText, type Violation } from './violation.ts';

/** A fault, and whether it is merely a field that the schema does not know. */
export interface Fault extends Violation {
  readonly unknownField: boolean;
}

/** Where we are in the value, and what was found so far. */
export interface Walk {
  readonly path: PathSegment[];
  readonly faults: Fault[];
}

export type Rule = (value: unknown, walk: Walk) => void;

export interface Compiler {
  readonly root: JsonSchema;
  /** Without: only the shape is checked (types, fields), because zod checks lengths, patterns and bounds itself. */
  readonly details: boolean;
  readonly compile: (schema: unknown) => Rule;
}

export function report(walk: Walk, message: string, unknownField = false): void {
  const isTold = walk.faults.length < MOST_TOLD;
  walk.faults.push(
    isTold ? { path: pathText(walk.path), message, unknownField } : unknownField ? COUNTED_UNKNOWN : COUNTED_FAULT,
  );
}

const COUNTED_FAULT: Fault = { ...COUNTED, unknownField: false };
const COUNTED_UNKNOWN: Fault = { ...COUNTED, unknownField: true };

/** Goes one step down and comes back. */
export function descend(walk: Walk, segment: PathSegment, rule: Rule, value: unknown): void {
  walk.path.push(segment);
  rule(value, walk);
  walk.path.pop();
}

/** What the rule finds at this place, without reporting it. */
export function attempt(rule: Rule, value: unknown, { path }: Walk): readonly Fault[] {
  const walk: Walk = { path, faults: [] };
  rule(value, walk);
  return walk.faults;
}
