// The failure table (X4): every failure that leaves the product is one of these. A typed skill returns one as a value that
// is plain enough to leave the process of a worker.
import { fail, ok, type Result } from '../../values/result.ts';

/**
 * Whether calling again can help.
 *
 * @example
 * const severity: FailureSeverity = FAILURE_MODES.TIMEOUT.severity;
 */
export type FailureSeverity = 'recoverable' | 'fatal';

/**
 * What is fixed about a failure code: the pattern of its message, how bad it is, what to do.
 *
 * @example
 * const mode: FailureMode = FAILURE_MODES.NOT_FOUND;
 * console.log(mode.template, mode.suggestedAction);
 */
export interface FailureMode {
  /** At most 200 characters; `{…}` are parameters. */
  readonly template: string;
  readonly severity: FailureSeverity;
  /** At most 200 characters. */
  readonly suggestedAction: string;
}

/**
 * The failure table: every failure that leaves a runtime is one of these eight.
 *
 * @example
 * const answer = await runtime.invoke({ name: 'greet', input: {} });
 * if (!answer.success) console.log(FAILURE_MODES[answer.failure.code].suggestedAction);
 */
export const FAILURE_MODES = {
  VALIDATION_ERROR: {
    template: 'Input validation failed: {details}',
    severity: 'recoverable',
    suggestedAction: 'Fix input and retry',
  },
  NOT_FOUND: {
    template: 'Resource not found: {resource}',
    severity: 'recoverable',
    suggestedAction: 'Verify resource exists before operation',
  },
  UNAUTHORIZED: {
    template: 'Access denied: {reason}',
    severity: 'fatal',
    suggestedAction: 'Check permissions or re-authenticate',
  },
  RATE_EXCEEDED: {
    template: 'Rate limit exceeded. Retry after {retry_after}s',
    severity: 'recoverable',
    suggestedAction: 'Wait and retry with backoff',
  },
  TIMEOUT: {
    template: 'Operation timed out after {timeout}s',
    severity: 'recoverable',
    suggestedAction: 'Retry or increase timeout',
  },
  PERSISTENCE_ERROR: {
    template: 'Database operation failed',
    severity: 'recoverable',
    suggestedAction: 'Retry operation',
  },
  EXTERNAL_SERVICE_ERROR: {
    template: 'External service unavailable',
    severity: 'recoverable',
    suggestedAction: 'Service degradation active; retry later',
  },
  INTERNAL_ERROR: {
    template: 'An unexpected error occurred',
    severity: 'fatal',
    suggestedAction: 'Contact support with correlation ID',
  },
} as const satisfies Record<string, FailureMode>;

/**
 * The code of a failure. A table over all of them is checked by the compiler.
 *
 * @example
 * const isWorthRetrying: Partial<Record<FailureCode, boolean>> = { TIMEOUT: true, RATE_EXCEEDED: true };
 */
export type FailureCode = keyof typeof FAILURE_MODES;

/**
 * Why an invocation failed: a code to act on, a sentence to show.
 *
 * @example
 * const answer = await runtime.invoke({ name: 'greet', input: { name: '' } });
 * if (!answer.success) console.log(answer.failure.code, answer.failure.message, answer.failure.details);
 */
export interface Failure {
  readonly code: FailureCode;
  readonly message: string;
  /** Sanitised: no stack, no SQL, no path, no secret. */
  readonly details: Readonly<Record<string, unknown>> | undefined;
}

export const FAILURE_CODES = Object.keys(FAILURE_MODES) as readonly FailureCode[];

export const isFailureCode = (code: unknown): code is FailureCode =>
  typeof code === 'string' && Object.hasOwn(FAILURE_MODES, code);

/** What any skill may say without declaring it in `failure_modes` (X4). */
export const UNDECLARED_CODES = [
  'VALIDATION_ERROR',
  'UNAUTHORIZED',
  'RATE_EXCEEDED',
  'TIMEOUT',
  'INTERNAL_ERROR',
] as const satisfies readonly FailureCode[];

/**
 * The codes that any skill may return without declaring them in `failureModes`.
 *
 * @example
 * const code: UndeclaredCode = 'VALIDATION_ERROR';
 */
export type UndeclaredCode = (typeof UNDECLARED_CODES)[number];

/**
 * What the templates ask for, by code. Further entries become details.
 *
 * @example
 * const missing: FailureParameters['NOT_FOUND'] = { resource: 'article apple' };
 */
export interface FailureParameters {
  readonly VALIDATION_ERROR: { readonly details: string };
  readonly NOT_FOUND: { readonly resource: string };
  readonly UNAUTHORIZED: { readonly reason: string };
  /** Whole seconds, at least 1. */
  readonly RATE_EXCEEDED: { readonly retry_after: number };
  readonly TIMEOUT: { readonly timeout: number };
  readonly PERSISTENCE_ERROR: object;
  readonly EXTERNAL_SERVICE_ERROR: object;
  readonly INTERNAL_ERROR: object;
}

/** A template never fills more than this: an answer stays readable whatever a skill puts into it. */
const MAX_MESSAGE = 2_000;

/** The failure with its template filled in. Parameters are kept as details, but for the text that is the message itself. */
export function failureOf<C extends FailureCode>(
  code: C,
  parameters: FailureParameters[C] & Readonly<Record<string, unknown>>,
): Failure {
  const details = code === 'VALIDATION_ERROR' ? withoutText(parameters) : parameters;
  return {
    code,
    message: fillTemplate(FAILURE_MODES[code].template, parameters),
    details: Object.keys(details).length === 0 ? undefined : details,
  };
}

/** Of untyped code the `details` may be anything: what is no text is not in the message. */
function withoutText({ details, ...others }: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return details === undefined || typeof details === 'string' ? others : { details, ...others };
}

function fillTemplate(template: string, parameters: Readonly<Record<string, unknown>>): string {
  const filled = template.replace(/\{(\w+)\}/g, (_, name: string) => readable(parameters[name]));
  return filled.length <= MAX_MESSAGE ? filled : `${filled.slice(0, MAX_MESSAGE - 1)}…`;
}

function readable(parameter: unknown): string {
  if (typeof parameter === 'string' && parameter.trim() !== '') return parameter;
  return typeof parameter === 'number' ? String(parameter) : 'unspecified';
}

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
  // Workers and untyped code may leave parameters out: the template then says "unspecified".
  return ok(
    failureOf(
      code,
      (typeof parameters === 'object' ? (parameters ?? {}) : {}) as FailureParameters[typeof code] & {
        readonly [name: string]: unknown;
      },
    ),
  );
}
