// What the rules say of a document in a folder of this name: asked once for each, and by an earlier process where it told.
import type { Issue } from '../../document/issue.ts';
import type { SkillDocument } from '../../document/skill-document.ts';
import { validateDocument } from '../../document/validate.ts';

interface Judged {
  readonly folderName: string;
  readonly issues: readonly Issue[];
}

const judged = new WeakMap<SkillDocument, Judged>();

export function ruleIssues(document: SkillDocument, folderName: string): readonly Issue[] {
  const known = judged.get(document);
  if (known?.folderName === folderName) return known.issues;
  const issues = validateDocument(document, folderName);
  rememberRuleIssues(document, { folderName, issues });
  return issues;
}

export function rememberRuleIssues(document: SkillDocument, outcome: Judged): void {
  judged.set(document, outcome);
}
