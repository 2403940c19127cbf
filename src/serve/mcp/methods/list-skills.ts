// The tool `list_skills`: every document skill, a page at a time, and what is wrong with the others (T2).

import type { Problem, Skill } from '../../../catalog/skill.ts';
import type { Repertoire } from '../../../repertoire.ts';
import { listText, skillLine } from '../catalogue.ts';
import type { JsonObject } from '../method.ts';
import { READ_ONLY, refuseUnknownFields, type Tool, type ToolResult, textContent, toolError } from '../tool.ts';

const LIMIT = { least: 1, most: 1_000, usual: 100 } as const;
/** So that a root full of rubbish cannot make an answer without end; `repertoire doctor` shows all. */
const MAX_PROBLEMS = 1_000;

const OUTPUT_SCHEMA: JsonObject = {
  type: 'object',
  properties: {
    skills: listOf(['name', 'description', 'uri', 'source', 'availability']),
    problems: listOf(['path', 'rule', 'message', 'fix']),
    next_cursor: { type: ['string', 'null'] },
  },
  required: ['skills', 'problems', 'next_cursor'],
};

function listOf(fields: readonly string[]): JsonObject {
  const properties = Object.fromEntries(fields.map((field) => [field, { type: 'string' }]));
  return { type: 'array', items: { type: 'object', properties, required: fields } };
}

export const listSkillsTool = (repertoire: Repertoire): Tool => ({
  name: 'list_skills',
  title: 'List skills',
  describe: () =>
    'List every skill with its description and URI, and the problems of those that cannot be served. ' +
    'Pages: send next_cursor back as cursor. Then load one with skill or get_skill.',
  inputSchema: {
    type: 'object',
    properties: {
      cursor: { type: 'string', description: 'next_cursor of the page before' },
      limit: {
        type: 'integer',
        minimum: LIMIT.least,
        maximum: LIMIT.most,
        default: LIMIT.usual,
        description: 'Skills per page',
      },
    },
    additionalProperties: false,
  },
  outputSchema: OUTPUT_SCHEMA,
  annotations: READ_ONLY,
  // One tool that hosts which defer tools keep in view: it leads to all others.
  _meta: { 'anthropic/alwaysLoad': true },
  call: (input) => {
    const unknown = refuseUnknownFields(input, ['cursor', 'limit'], '{} or { "cursor": "…", "limit": 100 }');
    if (unknown !== undefined) return toolError(unknown);
    const { limit = LIMIT.usual } = input;
    // The last page answers null, and some agents send that back.
    const cursor = input.cursor ?? undefined;
    if (!isLimit(limit)) return toolError(`Invalid limit: send a whole number from ${LIMIT.least} to ${LIMIT.most}`);
    if (cursor !== undefined && typeof cursor !== 'string') return toolError(BAD_CURSOR);
    const { snapshot } = repertoire;
    const page = repertoire.page(snapshot.skills, cursor, limit);
    if (page === undefined) return toolError(BAD_CURSOR);
    return answer(page.skills, cursor === undefined ? snapshot.problems : [], page.nextCursor, snapshot.skills.length);
  },
});

const BAD_CURSOR =
  'Invalid cursor: send next_cursor of the page before exactly as it came, or no cursor for the first page';

const isLimit = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= LIMIT.least && (value as number) <= LIMIT.most;

function answer(
  skills: readonly Skill[],
  problems: readonly Problem[],
  nextCursor: string | undefined,
  total: number,
): ToolResult {
  const shown = problems.slice(0, MAX_PROBLEMS);
  const sections = [
    `${total} ${total === 1 ? 'skill' : 'skills'}`,
    ...skills.map((skill) => `${skillLine(skill)} ${skill.uri}`),
  ];
  if (nextCursor !== undefined) sections.push(`More: call list_skills with cursor ${JSON.stringify(nextCursor)}`);
  if (problems.length > 0) sections.push('', `${problems.length} ${problems.length === 1 ? 'problem' : 'problems'}`);
  sections.push(
    ...shown.map(
      ({ path, message, fix }) => `- ${listText(path, 300)}: ${listText(message, 500)}. ${listText(fix, 500)}`,
    ),
  );
  if (problems.length > shown.length)
    sections.push(`… and ${problems.length - shown.length} more: run repertoire doctor`);
  const structuredContent = {
    skills: skills.map(listEntry),
    problems: shown.map(problemEntry),
    next_cursor: nextCursor ?? null,
  };
  return { content: [textContent(sections.join('\n'))], structuredContent };
}

const listEntry = ({ name, description, uri, source, availability }: Skill): JsonObject => ({
  // Exact, because it is what `skill` takes; hidden characters and line breaks are refused in names (D3).
  name,
  description: listText(description, 2_000),
  uri,
  source,
  availability,
});

const problemEntry = ({ path, rule, message, fix }: Problem): JsonObject => ({
  path: listText(path, 300),
  rule,
  message: listText(message, 500),
  fix: listText(fix, 500),
});
