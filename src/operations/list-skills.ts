// `list_skills`: every document skill, a page at a time; on the first also those without a name, and what is wrong (T2).
import type { Problem, Skill } from '../catalog/view/skill.ts';
import type { Snapshot } from '../catalog/view/snapshot.ts';
import type { Repertoire } from '../repertoire/repertoire.ts';
import { counted } from '../text/counted.ts';
import { listText } from '../text/list-text.ts';
import { ok } from '../values/result.ts';
import { ANY_CALLER, type HidePaths, hidePathsFor } from './access.ts';
import { ALWAYS_LOADED, invalidInput, operation, type ToolNames, toolOfOurs } from './operation.ts';
import { choice, list, record, type TypeOf, text, type ValuesOf, whole } from './shape.ts';

export const cursor = text({ least: 1, most: 4_000, wanted: 'next_cursor of the page before' })
  .about('`next_cursor` of the page before, exactly as it came; leave it out for the first page')
  .optional();

/** How many are on a page. */
export const pageSize = whole({ least: 1, most: 1_000 }).usual(100).about('Skills per page');

/** So that a root full of rubbish cannot make an answer without end; `repertoire doctor` shows all. */
const MAX_PROBLEMS = 1_000;

/** The same for documents without a name. */
const MAX_BY_FOLDER = 1_000;

export const summaryFields = {
  name: text(),
  description: text(),
  uri: text().about('skill://…/SKILL.md'),
  source: text().about('The root that it was found in, as configured'),
  availability: choice(['available', 'fallback']).about('fallback: the file is broken now; this is its last good text'),
};

const problem = record({
  path: text().about('Relative to its root'),
  rule: text(),
  message: text(),
  fix: text(),
  source: text().about('That root, as configured; only where there are several').optional(),
});

const folderEntry = record({
  skill_name: text().about('The name of the folder, for get_skill'),
  description: text().about('Its first heading or sentence'),
});

const output = record({
  skills: list(record(summaryFields)),
  by_folder: list(folderEntry).about('Documents without a usable name or description; on the first page'),
  problems: list(problem),
  next_cursor: text().nullable(),
});

interface SkillList {
  readonly skills: readonly Skill[];
  /** On the first page, as all that follows: those that `get_skill` finds by the name of their folder. */
  readonly byFolder: readonly Skill[];
  readonly problems: readonly Problem[];
  readonly nextCursor: string | undefined;
  /** Skills on all pages. */
  readonly total: number;
  /** Then a problem says which one it is in. */
  readonly hasSeveralRoots: boolean;
  /** For every text that may name a folder of this machine. */
  readonly hide: HidePaths;
}

export const listSkills = operation({
  id: 'list_skills',
  summary: 'Every document skill in name order, a page at a time, and what is wrong with the others',
  access: ANY_CALLER,
  input: { cursor: cursor.orNull(), limit: pageSize },
  output,
  isKept: () => true,
  run: ({ cursor: from, limit }, { remote }, { repertoire }: { readonly repertoire: Repertoire }) => {
    const { snapshot } = repertoire;
    const page = repertoire.page(snapshot.skills, from, limit);
    if (page === undefined) return invalidInput(BAD_CURSOR);
    return ok({
      ...page,
      byFolder: from === undefined ? foundByFolder(snapshot) : [],
      problems: from === undefined ? snapshot.problems : [],
      total: snapshot.skills.length,
      hasSeveralRoots: snapshot.sources.length > 1,
      hide: hidePathsFor(remote, snapshot),
    });
  },
  project: (found: SkillList): TypeOf<typeof output> => ({
    skills: found.skills.map((skill) => skillEntry(skill, found.hide)),
    by_folder: found.byFolder.slice(0, MAX_BY_FOLDER).map(byFolderEntry),
    problems: shownProblems(found),
    next_cursor: found.nextCursor ?? null,
  }),
  mcp: {
    title: 'List skills',
    describe: (names) =>
      'List every skill with its description and URI, documents without a name of their own, and the problems of those ' +
      'that cannot be served. ' +
      `Pages: send next_cursor back as cursor. Then load one with ${toolOfOurs(names.skill, names.get_skill)}.`,
    text: describeList,
    hasView: true,
    meta: ALWAYS_LOADED,
  },
  openai: {
    description:
      'List every skill with its description and uri, documents without a name of their own (by_folder), and the ' +
      'problems of those that cannot be served. Then read one with get_skill, before a task that it fits.',
  },
});

/** Where a page is asked for; each surface names the field. */
export const BAD_CURSOR =
  'cursor: is none of ours; send next_cursor of the page before exactly as it came, or leave it out';

export type SkillEntry = ValuesOf<typeof summaryFields>;

export const skillEntry = ({ name, description, uri, source, availability }: Skill, hide: HidePaths): SkillEntry => ({
  // Exact, because it is what `skill` takes; hidden characters and line breaks are refused in names (D3).
  name,
  description: listText(description, 2_000),
  uri,
  source: hide(source),
  availability,
});

const known = new WeakMap<Snapshot, readonly Skill[]>();

/** Sorted out once per snapshot. By the name of a folder one document is found: others of that name have their URI. */
function foundByFolder(snapshot: Snapshot): readonly Skill[] {
  const found = known.get(snapshot) ?? snapshot.unnamed.filter((skill) => isFoundByFolder(skill, snapshot));
  known.set(snapshot, found);
  return found;
}

function isFoundByFolder(skill: Skill, snapshot: Snapshot): boolean {
  const answer = snapshot.findFolder(skill.name);
  return answer !== undefined && 'skill' in answer && answer.skill === skill;
}

/** The name is exact, because it is what `get_skill` takes: a folder whose name hides characters is not among them. */
const byFolderEntry = ({ name, description }: Skill) => ({
  skill_name: name,
  description: listText(description, MAX_DESCRIPTION),
});

export const problemEntry = ({ path, rule, message, fix }: Problem, hide: HidePaths) => ({
  path: listText(path, 300),
  rule,
  message: listText(hide(message), 500),
  fix: listText(hide(fix), 500),
});

const shownProblems = ({ problems, hasSeveralRoots, hide }: SkillList): readonly TypeOf<typeof problem>[] =>
  problems.slice(0, MAX_PROBLEMS).map((each) => {
    const entry = problemEntry(each, hide);
    return hasSeveralRoots ? { ...entry, source: hide(each.source) } : entry;
  });

function describeList(found: SkillList, names: ToolNames): string {
  const { skills, problems, nextCursor, total } = found;
  const shown = shownProblems(found);
  const more = problems.length - shown.length;
  return [
    counted(total, 'skill'),
    ...skills.map((skill) => `${skillLine(skill)} ${skill.uri}`),
    ...(nextCursor === undefined ? [] : [`More: call ${names.list_skills} with cursor ${JSON.stringify(nextCursor)}`]),
    ...describeByFolder(found.byFolder, names),
    ...(problems.length > 0 ? ['', counted(problems.length, 'problem')] : []),
    ...shown.map(
      ({ path, message, fix, source }) =>
        `- ${path}${source === undefined ? '' : ` in ${listText(source, 300)}`}: ${message}. ${fix}`,
    ),
    ...(more > 0 ? [`… and ${more} more: run repertoire doctor`] : []),
  ].join('\n');
}

function describeByFolder(documents: readonly Skill[], names: ToolNames): readonly string[] {
  if (documents.length === 0) return [];
  const shown = documents.slice(0, MAX_BY_FOLDER);
  const more = documents.length - shown.length;
  return [
    '',
    `${counted(documents.length, 'document')} without a name: to load one, call ${names.get_skill} with its folder as skill_name`,
    ...shown.map(skillLine),
    ...(more > 0 ? [`… and ${more} more: ${names.search_skills} finds them`] : []),
  ];
}

const MAX_NAME = 100;
export const MAX_DESCRIPTION = 200;

type Shown = Pick<Skill, 'name' | 'description'>;

/** One safe line, as T1 wants it: `- name (description)`. */
export const skillLine = (skill: Shown): string =>
  // A document without a word in it has no description.
  skill.description === '' ? nameLine(skill) : `${nameLine(skill)} (${listText(skill.description, MAX_DESCRIPTION)})`;

export const nameLine = ({ name }: Pick<Skill, 'name'>): string => `- ${listText(name, MAX_NAME)}`;
