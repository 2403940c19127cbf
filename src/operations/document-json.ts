// Document skills and their problems as the API shows them (H2).
import { join, sep } from 'node:path';
import type { Problem, Skill } from '../catalog/view/skill.ts';
import type { Snapshot } from '../catalog/view/snapshot.ts';
import type { Repertoire } from '../repertoire/repertoire.ts';
import { listText } from '../text/list-text.ts';
import { type HidePaths, hidePathsFor } from './access.ts';
import { problemEntry, skillEntry, summaryFields } from './list-skills.ts';
import { choice, count, list, moment, object, record, type TypeOf, text, whole } from './shape.ts';
import type { FindingInFile } from './skill-findings.ts';

/** A document without a usable name or description of its own is known by its folder (T2). */
const documentFields = {
  ...summaryFields,
  name: text().nullable().about('null where the document gives none that can be used'),
  folder: text().about('The name of its folder; only where `name` is null').optional(),
};

export const documentSummary = record({
  ...documentFields,
  problems: count.about('How many problems it has'),
  findings: count.about('How many suspicious places it has; only where `findings=true` was asked for').optional(),
})
  .about('A document skill in a list')
  .named('DocumentSummary');

export const problem = record({
  path: text().about('Relative to its root; the name of a typed skill'),
  source: text().nullable().about('The root, as in the list of documents; null for a typed skill'),
  line: whole().nullable().about('In that file, where one is known'),
  rule: text(),
  severity: choice(['error', 'warning', 'advice']),
  message: text(),
  fix: text(),
})
  .about('Why something is not served, or not as written')
  .named('Problem');

const finding = record({
  path: text().about('Below the folder of the skill'),
  line: whole(),
  rule: text(),
  severity: choice(['high', 'medium', 'low']),
  message: text(),
  fix: text(),
  excerpt: text(),
})
  .about('Something suspicious in a document, for a reader to judge')
  .named('Finding');

const documentFile = record({
  path: text(),
  uri: text(),
  digest: text({ pattern: /^sha256:[0-9a-f]{64}$/, wanted: 'a digest' }).about('Of the raw bytes'),
  size: whole(),
  media_type: text(),
}).named('DocumentFile');

const namesake = record({
  uri: text().nullable().about('null: it is not served, because the same path in an earlier root is'),
  path: text().about('Its SKILL.md, relative to its root'),
  source: text().about('The root that it was found in, as configured'),
})
  .about('Another skill of the same name')
  .named('Namesake');

export const document = record({
  ...documentFields,
  base_directory: text()
    .nullable()
    .about('null unless the operator asks on this machine, and for skills of the library'),
  file_path: text().nullable().about('Its SKILL.md, as it is called on disk; null where `base_directory` is'),
  last_loaded: moment,
  frontmatter: object,
  content: text().about('The whole SKILL.md, frontmatter included'),
  files: list(documentFile),
  shadows: list(namesake).about('Skills that are not found by their name because this one comes first'),
  shadowed_by: namesake.nullable().about('The skill that is found by this name instead; null: this one is'),
  problems: list(problem),
  findings: list(finding),
}).named('Document');

type DocumentJson = TypeOf<typeof document>;
type NamesakeJson = TypeOf<typeof namesake>;
export type FindingJson = TypeOf<typeof finding>;
export type ProblemJson = TypeOf<typeof problem>;
export type SummaryJson = TypeOf<typeof documentSummary>;

/** As `list_skills` has it (T2), and how many problems it has. */
export function summaryJson(skill: Skill, snapshot: Snapshot, hide: HidePaths): SummaryJson {
  const { name, description, uri, source, availability } = skillEntry(skill, hide);
  const problems = problemsOf(skill, snapshot).length;
  if (skill.isUnnamed) return { name: null, folder: name, description, uri, source, availability, problems };
  // Written out: to spread it takes three times as long, and a list has a thousand.
  return { name, description, uri, source, availability, problems };
}

/** Without its findings, which are looked for apart. */
export function documentJson(
  skill: Skill,
  repertoire: Pick<Repertoire, 'snapshot' | 'textOf' | 'manifestOf'>,
  isHidden: boolean,
): Omit<DocumentJson, 'findings'> {
  const { snapshot } = repertoire;
  const hide = hidePathsFor(isHidden, snapshot);
  const isWithoutPath = isHidden || skill.isOfLibrary;
  return {
    ...skillEntry(skill, hide),
    ...(skill.isUnnamed && { name: null, folder: skill.name }),
    // In full: here it is read, not listed.
    description: skill.description,
    base_directory: isWithoutPath ? null : skill.baseDirectory,
    file_path: isWithoutPath ? null : skill.filePath,
    last_loaded: skill.lastLoaded.toISOString(),
    frontmatter: { ...skill.frontmatter },
    content: repertoire.textOf(skill),
    files: repertoire
      .manifestOf(skill)
      .files.map(({ path, uri, digest, size, mimeType }) => ({ path, uri, digest, size, media_type: mimeType })),
    ...namesakesJson(skill, snapshot, hide),
    problems: problemsOf(skill, snapshot).map((each) => problemJson(each, hide)),
  };
}

/** The other skills of one name: those that are not found by it because of this one, and the one that is instead (D5). */
function namesakesJson(
  skill: Skill,
  snapshot: Snapshot,
  hide: HidePaths,
): Pick<DocumentJson, 'shadows' | 'shadowed_by'> {
  const named = skill.isUnnamed ? undefined : snapshot.findByName(skill.key);
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

export function problemJson(found: Problem, hide: HidePaths): ProblemJson {
  const { path, rule, message, fix } = problemEntry(found, hide);
  const { source, line = null, severity } = found;
  return { path, source: hide(source), line, rule, severity, message, fix };
}

export const findingJson = ({ path, line, rule, severity, message, fix, excerpt }: FindingInFile): FindingJson => ({
  path,
  line,
  rule,
  severity,
  message,
  fix,
  excerpt,
});

/** By the folder of a skill; folders without problems are left out. Sorted once per snapshot. */
const problemsByFolder = new WeakMap<Snapshot, ReadonlyMap<string, readonly Problem[]>>();

const NONE: readonly Problem[] = [];

/** Those of its own files and of what lies below its folder. */
function problemsOf({ baseDirectory }: Skill, snapshot: Snapshot): readonly Problem[] {
  if (snapshot.problems.length === 0) return NONE;
  return (problemsByFolder.get(snapshot) ?? sortProblems(snapshot)).get(baseDirectory) ?? NONE;
}

function sortProblems(snapshot: Snapshot): ReadonlyMap<string, readonly Problem[]> {
  const folders = new Set([...snapshot.skills, ...snapshot.unnamed].map(({ baseDirectory }) => baseDirectory));
  const byFolder = new Map<string, Problem[]>();
  for (const found of snapshot.problems) {
    for (const folder of foldersAbove(found)) {
      if (!folders.has(folder)) continue;
      const same = byFolder.get(folder);
      if (same === undefined) byFolder.set(folder, [found]);
      else same.push(found);
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
