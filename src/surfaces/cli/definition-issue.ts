// A typed skill that was refused, as an issue like those of documents. Pure.
import type { Issue } from '../../document/issue.ts';
import type { DefinitionProblem } from '../../skills/define/definition-problems.ts';

export const definitionIssue = ({ message, fix }: DefinitionProblem): Issue => ({
  rule: 'typed-skill-refused',
  severity: 'error',
  message,
  fix,
});

/** The file could not be executed at all. The sentence says what to do as well. */
export const unloadedIssue = (failure: string): Issue => ({
  rule: 'config-not-loaded',
  severity: 'error',
  message: failure,
  fix: '',
});
