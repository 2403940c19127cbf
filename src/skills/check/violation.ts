// What is wrong with an input, where, in words that fit into a line and hold no value of it.
import { nounFor } from '../../text/counted.ts';

export interface Violation {
  /** `tasks[2].title`; empty for the whole input. */
  readonly path: string;
  readonly message: string;
}

const SHOWN = 10;

/** More than these are only counted: telling them takes long, and no one reads them. */
export const MOST_TOLD = 100;

/** One that is only counted. */
export const COUNTED: Violation = Object.freeze({ path: '', message: '' });

/** The first ten as text for a message; up to a hundred as details. */
export function reportViolations(violations: readonly Violation[]): {
  readonly details: string;
  readonly violations: readonly Violation[];
} {
  const told = violations.filter(({ message }) => message !== COUNTED.message);
  const shown = told.slice(0, SHOWN).map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
  const more = violations.length - shown.length;
  return {
    details: more > 0 ? `${shown.join('; ')}; and ${more} more` : shown.join('; '),
    // Without the marks that the checks put on them.
    violations: told.slice(0, MOST_TOLD).map(({ path, message }) => ({ path, message })),
  };
}

/** The same fault seen by two checks is one fault. */
export function withoutRepeats(violations: readonly Violation[]): readonly Violation[] {
  const seen = new Set<string>();
  return violations.filter(({ path, message }) => {
    if (message === COUNTED.message) return true;
    const key = `${path}\0${message}`;
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew;
  });
}

/** `1 character`, `2000 characters`: the number as the schema has it. */
export const countText = (count: unknown, thing: string): string => `${count} ${nounFor(Number(count), thing)}`;

const MAX_NAMED = 10;

/** The values that are permitted: `"a" or "b"`. */
export function choiceText(values: readonly unknown[]): string {
  const named = values.slice(0, MAX_NAMED).map(valueText);
  return `${named.join(' or ')}${values.length > MAX_NAMED ? ' or another permitted value' : ''}`;
}

/** JSON has no word for some that zod permits. */
const valueText = (value: unknown): string =>
  typeof value === 'bigint' || value === undefined ? String(value) : JSON.stringify(value);
