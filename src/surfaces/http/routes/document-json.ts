// Document skills as the API shows them (H2). Pure.
import type { z } from 'zod';
import type { Problem, Skill } from '../../../catalog/view/skill.ts';
import type { Snapshot } from '../../../catalog/view/snapshot.ts';
import type { SkillHit } from '../../../repertoire/repertoire.ts';
import { listText } from '../../../text/list-text.ts';
import type { HidePaths } from '../../answers/hide-paths.ts';
import { problemEntry, skillEntry } from '../../answers/skill-list.ts';
import type * as contract from '../contract/documents.ts';
import type { SkillFinding } from './skill-findings.ts';
import { problemsOf } from './skill-problems.ts';

export type DocumentJson = z.output<typeof contract.document>;

export type SummaryJson = z.output<typeof contract.documentSummary>;

/** As `list_skills` has it (T2), and how many problems it has. */
export function summaryJson(skill: Skill, snapshot: Snapshot, hide: HidePaths): SummaryJson {
  const { name, description, uri, source, availability } = skillEntry(skill, hide);
  // Written out: to spread it takes three times as long, and a list has a thousand.
  return { name, description, uri, source, availability, problems: problemsOf(skill, snapshot).length };
}

export function problemJson(problem: Problem, hide: HidePaths): z.output<typeof contract.problem> {
  const { path, rule, message, fix } = problemEntry(problem, hide);
  const { source, line = null, severity } = problem;
  return { path, source: hide(source), line, rule, severity, message, fix };
}

export const findingJson = (finding: SkillFinding): z.output<typeof contract.finding> => ({
  path: finding.path,
  line: finding.line,
  rule: finding.rule,
  severity: finding.severity,
  message: finding.message,
  fix: finding.fix,
  excerpt: finding.excerpt,
});

/** A typed skill has no address: it is invoked by its name. */
export function hitJson(hit: SkillHit): z.output<typeof contract.searchResults>['results'][number] {
  const { kind, name, score } = hit;
  const description = listText(hit.description, 2_000);
  return hit.uri === undefined ? { kind, name, description, score } : { kind, name, description, uri: hit.uri, score };
}
