// How a typed skill says that it failed in an expected way: a value that it returns, plain enough to leave a worker thread.
import { fail, ok, type Result } from '../values/result.ts';
import { type Failure, type FailureCode, type FailureParameters, failureOf, isFailureCode } from './failure.ts';

/** A key that no output uses by accident; symbols and classes do not survive the way out of a worker. */
const MARK = 'repertoire/failure';

/**
 * What `failure(…)` makes: a value that a skill returns instead of its output.
 *
 * @example
 * const findPrice = (article: string): SkillFailure<'NOT_FOUND'> | { readonly cents: number } =>
 *   article === 'apple' ? { cents: 40 } : failure('NOT_FOUND', { resource: `article ${article}` });
 */
export interface SkillFailure<C extends FailureCode = FailureCode> {
  readonly [MARK]: C;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/**
 * An expected failure, to be returned by a skill that declares the code in `failureModes`.
 *
 * @example
 * const run = ({ article }: { readonly article: string }) =>
 *   article === 'apple' ? { count: 12 } : failure('NOT_FOUND', { resource: `article ${article}` });
 */
export function failure<const C extends FailureCode>(
  code: C,
  ...[parameters]: object extends FailureParameters[C]
    ? [parameters?: Readonly<Record<string, unknown>>]
    : [parameters: FailureParameters[C] & Readonly<Record<string, unknown>>]
): SkillFailure<C> {
  return { [MARK]: code, parameters: parameters ?? {} };
}

/** The failure that a skill returned, or the code that is none; `undefined` when it returned something else. */
export function findSkillFailure(returned: unknown): Result<Failure, string> | undefined {
  if (typeof returned !== 'object' || returned === null || !Object.hasOwn(returned, MARK)) return undefined;
  const { [MARK]: code, parameters } = returned as Partial<SkillFailure>;
  if (!isFailureCode(code)) return fail(typeof code === 'string' ? code : typeof code);
  // Worker threads and untyped code may leave parameters out: the template then says "unspecified".
  return ok(
    failureOf(
      code,
      (typeof parameters === 'object' ? (parameters ?? {}) : {}) as FailureParameters[typeof code] & {
        readonly [name: string]: unknown;
      },
    ),
  );
}
