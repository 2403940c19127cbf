// What is wrong with an input, where, in words that fit into a line and hold no value of it.

export interface Violation {
  /** `tasks[2].title`; empty for the whole input. */
  readonly path: string;
  readonly message: string;
}

export type PathSegment = string | number;

const MAX_SEGMENT = 64;

/** `tasks[2].title`; names that would blur the path are quoted, long ones cut. */
export function pathText(segments: readonly PropertyKey[]): string {
  let text = '';
  for (const segment of segments) {
    if (typeof segment === 'number') text += `[${segment}]`;
    else text += fieldText(String(segment), text === '');
  }
  return text;
}

function fieldText(name: string, first: boolean): string {
  if (/^[\w$-]{1,64}$/.test(name)) return first ? name : `.${name}`;
  const cut = name.length <= MAX_SEGMENT ? name : `${name.slice(0, MAX_SEGMENT)}…`;
  return `[${JSON.stringify(cut.replace(/[\0\p{Surrogate}]/gu, '\uFFFD'))}]`;
}

const SHOWN = 10;

/** Beyond this many nobody reads what they are, and telling them takes long: they are counted. */
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
