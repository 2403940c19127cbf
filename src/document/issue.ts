// What is wrong with a skill: which rule, what is the case, how to fix it. The catalog adds the path and calls it a problem.

/**
 * `error`: the skill is not served, or only its last good text is. `warning`: it is served, but not everywhere, not by a name,
 * or not as written.
 * `advice`: it is served everywhere we know of; some host would still refuse it. Only `check` shows advice.
 *
 * @example
 * const errors = catalog.current.problems.filter(({ severity }) => severity === 'error');
 */
export type Severity = 'error' | 'warning' | 'advice';

/**
 * What is wrong with a skill: which rule, what is the case, how to fix it.
 *
 * @example
 * const skill = catalog.current.findByName('sql-review');
 * for (const { rule, message, fix } of skill?.issues ?? []) console.log(`${rule}: ${message}. ${fix}`);
 */
export interface Issue {
  readonly rule: string;
  readonly severity: Severity;
  /** One sentence: what could not be done, colon, what is the case. */
  readonly message: string;
  /** One sentence in the imperative: how to fix it. */
  readonly fix: string;
  /** Where a link leads, absolute. For local surfaces only: it never leaves this machine. */
  readonly target?: string;
  /** 1-based line in SKILL.md, where one is known. */
  readonly line?: number;
}
