// Everything `check` has to say about the skills of a catalog: problems, advice, and what inspection found in their files.
import { basename, join } from 'node:path';
import type { Catalog } from '../../catalog/catalog.ts';
import { contentOf, type Problem, type Skill } from '../../catalog/view/skill.ts';
import type { Snapshot } from '../../catalog/view/snapshot.ts';
import type { Issue } from '../../document/issue.ts';
import { parseSkillDocument } from '../../document/skill-document.ts';
import { adviseDocument } from '../../document/validate.ts';
import { readYamlFrontmatter } from '../../document/yaml-frontmatter.ts';
import { inspectSkill, type SkillFinding } from './inspect-skill.ts';

export interface CheckedProblem extends Issue {
  /** Absolute. */
  readonly file: string;
}

export interface CheckedFinding extends Omit<SkillFinding, 'path'> {
  /** Absolute. */
  readonly file: string;
}

export interface CheckReport {
  readonly skillsChecked: number;
  readonly problems: readonly CheckedProblem[];
  readonly findings: readonly CheckedFinding[];
}

/** `onSkill` is told how many skills are done. */
export async function createCheckReport(catalog: Catalog, onSkill: (done: number) => void): Promise<CheckReport> {
  await catalog.loadManifests();
  const { current } = catalog;
  const problems: CheckedProblem[] = current.problems.map(located);
  const findings: CheckedFinding[] = [];
  for (const [index, skill] of current.skills.entries()) {
    problems.push(...adviceOn(skill, catalog));
    for (const { path, ...finding } of await inspectSkill(skill, catalog)) {
      findings.push({ ...finding, file: join(skill.baseDirectory, path) });
    }
    onSkill(index + 1);
  }
  return { skillsChecked: countSkills(current), problems, findings };
}

/** Advice and lower findings do not fail a check: honest skills have them. */
export function isFailing({ problems, findings }: CheckReport): boolean {
  return problems.some(({ severity }) => severity !== 'advice') || findings.some(({ severity }) => severity === 'high');
}

function located({ rootPath, path, source, ...issue }: Problem): CheckedProblem {
  return { ...issue, file: join(rootPath, path) };
}

function adviceOn(skill: Skill, catalog: Catalog): readonly CheckedProblem[] {
  const document = parseSkillDocument(contentOf(skill), readYamlFrontmatter)?.document;
  if (document === undefined) return [];
  const facts = { skillBytes: skill.bytes.length, files: catalog.manifestOf(skill).files };
  return adviseDocument(document, facts).map((issue) => ({ ...issue, file: skill.filePath }));
}

/** The served ones, and those that would be skills if they were not broken. */
function countSkills({ skills, problems }: Pick<Snapshot, 'skills' | 'problems'>): number {
  const files = new Set(skills.map((skill) => skill.filePath));
  for (const { rootPath, path } of problems) {
    if (basename(path).toLowerCase() === 'skill.md') files.add(join(rootPath, path));
  }
  return files.size;
}
