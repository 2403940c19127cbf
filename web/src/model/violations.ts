// What the server found wrong with an input, by the field that it is shown at. Pure.

export interface Violation {
  readonly path: string;
  readonly message: string;
}

/** From the details where they are, else from the sentence. */
export function violationsIn(answer: unknown): readonly Violation[] {
  const { failure_code, failure_details, failure_message } = asFields(answer);
  if (failure_code !== 'VALIDATION_ERROR') return [];
  return listedViolations(failure_details) ?? fromSentence(String(failure_message ?? ''));
}

/** Those that the details of a failure list; `undefined` where they list none. */
export function listedViolations(details: unknown): readonly Violation[] | undefined {
  const listed = asFields(details).violations;
  if (!Array.isArray(listed) || listed.length === 0) return undefined;
  return listed
    .map(asFields)
    .map(({ path, message }) => ({ path: String(path ?? ''), message: String(message ?? '') }));
}

const asFields = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

function fromSentence(sentence: string): readonly Violation[] {
  const parts = sentence.replace(/^Input validation failed: /, '').split('; ');
  return parts.map((part) => {
    const [, path = '', message = part] = /^([\w$.[\]"-]+): (.*)$/s.exec(part) ?? [];
    return { path, message };
  });
}

/** Those that no field of the form bears. `paths`: see fieldPaths. */
export function violationsElsewhere(violations: readonly Violation[], paths: readonly string[]): readonly Violation[] {
  const known = new Set(paths);
  const wholes = paths.filter((path) => path.endsWith('*')).map((path) => path.slice(0, -1));
  const isBorne = ({ path }: Violation) =>
    path !== '' &&
    (known.has(path) || wholes.some((whole) => messagesAt([{ path, message: '' }], whole, true).length > 0));
  return violations.filter((violation) => !isBorne(violation));
}

/** The messages of one field, and of what lies in it where it is one field (JSON). */
export function messagesAt(violations: readonly Violation[], path: string, isWhole: boolean): readonly string[] {
  const isInside = (other: string) => isWhole && (other.startsWith(`${path}.`) || other.startsWith(`${path}[`));
  return violations
    .filter((violation) => violation.path === path || isInside(violation.path))
    .map((violation) => (violation.path === path ? violation.message : `${violation.path}: ${violation.message}`));
}
