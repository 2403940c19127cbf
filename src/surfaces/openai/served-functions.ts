// The functions themselves: definitions for the request, answers to the calls that a model makes (T11).
import { type Caller, LOCAL_OPERATOR } from '../../identity/caller.ts';
import { documentOperations } from '../../operations/documents.ts';
import { loadFolderDocument } from '../../operations/load-folder-document.ts';
import type { Repertoire } from '../../repertoire/repertoire.ts';
import { grouped } from '../../text/counted.ts';
import { echoText } from '../../text/list-text.ts';
import { isRecord } from '../../values/is-record.ts';
import type { JsonObject } from '../../values/json-object.ts';
import { hasTooManyValues, MAX_JSON_VALUES } from '../../values/json-values.ts';
import { fail, ok, type Result } from '../../values/result.ts';
import { refuseUnknownFields } from '../answers/unknown-fields.ts';
import {
  type DispatchContext,
  type FunctionTool,
  type FunctionTools,
  strictDefinition,
  type ToolCall,
  type ToolMessage,
} from './function-tool.ts';
import { hasFunction, operationFunction } from './operation-function.ts';
import { type TypedPorts, typedFunctionTools } from './typed-function-tools.ts';

export interface ServedOptions extends Pick<TypedPorts, 'runs' | 'waitMs'> {
  /** A fault of ours. */
  readonly onError: (error: unknown) => void;
}

/** Those of a server: skills whose runs survive are runs here, too (J1, J8). */
export function createServedFunctions(repertoire: Repertoire, { onError, ...ofRuns }: ServedOptions): FunctionTools {
  const runtime = { skills: repertoire.typedSkills, invoke: repertoire.invoke };
  const tools = [
    ...documentOperations.filter(hasFunction).map((each) => operationFunction(each, { repertoire })),
    getSkill(repertoire),
    ...typedFunctionTools({ runtime, ...ofRuns }),
  ];
  const byName = new Map(tools.map((tool) => [tool.definition.function.name, tool]));
  const dispatch = async (call: ToolCall, context: DispatchContext = {}): Promise<ToolMessage> => {
    let labels = { id: '', name: '' };
    try {
      labels = labelsOf(call);
      const content = await answerTo(call, context, byName, repertoire);
      return { role: 'tool', tool_call_id: labels.id, name: labels.name, content };
    } catch (error) {
      onError(error);
      const content = JSON.stringify({ error: 'An unexpected error occurred' });
      return { role: 'tool', tool_call_id: labels.id, name: labels.name, content };
    }
  };
  return {
    definitions: tools.map(({ definition }) => definition),
    definitionsFor: (caller) => offered(tools, caller).map(({ definition }) => definition),
    dispatch,
    // Anything but a list has no calls in it.
    dispatchAll: (calls, context) =>
      Promise.all((Array.isArray(calls) ? calls : []).map((call) => dispatch(call, context))),
  };
}

const offered = (tools: Iterable<FunctionTool>, caller: Caller): readonly FunctionTool[] =>
  [...tools].filter(({ isFor }) => isFor === undefined || isFor(caller));

const getSkill = (repertoire: Repertoire): FunctionTool => ({
  definition: strictDefinition(
    'get_skill',
    'Read the SKILL.MD documentation for a specific skill. Returns the full text content of the documentation file. ' +
      "skill_name is the name of the skill's folder: in the uri that list_skills gives, the last part before /SKILL.md.",
    { skill_name: { type: 'string', description: 'Name of the skill (folder name)' } },
  ),
  example: '{ "skill_name": "…" }',
  fields: ['skill_name'],
  call: ({ skill_name: name }, { caller }) => {
    if (typeof name !== 'string') return fail('Cannot get the skill: skill_name is not a string');
    const { name: client } = caller ?? LOCAL_OPERATOR;
    const loaded = loadFolderDocument(repertoire.for(caller ?? LOCAL_OPERATOR), name, { client, caller });
    return loaded.ok ? ok(loaded.value.document) : loaded;
  },
});

/** What the message repeats of the call, so that it finds its place; empty where the call has none. */
function labelsOf(call: unknown): { readonly id: string; readonly name: string } {
  const { id, function: called } = fieldsOf(call);
  const { name } = fieldsOf(called);
  return { id: typeof id === 'string' ? id : '', name: typeof name === 'string' ? name : '' };
}

async function answerTo(
  call: unknown,
  context: DispatchContext,
  tools: ReadonlyMap<string, FunctionTool>,
  repertoire: Repertoire,
): Promise<string> {
  const routed = parseCall(call, tools, context.caller ?? LOCAL_OPERATOR);
  if (!routed.ok) return JSON.stringify({ error: routed.failure });
  // A lookup sees every skill.
  await repertoire.whole();
  const { tool, input } = routed.value;
  const answer = await tool.call(input, context);
  return JSON.stringify(answer.ok ? answer.value : { error: answer.failure });
}

interface RoutedCall {
  readonly tool: FunctionTool;
  readonly input: JsonObject;
}

function parseCall(
  call: unknown,
  tools: ReadonlyMap<string, FunctionTool>,
  caller: Caller,
): Result<RoutedCall, string> {
  const { id, type, function: called } = fieldsOf(call);
  const { name, arguments: text } = fieldsOf(called);
  if (typeof id !== 'string') return malformed('its id is not a string');
  if (type !== 'function') return malformed('its type is not "function"');
  if (typeof name !== 'string') return malformed('it names no function');
  const tool = tools.get(name);
  if (tool === undefined)
    return fail(
      `Unknown function ${JSON.stringify(echoText(name, 100))}: call ${namesOf(offered(tools.values(), caller))}`,
    );
  if (typeof text !== 'string') return malformed('its arguments are not a string of JSON');
  const input = parseArguments(text, tool);
  return input.ok ? ok({ tool, input: input.value }) : input;
}

/** A model knows the others from the definitions. */
const MAX_NAMES = 5;

function namesOf(tools: readonly FunctionTool[]): string {
  const names = tools.slice(0, MAX_NAMES).map(({ definition }) => definition.function.name);
  return [...names, ...(tools.length > MAX_NAMES ? ['another one'] : [])].join(' or ');
}

const malformed = (what: string) =>
  fail(
    `Cannot answer the tool call: ${what}; send { "id": "…", "type": "function", "function": { "name": "…", "arguments": "{…}" } }`,
  );

function parseArguments(text: string, { fields, example }: FunctionTool): Result<JsonObject, string> {
  const wrong = (what: string) => fail(`Cannot read the arguments: ${what}; send ${example}`);
  if (hasTooManyValues(text)) return wrong(`they have more than ${grouped(MAX_JSON_VALUES)} values`);
  const parsed = parseJson(text);
  if (!parsed.ok) return wrong('they are not valid JSON');
  if (!isRecord(parsed.value)) return wrong('they are not a JSON object');
  const unknown = fields && refuseUnknownFields(parsed.value, fields, example);
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

const fieldsOf = (value: unknown): JsonObject => (isRecord(value) ? value : {});
