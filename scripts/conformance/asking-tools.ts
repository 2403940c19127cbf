// The tools and the prompt that the conformance suite wants for input rounds, and those that no typed skill could be: typed
// skills answer JSON, and what they ask, they ask as a task.
import { randomBytes } from 'node:crypto';
import { declaresTasks, needsTasks } from '../../src/surfaces/mcp/wire/client-capabilities.ts';
import {
  acceptedContent,
  createInputRounds,
  type InputRequest,
  InputRequired,
  type Round,
  type RoundMethod,
} from '../../src/surfaces/mcp/wire/input-rounds.ts';
import { invalidParams, rpcCode } from '../../src/surfaces/mcp/wire/json-rpc.ts';
import type { Method, MethodResult, MethodTable, ModernPart } from '../../src/surfaces/mcp/wire/method.ts';
import type { JsonObject } from '../../src/values/json-object.ts';
import { fail, ok } from '../../src/values/result.ts';

const form = (message: string, field: string, type = 'string'): InputRequest => ({
  method: 'elicitation/create',
  params: {
    mode: 'form',
    message,
    requestedSchema: { type: 'object', properties: { [field]: { type } }, required: [field] },
  },
});
const sampling: InputRequest = {
  method: 'sampling/createMessage',
  params: { messages: [{ role: 'user', content: { type: 'text', text: 'Greet' } }], maxTokens: 50 },
};
const roots: InputRequest = { method: 'roots/list', params: {} };

const said = (text: string): MethodResult => ok({ content: [{ type: 'text', text }] });

/** A text that was filled in; anything else is asked for again. */
const textIn = (round: Round, key: string, field: string): string | undefined => {
  const value = acceptedContent(round, key)?.[field];
  return typeof value === 'string' ? value : undefined;
};

const askName = (answer: (name: string) => MethodResult | Promise<MethodResult>): RoundMethod => {
  return (_params, _context, round) => {
    const name = textIn(round, 'user_name', 'name');
    return name === undefined ? new InputRequired({ user_name: form('What is your name?', 'name') }) : answer(name);
  };
};

const once =
  (key: string, request: InputRequest): RoundMethod =>
  (_params, _context, { replies }) =>
    replies.has(key) ? said(JSON.stringify(replies.get(key))) : new InputRequired({ [key]: request });

/** Nothing is believed without the state that came with the question. */
const confirmWithState: RoundMethod = (_params, _context, round) =>
  acceptedContent(round, 'confirm')?.ok === true && round.state === 'asked'
    ? said('state-ok')
    : new InputRequired({ confirm: form('Is it right?', 'ok', 'boolean') }, 'asked');

const threeKinds: RoundMethod = (_params, _context, { replies, state }) => {
  const asked = { user_name: form('What is your name?', 'name'), greeting: sampling, client_roots: roots };
  const isWhole = state === 'asked' && Object.keys(asked).every((key) => replies.has(key));
  return isWhole ? said(JSON.stringify([...replies])) : new InputRequired(asked, 'asked');
};

const twoRounds: RoundMethod = (_params, _context, round) => {
  const name = (round.state as { readonly name?: string } | undefined)?.name ?? textIn(round, 'step1', 'name');
  if (name === undefined) return new InputRequired({ step1: form('What is your name?', 'name') }, {});
  const color = textIn(round, 'step2', 'color');
  if (color === undefined) return new InputRequired({ step2: form('Which color?', 'color') }, { name });
  return said(`${name} likes ${color}`);
};

/** As much as this client can be asked. */
const asFarAsItCan: RoundMethod = (_params, _context, { canAsk, replies }) => {
  const all = { user_name: form('What is your name?', 'name'), greeting: sampling };
  const asked = Object.fromEntries(Object.entries(all).filter(([, request]) => canAsk(request)));
  return Object.keys(asked).every((key) => replies.has(key)) ? said('done') : new InputRequired(asked);
};

const promptInContext: RoundMethod = (_params, _context, round) => {
  const text = textIn(round, 'user_context', 'context');
  if (text === undefined) return new InputRequired({ user_context: form('In which context?', 'context') });
  return ok({ messages: [{ role: 'user', content: { type: 'text', text } }] });
};

const PREFIX = 'test_input_required_result';
const PROMPT = `${PREFIX}_prompt`;

/** By name; `callTool`: what the server itself would do. */
const askingTools = (callTool: Method): Readonly<Record<string, RoundMethod>> => ({
  greet: ({ arguments: given }) => said(`Hello, ${(given as JsonObject | undefined)?.name}!`),
  [`${PREFIX}_elicitation`]: askName((name) => said(`Hello, ${name}!`)),
  [`${PREFIX}_sampling`]: once('greeting', sampling),
  [`${PREFIX}_list_roots`]: once('client_roots', roots),
  [`${PREFIX}_request_state`]: confirmWithState,
  [`${PREFIX}_tampered_state`]: confirmWithState,
  [`${PREFIX}_multiple_inputs`]: threeKinds,
  [`${PREFIX}_multi_round`]: twoRounds,
  [`${PREFIX}_capabilities`]: asFarAsItCan,
  test_tool_with_task: (params, context, round) =>
    askName(async (name) => callTool({ ...params, name: 'greet_later', arguments: { name } }, context))(
      params,
      context,
      round,
    ),
});

const OBJECT: JsonObject = { type: 'object' };

/** They cannot be answered otherwise. */
const ONLY_AS_TASKS: ReadonlySet<unknown> = new Set(['failing_job', 'test_tool_with_task']);

export function adaptForSuite(table: MethodTable): MethodTable {
  const secret = randomBytes(32).toString('hex');
  const withRounds = createInputRounds({ secret: async () => secret, now: () => new Date() });
  const ours = (name: string): Method => table.methods.get(name) ?? (() => invalidParams(`There is no ${name}`));
  const asking = new Map(
    Object.entries(askingTools(ours('tools/call'))).map(([name, method]) => [name, withRounds('tools/call', method)]),
  );
  const methods = new Map(table.methods);
  methods.set('tools/list', async (params, context) => {
    const added = [...asking.keys()].map((name) => ({ name, description: 'Of the suite.', inputSchema: OBJECT }));
    return adding('tools', added, await ours('tools/list')(params, context));
  });
  methods.set('tools/call', (params, context) => {
    if (ONLY_AS_TASKS.has(params.name) && !declaresTasks(context)) return fail(needsTasks('This tool'));
    return (asking.get(String(params.name)) ?? ours('tools/call'))(params, context);
  });
  const prompt = withRounds('prompts/get', promptInContext);
  methods.set('prompts/list', async (params, context) =>
    adding('prompts', [{ name: PROMPT, description: 'Of the suite.' }], await ours('prompts/list')(params, context)),
  );
  methods.set('prompts/get', (params, context) =>
    (params.name === PROMPT ? prompt : ours('prompts/get'))(params, context),
  );
  return failingByProtocol({ ...table, methods });
}

/** The task of a call of `protocol_error_job` is shown as one that ended with a fault of the protocol, which no run of ours does. */
function failingByProtocol({ modern, ...table }: MethodTable): MethodTable {
  const [call, get] = [table.methods.get('tools/call'), modern?.methods.get('tasks/get')];
  if (modern === undefined || call === undefined || get === undefined) return { ...table, modern };
  const ids = new Set<unknown>();
  const noting: Method = async (params, context) => {
    const answer = await call(params, context);
    if (answer.ok && params.name === 'protocol_error_job') ids.add((answer.value as JsonObject).taskId);
    return answer;
  };
  const showing: Method = async (params, context) => {
    const answer = await get(params, context);
    if (!answer.ok || !ids.has(params.taskId)) return answer;
    const { result, ...task } = answer.value as JsonObject;
    return ok(result === undefined ? task : { ...task, status: 'failed', error: PROTOCOL_ERROR });
  };
  const tasks: ModernPart = { ...modern, methods: new Map(modern.methods).set('tasks/get', showing) };
  return { ...table, methods: new Map(table.methods).set('tools/call', noting), modern: tasks };
}

const PROTOCOL_ERROR = { code: rpcCode.internalError, message: 'The job met a fault of the protocol' };

/** Behind those of the server itself. */
function adding(list: string, added: readonly JsonObject[], result: MethodResult): MethodResult {
  if (!result.ok) return result;
  const value = result.value as JsonObject;
  return ok({ ...value, [list]: [...((value[list] as readonly JsonObject[] | undefined) ?? []), ...added] });
}
