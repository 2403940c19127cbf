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
const KEPT = 100;

/** The first ten as text for a message; up to a hundred as details. */
export function reportViolations(violations: readonly Violation[]): {
  readonly details: string;
  readonly violations: readonly Violation[];
} {
  const shown = violations.slice(0, SHOWN).map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
  const more = violations.length - shown.length;
  return {
    details: more > 0 ? `${shown.join('; ')}; and ${more} more` : shown.join('; '),
    // Without the marks that the checks put on them.
    violations: violations.slice(0, KEPT).map(({ path, message }) => ({ path, message })),
  };
}

/** The same fault seen by two checks is one fault. */
export function withoutRepeats(violations: readonly Violation[]): readonly Violation[] {
  const seen = new Map<string, Violation>();
  for (const violation of violations) {
    const key = `${violation.path}\0${violation.message}`;
    if (!seen.has(key)) seen.set(key, violation);
  }
  return [...seen.values()];
}
