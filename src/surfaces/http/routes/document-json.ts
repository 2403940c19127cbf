// Document skills as the API shows them (H2).
import { join, sep } from 'node:path';
import type { z } from 'zod';
import type { Problem, Skill } from '../../../catalog/view/skill.ts';
import type { Snapshot } from '../../../catalog/view/snapshot.ts';
import type { Repertoire, SkillHit } from '../../../repertoire/repertoire.ts';
import { listText } from '../../../text/list-text.ts';
import { type HidePaths, hidePathsFor } from '../../answers/hide-paths.ts';
import { problemEntry, skillEntry } from '../../answers/skill-list.ts';
import type * as contract from '../contract/documents.ts';
import type { FindingInFile } from './skill-findings.ts';

type DocumentJson = z.output<typeof contract.document>;
type NamesakeJson = z.output<typeof contract.namesake>;

export type SummaryJson = z.output<typeof contract.documentSummary>;

/** As `list_skills` has it (T2), and how many problems it has. */
export function summaryJson(skill: Skill, snapshot: Snapshot, hide: HidePaths): SummaryJson {
  const { name, description, uri, source, availability } = skillEntry(skill, hide);
  // Written out: to spread it takes three times as long, and a list has a thousand.
  return { name, description, uri, source, availability, problems: problemsOf(skill, snapshot).length };
}

/** Without its findings, which are looked for apart. */
export function documentJson(
  skill: Skill,
  repertoire: Pick<Repertoire, 'snapshot' | 'textOf' | 'manifestOf'>,
  isHidden: boolean,
): Omit<DocumentJson, 'findings'> {
  const { snapshot } = repertoire;
  const hide = hidePathsFor(isHidden, snapshot);
  return {
    ...skillEntry(skill, hide),
    // In full: here it is read, not listed.
    description: skill.description,
    base_directory: isHidden ? null : skill.baseDirectory,
    last_loaded: skill.lastLoaded.toISOString(),
    frontmatter: { ...skill.frontmatter },
    content: repertoire.textOf(skill),
    files: repertoire
      .manifestOf(skill)
      .files.map(({ path, uri, digest, size, mimeType }) => ({ path, uri, digest, size, media_type: mimeType })),
    ...namesakesJson(skill, snapshot, hide),
    problems: problemsOf(skill, snapshot).map((problem) => problemJson(problem, hide)),
  };
}

/** The other skills of one name: those that are not found by it because of this one, and the one that is instead (D5). */
function namesakesJson(
  skill: Skill,
  snapshot: Snapshot,
  hide: HidePaths,
): Pick<DocumentJson, 'shadows' | 'shadowed_by'> {
  const named = snapshot.findByName(skill.key);
  const isNamed = named === skill;
  const others = isNamed ? snapshot.skills.filter((other) => other.key === skill.key && other !== skill) : [];
  return {
    shadows: [
      ...others.map((other) => servedJson(other, hide)),
      ...snapshot.copiesOf(skill).map((copy) => copyJson(copy, hide)),
    ],
    shadowed_by: isNamed || named === undefined ? null : servedJson(named, hide),
  };
}

const servedJson = ({ uri, segments, fileName, source }: Skill, hide: HidePaths): NamesakeJson => ({
  uri,
  path: listText([...segments, fileName].join('/'), 300),
  source: hide(source),
});

const copyJson = ({ path, source }: Problem, hide: HidePaths): NamesakeJson => ({
  uri: null,
  path: listText(path, 300),
  source: hide(source),
});

export function problemJson(problem: Problem, hide: HidePaths): z.output<typeof contract.problem> {
  const { path, rule, message, fix } = problemEntry(problem, hide);
  const { source, line = null, severity } = problem;
  return { path, source: hide(source), line, rule, severity, message, fix };
}

export const findingJson = (finding: FindingInFile): z.output<typeof contract.finding> => ({
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

/** By the folder of a skill; folders without problems are left out. Sorted once per snapshot. */
const problemsByFolder = new WeakMap<Snapshot, ReadonlyMap<string, readonly Problem[]>>();

const NONE: readonly Problem[] = [];

/** Those of its own files and of what lies below its folder. */
function problemsOf({ baseDirectory }: Skill, snapshot: Snapshot): readonly Problem[] {
  if (snapshot.problems.length === 0) return NONE;
  return (problemsByFolder.get(snapshot) ?? sortProblems(snapshot)).get(baseDirectory) ?? NONE;
}

function sortProblems(snapshot: Snapshot): ReadonlyMap<string, readonly Problem[]> {
  const folders = new Set(snapshot.skills.map(({ baseDirectory }) => baseDirectory));
  const byFolder = new Map<string, Problem[]>();
  for (const problem of snapshot.problems) {
    for (const folder of foldersAbove(problem)) {
      if (!folders.has(folder)) continue;
      const same = byFolder.get(folder);
      if (same === undefined) byFolder.set(folder, [problem]);
      else same.push(problem);
    }
  }
  problemsByFolder.set(snapshot, byFolder);
  return byFolder;
}

/** A skill may lie inside another one: what is wrong with the inner one is told of both. */
function foldersAbove({ rootPath, path }: Problem): readonly string[] {
  const folders: string[] = [];
  const file = join(rootPath, path);
  for (let end = file.lastIndexOf(sep); end > 0; end = file.lastIndexOf(sep, end - 1)) folders.push(file.slice(0, end));
  return folders;
}
