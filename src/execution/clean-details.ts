// Failure details and log fields as they may leave the product: bounded plain data without secrets, stacks or objects.
import type { Failure } from './failure.ts';
import type { Secrets } from './secrets/scrub.ts';

const MAX_DEPTH = 6;
const MAX_ENTRIES = 100;
const MAX_TEXT = 500;
const MAX_MESSAGE = 2_000;

export function cleanFailure({ code, message, details }: Failure, secrets: Secrets): Failure {
  return {
    code,
    message: cleanText(message, secrets, MAX_MESSAGE),
    details: details === undefined ? undefined : cleanDetails(details, secrets),
  };
}

export function cleanDetails(
  details: Readonly<Record<string, unknown>>,
  secrets: Secrets,
): Readonly<Record<string, unknown>> {
  return cleanFields(details, secrets, MAX_DEPTH);
}

export function cleanText(text: string, secrets: Secrets, maxLength: number): string {
  const scrubbed = secrets
    .scrub(text)
    // Where in our code it happened is for the log alone.
    .replace(/\s+at (?:[^\n]{0,300} )?\(?(?:file:|node:|\/|[A-Z]:\\)[^\n]{0,500}:\d+:\d+\)?/g, '')
    .replace(/[\0\p{Surrogate}]/gu, '\uFFFD');
  return scrubbed.length <= maxLength
    ? scrubbed
    : `${scrubbed.slice(0, maxLength - 1).replace(/\p{Surrogate}$/u, '')}…`;
}

function cleanFields(fields: object, secrets: Secrets, depth: number): Readonly<Record<string, unknown>> {
  const kept = Object.entries(fields)
    .slice(0, MAX_ENTRIES)
    .filter(([name, value]) => name !== '__proto__' && value !== undefined && typeof value !== 'function');
  return Object.fromEntries(
    kept.map(([name, value]) => [cleanText(name, secrets, MAX_TEXT), cleanValue(value, secrets, depth - 1)]),
  );
}

function cleanValue(value: unknown, secrets: Secrets, depth: number): unknown {
  if (typeof value === 'string') return cleanText(value, secrets, MAX_TEXT);
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value === 'boolean' || value === null) return value;
  if (typeof value !== 'object') return String(value);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  // An error's text was written for the log.
  if (value instanceof Error || depth <= 0) return '[left out]';
  if (Array.isArray(value)) return value.slice(0, MAX_ENTRIES).map((item) => cleanValue(item, secrets, depth - 1));
  return cleanFields(value, secrets, depth);
}
