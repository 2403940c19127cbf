// What `list_skills` answers on every surface: one page of skills, and the problems on the first (T2).
import type { Problem, Skill } from '../../catalog/view/skill.ts';
import type { Repertoire } from '../../repertoire/repertoire.ts';
import { listText } from '../../text/list-text.ts';
import type { JsonObject } from '../../values/json-object.ts';
import { fail, ok, type Result } from '../../values/result.ts';
import { type HidePaths, hidePathsFor } from './hide-paths.ts';

export const LIST_LIMIT = { least: 1, most: 1_000, usual: 100 } as const;
/** So that a root full of rubbish cannot make an answer without end; `repertoire doctor` shows all. */
const MAX_PROBLEMS = 1_000;

export interface SkillList {
  readonly skills: readonly Skill[];
  /** On the first page, and at most 1,000 of them. */
  readonly problems: readonly Problem[];
  /** How many there are, shown or not. */
  readonly problemCount: number;
  readonly nextCursor: string | undefined;
  /** Skills on all pages. */
  readonly total: number;
  /** For every text that may name a folder of this machine. */
  readonly hide: HidePaths;
}

/** `cursor` and `limit` as they came; `remote`: asked from beyond this machine. The failure says what to send. */
export function findSkillList(repertoire: Repertoire, input: JsonObject, remote: boolean): Result<SkillList, string> {
  const { limit = LIST_LIMIT.usual } = input;
  // The last page answers null, and some agents send that back.
  const cursor = input.cursor ?? undefined;
  if (!isLimit(limit)) return fail(`Invalid limit: send a whole number from ${LIST_LIMIT.least} to ${LIST_LIMIT.most}`);
  if (cursor !== undefined && typeof cursor !== 'string') return fail(BAD_CURSOR);
  const { snapshot } = repertoire;
  const page = repertoire.page(snapshot.skills, cursor, limit);
  if (page === undefined) return fail(BAD_CURSOR);
  const problems = cursor === undefined ? snapshot.problems : [];
  return ok({
    ...page,
    problems: problems.slice(0, MAX_PROBLEMS),
    problemCount: problems.length,
    total: snapshot.skills.length,
    hide: hidePathsFor(remote, snapshot),
  });
}

const BAD_CURSOR =
  'Invalid cursor: send next_cursor of the page before exactly as it came, or no cursor for the first page';

const isLimit = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= LIST_LIMIT.least && value <= LIST_LIMIT.most;

export const skillListJson = ({ skills, problems, nextCursor, hide }: SkillList): JsonObject => ({
  skills: skills.map((skill) => skillEntry(skill, hide)),
  problems: problems.map((problem) => problemEntry(problem, hide)),
  next_cursor: nextCursor ?? null,
});

export const skillEntry = ({ name, description, uri, source, availability }: Skill, hide: HidePaths) => ({
  // Exact, because it is what `skill` takes; hidden characters and line breaks are refused in names (D3).
  name,
  description: listText(description, 2_000),
  uri,
  source: hide(source),
  availability,
});

export const problemEntry = ({ path, rule, message, fix }: Problem, hide: HidePaths) => ({
  path: listText(path, 300),
  rule,
  message: listText(hide(message), 500),
  fix: listText(hide(fix), 500),
});
