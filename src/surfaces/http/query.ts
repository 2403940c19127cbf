// A query string checked against the contract: every violation at once, each with the name of its parameter.
import type { z } from 'zod';
import { reportViolations, type Violation } from '../../skills/check/violation.ts';
import { violationsOf } from '../../skills/check/zod-violations.ts';
import { fail, ok, type Result } from '../../values/result.ts';
import { OPERATIONS, type OperationId } from './contract/operations.ts';

/** `url`: the request's target. The failure says everything that is wrong, in one line. */
export type QueryReader = (id: OperationId, url: string) => Result<unknown, string>;

/** Most requests have no query: what an operation takes then is found out once. */
export function createQueryReader(): QueryReader {
  const usual = new Map(Object.entries(OPERATIONS).map(([id, { query }]) => [id, parseQuery(query, '')]));
  return (id, url) => (url.includes('?') ? undefined : usual.get(id)) ?? parseQuery(OPERATIONS[id].query, url);
}

function parseQuery<Schema extends z.ZodObject>(schema: Schema, url: string): Result<z.output<Schema>, string> {
  const mark = url.indexOf('?');
  const given = mark < 0 ? [] : [...new URLSearchParams(url.slice(mark + 1))];
  const fields = new Map(given);
  const parsed = schema.safeParse(Object.fromEntries(fields));
  const violations = [
    ...unknownParameters(fields, Object.keys(schema.shape)),
    ...repeatedParameters(given),
    ...(parsed.success ? [] : violationsOf(parsed.error.issues)),
  ];
  if (parsed.success && violations.length === 0) return ok(parsed.data);
  return fail(reportViolations(violations).details);
}

function unknownParameters(fields: ReadonlyMap<string, string>, known: readonly string[]): readonly Violation[] {
  const takes = known.length === 0 ? 'this route takes none' : `known are ${known.join(', ')}`;
  return [...fields.keys()]
    .filter((name) => !known.includes(name))
    .map((name) => ({ path: shown(name), message: `is not a parameter: ${takes}` }));
}

function repeatedParameters(given: readonly (readonly [string, string])[]): readonly Violation[] {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const [name] of given) (seen.has(name) ? repeated : seen).add(name);
  return [...repeated].map((name) => ({ path: shown(name), message: 'is given more than once' }));
}

/** Names come from the client: one that is not plain is quoted, and cut. */
const shown = (name: string): string => (/^[\w-]{1,64}$/.test(name) ? name : JSON.stringify(plain(name)));

const plain = (name: string): string => name.slice(0, 64).replace(/[\p{Cc}\p{Cf}\p{Surrogate}]/gu, '\uFFFD');
