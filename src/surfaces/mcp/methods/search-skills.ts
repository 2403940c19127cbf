// The tool `search_skills`: the skills that fit a request best, and why (T13).
import { isSearchLimit, type Repertoire, SEARCH_LIMIT, type SkillHit } from '../../../repertoire/repertoire.ts';
import { listText } from '../../../text/list-text.ts';
import type { JsonObject } from '../../../values/json-object.ts';
import { refuseUnknownFields } from '../../answers/unknown-fields.ts';
import { skillLine } from './describe-skills.ts';
import { READ_ONLY, TOOL_NAMES, type Tool, type ToolNames, type ToolResult, textContent, toolError } from './tool.ts';

const OUTPUT_SCHEMA: JsonObject = {
  type: 'object',
  properties: {
    skills: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          name: { type: 'string' },
          description: { type: 'string' },
          uri: { type: ['string', 'null'] },
          kind: { type: 'string', enum: ['document', 'typed'] },
          score: { type: 'number' },
        },
        required: ['name', 'description', 'uri', 'kind', 'score'],
      },
    },
  },
  required: ['skills'],
};

/** Offered when nothing fits. */
const NEAREST = 5;

export const searchSkillsTool = (repertoire: Repertoire, names: ToolNames = TOOL_NAMES): Tool => ({
  name: names.search_skills,
  title: 'Search skills',
  describe: () =>
    'Find the skills that fit a task: send a few words, or the whole request as it was made. ' +
    `Answers the best first, with why each fits. Then load one with ${names.skill}.`,
  inputSchema: {
    type: 'object',
    properties: {
      query: { type: 'string', minLength: 1, description: 'Words, a name, or a whole request' },
      limit: {
        type: 'integer',
        minimum: SEARCH_LIMIT.least,
        maximum: SEARCH_LIMIT.most,
        default: SEARCH_LIMIT.usual,
        description: 'At most so many skills',
      },
    },
    required: ['query'],
    additionalProperties: false,
  },
  outputSchema: OUTPUT_SCHEMA,
  annotations: READ_ONLY,
  call: (input) => {
    const unknown = refuseUnknownFields(input, ['query', 'limit'], '{ "query": "…" }');
    if (unknown !== undefined) return toolError(unknown);
    const { query } = input;
    // Some agents send null for what they leave out.
    const limit = input.limit ?? SEARCH_LIMIT.usual;
    if (typeof query !== 'string') return toolError('Missing query: send { "query": "…" } with a string');
    if (query.trim() === '') return toolError('The query cannot be empty: say in a few words what the task is');
    if (!isSearchLimit(limit)) return toolError(BAD_LIMIT);
    return repertoire.search(query, limit).then((hits) => answer(query, hits, repertoire, names));
  },
});

const BAD_LIMIT = `Invalid limit: send a whole number from ${SEARCH_LIMIT.least} to ${SEARCH_LIMIT.most}`;

function answer(query: string, hits: readonly SkillHit[], repertoire: Repertoire, names: ToolNames): ToolResult {
  const text = hits.length > 0 ? describeHits(hits, names) : describeNone(query, repertoire, names);
  return { content: [textContent(text)], structuredContent: { skills: hits.map(hitJson) } };
}

const describeHits = (hits: readonly SkillHit[], names: ToolNames): string =>
  [
    ...hits.map(
      (hit) => `${skillLine(hit)} ${hit.uri ?? '(a tool of this server: call it)'}\n  ${listText(hit.why, 300)}`,
    ),
    ...(hits.some(({ kind }) => kind === 'document') ? [`Load one: call ${names.skill} with its name`] : []),
  ].join('\n');

function describeNone(query: string, repertoire: Repertoire, names: ToolNames): string {
  const nearest = repertoire.nearest(query, NEAREST).map(({ name }) => listText(name, 100));
  const hint = nearest.length > 0 ? `Nearest names: ${nearest.join(', ')}` : 'There are no skills';
  return `No skill fits ${JSON.stringify(listText(query, 200))}. ${hint}. ${names.list_skills} shows every one.`;
}

const hitJson = ({ name, description, uri, kind, score }: SkillHit): JsonObject => ({
  name,
  description: listText(description, 2_000),
  // A typed skill has no address: it is a tool of the same name.
  uri: uri ?? null,
  kind,
  score,
});
