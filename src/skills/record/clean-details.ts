// Failure details and log fields as they may leave the product: bounded plain data without secrets, stacks or objects.
import { REDACTED } from '../../text/credentials.ts';
import { storableText } from '../../text/storable-text.ts';
import type { Failure } from '../define/failure.ts';
import { isNamedSecret } from './redaction.ts';
import type { Secrets } from './secrets.ts';

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
  // Cut roughly first: what is not shown need not be cleaned. After the scrub, because half of a secret is not found.
  const clean = storableText(withoutFrames(secrets.scrub(text).slice(0, 4 * maxLength)));
  return clean.length <= maxLength ? clean : `${clean.slice(0, maxLength - 1).replace(/\p{Surrogate}$/u, '')}…`;
}

/** Where in our code it happened is for the log alone: `at name (file:///…:1:2)`, on lines of their own or in one. */
function withoutFrames(text: string): string {
  // Cut once, each piece read once: one pattern for all of it takes the square of the length of a text of blanks.
  const [before = '', ...rest] = text.split(/((?<!\s)\s+at )/);
  let kept = before;
  for (let index = 0; index < rest.length; index += 2) {
    const [at = '', piece = ''] = rest.slice(index, index + 2);
    const length = frameLength(piece);
    kept += length > 0 ? piece.slice(length) : at + piece;
  }
  return kept;
}

const FILE = /(?:^|[ (])(?:file:|node:|\/|[A-Z]:\\)/;
const POSITION = /:\d+:\d+\)?/;
const MAX_FRAME = 800;

function frameLength(piece: string): number {
  const [line = ''] = piece.slice(0, MAX_FRAME).split('\n', 1);
  const start = FILE.exec(line)?.index;
  const position = start === undefined ? undefined : POSITION.exec(line.slice(start));
  return start === undefined || !position ? 0 : start + position.index + position[0].length;
}

function cleanFields(fields: object, secrets: Secrets, depth: number): Readonly<Record<string, unknown>> {
  const kept = Object.entries(fields)
    .slice(0, MAX_ENTRIES)
    .filter(([name, value]) => name !== '__proto__' && value !== undefined && typeof value !== 'function');
  return Object.fromEntries(
    kept.map(([name, value]) => [
      cleanText(name, secrets, MAX_TEXT),
      isNamedSecret(name, value) ? REDACTED : cleanValue(value, secrets, depth - 1),
    ]),
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
