// Skills as OpenAI-style function tools: definitions for the request, answers to the calls that a model makes (T11).
import type { Repertoire } from '../../repertoire.ts';
import { fail, ok, type Result } from '../../result.ts';
import type { JsonObject } from '../mcp/method.ts';
import { folderDocumentJson } from '../mcp/methods/get-skill.ts';
import { findSkillList, LIST_LIMIT, skillListJson } from '../mcp/skill-list.ts';
import { refuseUnknownFields } from '../mcp/tool.ts';
import { isObject } from '../mcp/wire/json-rpc.ts';

export interface FunctionToolDefinition {
  readonly type: 'function';
  readonly function: {
    readonly name: string;
    readonly description: string;
    /** A JSON Schema that strict mode accepts. */
    readonly parameters: Readonly<Record<string, unknown>>;
    readonly strict: true;
  };
}

/** One of the `tool_calls` of an answer, as the provider sends it. Calls of another type are answered with an error. */
export interface ToolCall {
  readonly id: string;
  readonly type: string;
  /** `arguments`: JSON, written by the model. */
  readonly function?: { readonly name: string; readonly arguments: string };
}

/** What goes into the next request. `content`: JSON, the answer or `{ "error": … }`. */
export interface ToolMessage {
  readonly role: 'tool';
  readonly tool_call_id: string;
  readonly name: string;
  readonly content: string;
}

export interface FunctionTools {
  readonly definitions: readonly FunctionToolDefinition[];
  /** Whatever the model sent, the promise resolves: what is wrong with a call is told to the model. */
  dispatch(call: ToolCall): Promise<ToolMessage>;
  /** Side by side; the messages in the order of the calls. Answers without calls have no `tool_calls`: no messages. */
  dispatchAll(calls: readonly ToolCall[] | null | undefined): Promise<ToolMessage[]>;
}

export interface FunctionToolsOptions {
  /** Hears of a fault of ours; the model learns only that there was one (T9). */
  readonly onError?: (error: unknown) => void;
}

/**
 * @example
 * const tools = createFunctionTools(createRepertoire(await openCatalog({ roots: ['./skills'] })));
 * const request = { model, messages, tools: [...tools.definitions] };
 * messages.push(answer, ...(await tools.dispatchAll(answer.tool_calls)));
 */
export function createFunctionTools(
  repertoire: Repertoire,
  { onError = () => undefined }: FunctionToolsOptions = {},
): FunctionTools {
  const tools = [listSkills(repertoire), getSkill(repertoire)];
  const byName = new Map(tools.map((tool) => [tool.definition.function.name, tool]));
  const dispatch = async (call: ToolCall): Promise<ToolMessage> => {
    let labels = { id: '', name: '' };
    try {
      labels = labelsOf(call);
      const content = await answerTo(call, byName, repertoire);
      return { role: 'tool', tool_call_id: labels.id, name: labels.name, content };
    } catch (error) {
      onError(error);
      const content = JSON.stringify({ error: 'An unexpected error occurred' });
      return { role: 'tool', tool_call_id: labels.id, name: labels.name, content };
    }
  };
  return {
    definitions: tools.map(({ definition }) => definition),
    dispatch,
    // Anything but a list has no calls in it.
    dispatchAll: (calls) => Promise.all((Array.isArray(calls) ? calls : []).map((call) => dispatch(call))),
  };
}

interface FunctionTool {
  readonly definition: FunctionToolDefinition;
  /** What to send, for the messages about wrong arguments. */
  readonly example: string;
  call(input: JsonObject): Result<JsonObject, string>;
}

const listSkills = (repertoire: Repertoire): FunctionTool => ({
  definition: define(
    'list_skills',
    'List every skill with its description and uri, and the problems of those that cannot be served. ' +
      'Then read one with get_skill, before a task that it fits.',
    // Strict mode wants every property required, so what may be left out is nullable.
    {
      cursor: { type: ['string', 'null'], description: 'next_cursor of the page before; null for the first page' },
      limit: {
        type: ['integer', 'null'],
        description: `Skills per page, ${LIST_LIMIT.least} to ${LIST_LIMIT.most}; null for ${LIST_LIMIT.usual}`,
      },
    },
  ),
  example: '{ "cursor": null, "limit": null }',
  call: ({ cursor, limit }) => {
    const list = findSkillList(repertoire, { cursor: cursor ?? undefined, limit: limit ?? undefined });
    return list.ok ? ok(skillListJson(list.value)) : list;
  },
});

const getSkill = (repertoire: Repertoire): FunctionTool => ({
  definition: define(
    'get_skill',
    'Read the SKILL.MD documentation for a specific skill. Returns the full text content of the documentation file. ' +
      "skill_name is the name of the skill's folder: in the uri that list_skills gives, the last part before /SKILL.md.",
    { skill_name: { type: 'string', description: 'Name of the skill (folder name)' } },
  ),
  example: '{ "skill_name": "…" }',
  call: ({ skill_name: name }) => {
    if (typeof name !== 'string') return fail('Cannot get the skill: skill_name is not a string');
    const found = repertoire.loadByFolder(name);
    return found.ok ? ok(folderDocumentJson(found.value)) : found;
  },
});

function define(name: string, description: string, properties: JsonObject): FunctionToolDefinition {
  const parameters = { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
  return { type: 'function', function: { name, description, parameters, strict: true } };
}

/** What the message repeats of the call, so that it finds its place; empty where the call has none. */
function labelsOf(call: unknown): { readonly id: string; readonly name: string } {
  const { id, function: called } = fieldsOf(call);
  const { name } = fieldsOf(called);
  return { id: typeof id === 'string' ? id : '', name: typeof name === 'string' ? name : '' };
}

async function answerTo(
  call: unknown,
  tools: ReadonlyMap<string, FunctionTool>,
  repertoire: Repertoire,
): Promise<string> {
  const routed = parseCall(call, tools);
  if (!routed.ok) return JSON.stringify({ error: routed.failure });
  // Whoever looks something up sees every skill.
  await repertoire.whole();
  const { tool, input } = routed.value;
  const answer = tool.call(input);
  return JSON.stringify(answer.ok ? answer.value : { error: answer.failure });
}

interface RoutedCall {
  readonly tool: FunctionTool;
  readonly input: JsonObject;
}

function parseCall(call: unknown, tools: ReadonlyMap<string, FunctionTool>): Result<RoutedCall, string> {
  const { id, type, function: called } = fieldsOf(call);
  const { name, arguments: text } = fieldsOf(called);
  if (typeof id !== 'string') return malformed('its id is not a string');
  if (type !== 'function') return malformed('its type is not "function"');
  if (typeof name !== 'string') return malformed('it names no function');
  const tool = tools.get(name);
  if (tool === undefined)
    return fail(`Unknown function ${JSON.stringify(name.slice(0, 100))}: call ${[...tools.keys()].join(' or ')}`);
  if (typeof text !== 'string') return malformed('its arguments are not a string of JSON');
  const input = parseArguments(text, tool);
  return input.ok ? ok({ tool, input: input.value }) : input;
}

const malformed = (what: string) =>
  fail(
    `Cannot answer the tool call: ${what}; send { "id": "…", "type": "function", "function": { "name": "…", "arguments": "{…}" } }`,
  );

function parseArguments(text: string, { definition, example }: FunctionTool): Result<JsonObject, string> {
  const wrong = (what: string) => fail(`Cannot read the arguments: ${what}; send ${example}`);
  const parsed = parseJson(text);
  if (!parsed.ok) return wrong('they are not valid JSON');
  if (!isObject(parsed.value)) return wrong('they are not a JSON object');
  const { properties } = definition.function.parameters;
  const unknown = refuseUnknownFields(parsed.value, Object.keys(fieldsOf(properties)), example);
  return unknown === undefined ? ok(parsed.value) : fail(unknown);
}

function parseJson(text: string): Result<unknown, SyntaxError> {
  try {
    return ok(JSON.parse(text));
  } catch (error) {
    if (error instanceof SyntaxError) return fail(error);
    throw error;
  }
}

const fieldsOf = (value: unknown): JsonObject => (isObject(value) ? value : {});
