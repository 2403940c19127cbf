// The tool `list_skills`: every document skill, a page at a time, and what is wrong with the others (T2).
import type { Repertoire } from '../../../repertoire/repertoire.ts';
import { counted } from '../../../text/counted.ts';
import { listText } from '../../../text/list-text.ts';
import type { JsonObject } from '../../../values/json-object.ts';
import { findSkillList, LIST_LIMIT, type SkillList, skillListJson } from '../../answers/skill-list.ts';
import { refuseUnknownFields } from '../../answers/unknown-fields.ts';
import { skillLine } from './describe-skills.ts';
import type { PreparedResults } from './prepared-results.ts';
import { READ_ONLY, TOOL_NAMES, type Tool, type ToolNames, type ToolResult, textContent, toolError } from './tool.ts';

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

export const listSkillsTool = (
  repertoire: Repertoire,
  prepared: PreparedResults,
  names: ToolNames = TOOL_NAMES,
): Tool => ({
  name: names.list_skills,
  title: 'List skills',
  describe: () =>
    'List every skill with its description and URI, and the problems of those that cannot be served. ' +
    `Pages: send next_cursor back as cursor. Then load one with ${names.skill} or ${names.get_skill}.`,
  inputSchema: {
    type: 'object',
    properties: {
      cursor: { type: 'string', description: 'next_cursor of the page before' },
      limit: {
        type: 'integer',
        minimum: LIST_LIMIT.least,
        maximum: LIST_LIMIT.most,
        default: LIST_LIMIT.usual,
        description: 'Skills per page',
      },
    },
    additionalProperties: false,
  },
  outputSchema: OUTPUT_SCHEMA,
  annotations: READ_ONLY,
  hasView: true,
  // One tool that hosts which defer tools keep in view: it leads to all others.
  _meta: { 'anthropic/alwaysLoad': true },
  call: (input, { remote }) => {
    const unknown = refuseUnknownFields(input, ['cursor', 'limit'], '{} or { "cursor": "…", "limit": 100 }');
    if (unknown !== undefined) return toolError(unknown);
    const { snapshot } = repertoire;
    const list = findSkillList(repertoire, input, remote);
    if (!list.ok) return toolError(list.failure);
    const key = `list_skills ${remote} ${input.limit ?? ''} ${input.cursor ?? ''}`;
    return prepared.getOfAll(key, snapshot, () => answer(list.value, names));
  },
});

function answer(list: SkillList, names: ToolNames): ToolResult {
  const { skills, problems, problemCount, nextCursor, total, hide } = list;
  const sections = [counted(total, 'skill'), ...skills.map((skill) => `${skillLine(skill)} ${skill.uri}`)];
  if (nextCursor !== undefined) {
    sections.push(`More: call ${names.list_skills} with cursor ${JSON.stringify(nextCursor)}`);
  }
  if (problemCount > 0) sections.push('', counted(problemCount, 'problem'));
  sections.push(
    ...problems.map(
      ({ path, message, fix }) =>
        `- ${listText(path, 300)}: ${listText(hide(message), 500)}. ${listText(hide(fix), 500)}`,
    ),
  );
  if (problemCount > problems.length)
    sections.push(`… and ${problemCount - problems.length} more: run repertoire doctor`);
  return { content: [textContent(sections.join('\n'))], structuredContent: skillListJson(list) };
}
