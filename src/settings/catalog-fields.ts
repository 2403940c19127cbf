// The options of `openCatalog`, with the rule of each. Loaded by that call alone: a start of `mcp` needs none of it. Pure.
import {
  type FieldRule,
  findOptionProblem,
  functionValue,
  listOfTexts,
  refuse,
  textValue,
  truthValue,
} from '../values/field-rules.ts';

export const CATALOG_FIELDS = {
  roots: listOfTexts,
  defaultRoots: truthValue,
  hosts: listOfTexts,
  agents: listOfTexts,
  project: textValue,
  allowLinks: listOfTexts,
  without: listOfTexts,
  watch: truthValue,
  rescanMs: (value) => (Number(value) > 0 ? undefined : 'is no number of milliseconds. Write 30_000.'),
  log: functionValue,
} as const satisfies Record<string, FieldRule>;

/** Throws one sentence. */
export const refuseUnfit = (options: unknown, fields: Readonly<Record<string, FieldRule>>): void =>
  refuse('open the catalog', findOptionProblem('openCatalog', options, fields));
