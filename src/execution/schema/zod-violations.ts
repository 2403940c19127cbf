// zod's findings as violations with our paths. zod's own words hold no values of the input.
import type { core } from 'zod';
import { pathText, type Violation } from './violation.ts';

type Issue = core.$ZodIssue;

export function violationsOf(issues: readonly Issue[]): readonly Violation[] {
  return issues.flatMap((issue) => expand(issue, []));
}

const MAX_MESSAGE = 300;

function expand(issue: Issue, above: readonly PropertyKey[]): readonly Violation[] {
  const path = [...above, ...issue.path];
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: pathText([...path, key]), message: 'is not a known field' }));
  }
  if (issue.code === 'invalid_union') {
    const branch = nearestBranch(issue.errors);
    if (branch !== undefined) return branch.flatMap((inner) => expand(inner, path));
  }
  return [{ path: pathText(path), message: wordsOf(issue) }];
}

/** zod tells of a union only that nothing fits: the branch with the fewest faults was probably meant. */
function nearestBranch(branches: readonly (readonly Issue[])[]): readonly Issue[] | undefined {
  const [nearest] = [...branches].sort((a, b) => a.length - b.length);
  return nearest === undefined || nearest.length === 0 ? undefined : nearest;
}

function wordsOf({ code, message }: Issue): string {
  if (code === 'invalid_type' && message.endsWith('received undefined')) return 'is required';
  return message.length <= MAX_MESSAGE ? message : `${message.slice(0, MAX_MESSAGE - 1)}…`;
}
