// A query string checked against the contract: every violation at once, each with the name of its parameter.
import { describeFaults } from '../../operations/operation.ts';
import { type Fields, fromWord, readFields, shown } from '../../operations/shape.ts';
import type { Violation } from '../../skills/check/violation.ts';
import type { JsonObject } from '../../values/json-object.ts';
import { fail, ok, type Result } from '../../values/result.ts';
import { ROUTES } from './contract/routes.ts';

/** `url`: the request's target. The failure says everything that is wrong, in one line. */
export type QueryReader = (id: string, url: string) => Result<JsonObject, string>;

/** Most requests have no query: what a route takes then is found out once. */
export function createQueryReader(): QueryReader {
  const usual = new Map([...ROUTES].map(([id, { query }]) => [id, parseQuery(query, '')]));
  return (id, url) =>
    (url.includes('?') ? undefined : usual.get(id)) ?? parseQuery(ROUTES.get(id)?.query ?? NO_FIELDS, url);
}

const NO_FIELDS: Fields = {};

function parseQuery(fields: Fields, url: string): Result<JsonObject, string> {
  const mark = url.indexOf('?');
  const given = mark < 0 ? [] : [...new URLSearchParams(url.slice(mark + 1))];
  const values = given.map(
    ([name, text]) => [name, fromWord(text, Object.hasOwn(fields, name) ? fields[name] : undefined)] as const,
  );
  const read = readFields(fields, Object.fromEntries(values));
  const faults = [...repeatedParameters(given), ...(read.ok ? [] : read.failure)];
  return read.ok && faults.length === 0 ? ok(read.value) : fail(describeFaults(faults));
}

function repeatedParameters(given: readonly (readonly [string, string])[]): readonly Violation[] {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const [name] of given) (seen.has(name) ? repeated : seen).add(name);
  return [...repeated].map((name) => ({ path: shown(name), message: 'is given more than once' }));
}
