// zod's findings as violations with our paths, in our words. They hold no values of the input.

import type { core } from 'zod';
import { pathText } from './json-schema.ts';
import { COUNTED, choiceText, countText, MOST_TOLD, type Violation } from './violation.ts';

type Issue = core.$ZodIssue;

/** The first hundred; the others are counted. */
export function violationsOf(issues: readonly Issue[]): readonly Violation[] {
  const told = issues.slice(0, MOST_TOLD).flatMap((issue) => expand(issue, []));
  return [...told, ...issues.slice(MOST_TOLD).map(() => COUNTED)];
}

const MAX_MESSAGE = 300;

function expand(issue: Issue, above: readonly PropertyKey[]): readonly Violation[] {
  const path = [...above, ...issue.path];
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: pathText([...path, key]), message: 'is not a known field' }));
  }
  if (issue.code === 'invalid_union') {
    const branch = nearestBranch(issue.errors);
    if (branch !== undefined) return branch.flatMap((inner) => expand(inner, path));
  }
  return [{ path: pathText(path), message: cutMessage(issue.message) }];
}

/** zod tells of a union only that nothing fits: the branch with the fewest faults was probably meant. */
function nearestBranch(branches: readonly (readonly Issue[])[]): readonly Issue[] | undefined {
  const [nearest] = [...branches].sort((a, b) => a.length - b.length);
  return nearest === undefined || nearest.length === 0 ? undefined : nearest;
}

const cutMessage = (message: string): string =>
  message.length <= MAX_MESSAGE ? message : `${message.slice(0, MAX_MESSAGE - 1)}…`;

/** Hand it to zod's `parse`: an author's own messages come before it. */
export const OUR_WORDS: { readonly error: core.$ZodErrorMap } = {
  // The table has the words for the very code.
  error: (issue) => (WORDS[issue.code] as (issue: RawIssue) => string)(issue),
};

type RawIssue<I extends Issue = Issue> = core.$ZodRawIssue<I>;
type Words = { readonly [C in Issue['code']]: (issue: RawIssue<Extract<Issue, { code: C }>>) => string };

const WORDS: Words = {
  invalid_type: ({ expected, input }) =>
    input === undefined ? 'is required' : `must be ${TYPE_NAMES[expected] ?? `of the type ${expected}`}`,
  too_big: ({ origin, maximum, inclusive, exact }) =>
    limitText(origin, maximum, exact ? 'exactly' : inclusive === false ? 'less than' : 'at most'),
  too_small: ({ origin, minimum, inclusive, exact }) =>
    limitText(origin, minimum, exact ? 'exactly' : inclusive === false ? 'more than' : 'at least'),
  invalid_format: (issue) => FORMAT_WORDS[issue.format]?.(issue) ?? `must be a valid ${formatName(issue.format)}`,
  not_multiple_of: ({ divisor }) => `must be a multiple of ${divisor}`,
  unrecognized_keys: () => 'has fields that are not known',
  invalid_union: ({ options, inclusive }) => {
    if (inclusive === false) return 'matches more than one of the permitted forms';
    return Array.isArray(options) ? `must be ${choiceText(options)}` : 'has none of the permitted forms';
  },
  invalid_key: () => 'has a name that is not allowed',
  invalid_element: () => 'has an item that is not allowed',
  invalid_value: ({ values }) => `must be ${choiceText(values)}`,
  custom: () => 'is not valid',
};

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  null: 'null',
  array: 'a list',
  tuple: 'a list',
  set: 'a list',
  object: 'an object',
  record: 'an object',
  never: 'left out',
  undefined: 'left out',
};

const COUNTED_THINGS: Readonly<Record<string, string>> = {
  string: 'character',
  array: 'item',
  tuple: 'item',
  set: 'item',
  object: 'field',
  record: 'field',
};

function limitText(origin: string, limit: number | bigint, how: string): string {
  const thing = COUNTED_THINGS[origin];
  return thing === undefined ? `must be ${how} ${limit}` : `must have ${how} ${countText(limit, thing)}`;
}

const FORMAT_WORDS: Readonly<Record<string, ((issue: RawIssue) => string) | undefined>> = {
  regex: ({ pattern }) => `must match the pattern ${String(pattern).slice(0, 100)}`,
  starts_with: ({ prefix }) => `must start with ${JSON.stringify(prefix)}`,
  ends_with: ({ suffix }) => `must end with ${JSON.stringify(suffix)}`,
  includes: ({ includes }) => `must contain ${JSON.stringify(includes)}`,
};

/** As JSON Schema calls it. */
const formatName = (format: string): string => ({ datetime: 'date-time', guid: 'uuid' })[format] ?? format;
