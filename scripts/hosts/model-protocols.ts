// Four ways in which hosts talk to a model: Anthropic's messages, OpenAI's chat completions, OpenAI's responses and
// Google's contents. Only as much of each as a host needs to offer tools, to be told to call one, and to say what it gave.

/** Some hosts put the tools of a server into a namespace. */
export interface ToolName {
  readonly name: string;
  readonly namespace?: string;
}

/** What a request comes down to. */
export interface Asked {
  readonly tools: readonly ToolName[];
  /** Everything that people said, in one text. */
  readonly text: string;
  /** What tools have answered in this conversation, in order. */
  readonly results: readonly string[];
}

export type Said = { readonly text: string } | { readonly call: ToolName; readonly input: object; readonly id: string };

export interface ModelProtocol {
  parse(body: RequestBody): Asked;
  /** Whether the host wants events: most say so in the request, Google's in the address. */
  isStreamed(body: RequestBody, url: string): boolean;
  /** As server-sent events. */
  stream(said: Said): string[];
  whole(said: Said): object;
}

/** Of all four; what a protocol does not have is missing. */
export interface RequestBody {
  readonly stream?: boolean;
  readonly tools?: readonly OfferedTool[];
  readonly messages?: readonly Message[];
  readonly input?: readonly Message[] | string;
  readonly contents?: readonly Message[];
}

/** One turn of a conversation, or one part of it. */
interface Message {
  readonly type?: string;
  readonly role?: string;
  readonly content?: unknown;
  readonly output?: unknown;
  readonly parts?: readonly { readonly text?: string; readonly functionResponse?: { readonly response: unknown } }[];
}

interface OfferedTool {
  readonly type?: string;
  readonly name?: string;
  readonly function?: { readonly name: string };
  readonly tools?: readonly OfferedTool[];
  readonly functionDeclarations?: readonly OfferedTool[];
}

const USAGE = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
const MODEL = 'scripted';

export function findProtocol(url: string): ModelProtocol | undefined {
  const path = url.split('?')[0] ?? '';
  return [...protocols].find(([ending]) => path.endsWith(ending))?.[1];
}

const anthropic: ModelProtocol = {
  parse: (body) =>
    parse(
      body,
      partsOf(body.messages).filter(({ type }) => type === 'tool_result'),
    ),
  isStreamed: ({ stream }) => stream === true,
  whole: (said) => ({ ...startedMessage(said), content: [contentOf(said)], stop_reason: stopOf(said) }),
  stream: (said) => {
    const content = contentOf(said);
    const isCall = 'call' in said;
    const empty = isCall ? { ...content, input: {} } : { type: 'text', text: '' };
    const delta = isCall
      ? { type: 'input_json_delta', partial_json: JSON.stringify(said.input) }
      : { type: 'text_delta', text: said.text };
    return events([
      { type: 'message_start', message: startedMessage(said) },
      { type: 'content_block_start', index: 0, content_block: empty },
      { type: 'content_block_delta', index: 0, delta },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: stopOf(said), stop_sequence: null }, usage: USAGE },
      { type: 'message_stop' },
    ]);
  },
};

/** Hosts keep answers apart by their ids. */
const startedMessage = (said: Said) => ({
  id: idOf(said, 'msg'),
  type: 'message',
  role: 'assistant',
  model: MODEL,
  content: [],
  stop_reason: null,
  stop_sequence: null,
  usage: USAGE,
});

const idOf = (said: Said, kind: string): string => `${kind}_${'call' in said ? said.id : 'last'}`;

const contentOf = (said: Said) =>
  'call' in said
    ? { type: 'tool_use', id: said.id, name: said.call.name, input: said.input }
    : { type: 'text', text: said.text };

const stopOf = (said: Said) => ('call' in said ? 'tool_use' : 'end_turn');

const chat: ModelProtocol = {
  parse: (body) =>
    parse(
      body,
      (body.messages ?? []).filter(({ role }) => role === 'tool'),
    ),
  isStreamed: ({ stream }) => stream === true,
  whole: (said) => ({
    ...completion(said),
    choices: [{ index: 0, message: messageOf(said), finish_reason: finishOf(said) }],
  }),
  stream: (said) => {
    const chunk = { ...completion(said), object: 'chat.completion.chunk' };
    const last = { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: finishOf(said) }] };
    return [
      ...[{ ...chunk, choices: [{ index: 0, delta: messageOf(said), finish_reason: null }] }, last].map(
        (event) => `data: ${JSON.stringify(event)}\n\n`,
      ),
      'data: [DONE]\n\n',
    ];
  },
};

const completion = (said: Said) => ({
  id: idOf(said, 'chatcmpl'),
  object: 'chat.completion',
  created: 1,
  model: MODEL,
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
});

const messageOf = (said: Said) =>
  'call' in said
    ? {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            index: 0,
            id: said.id,
            type: 'function',
            function: { name: said.call.name, arguments: JSON.stringify(said.input) },
          },
        ],
      }
    : { role: 'assistant', content: said.text };

const finishOf = (said: Said) => ('call' in said ? 'tool_calls' : 'stop');

const responses: ModelProtocol = {
  parse: (body) =>
    parse(
      body,
      itemsOf(body.input).filter(({ type }) => type === 'function_call_output'),
    ),
  isStreamed: ({ stream }) => stream === true,
  whole: (said) => completed(said),
  stream: (said) =>
    events([
      { type: 'response.created', response: { ...completed(said), status: 'in_progress', output: [] } },
      { type: 'response.output_item.done', output_index: 0, item: itemOf(said) },
      { type: 'response.completed', response: completed(said) },
    ]),
};

const completed = (said: Said) => ({
  id: idOf(said, 'resp'),
  object: 'response',
  created_at: 1,
  model: MODEL,
  status: 'completed',
  output: [itemOf(said)],
  usage: USAGE,
});

const itemOf = (said: Said) =>
  'call' in said
    ? {
        id: idOf(said, 'fc'),
        type: 'function_call',
        call_id: said.id,
        ...said.call,
        arguments: JSON.stringify(said.input),
      }
    : {
        id: idOf(said, 'msg'),
        type: 'message',
        role: 'assistant',
        content: [{ type: 'output_text', text: said.text }],
      };

const google: ModelProtocol = {
  parse: (body) =>
    parse(
      body,
      (body.contents ?? []).flatMap(({ parts = [] }) =>
        parts.flatMap(({ functionResponse }) =>
          functionResponse === undefined ? [] : [{ output: functionResponse.response }],
        ),
      ),
    ),
  isStreamed: (_body, url) => url.includes(':streamGenerateContent'),
  whole: (said) => ({
    candidates: [{ index: 0, content: { role: 'model', parts: [partOf(said)] }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
    modelVersion: MODEL,
  }),
  stream: (said) => [`data: ${JSON.stringify(google.whole(said))}\n\n`],
};

const partOf = (said: Said) =>
  'call' in said ? { functionCall: { name: said.call.name, args: said.input } } : { text: said.text };

const protocols = new Map([
  ['/messages', anthropic],
  ['/chat/completions', chat],
  ['/responses', responses],
  [':generateContent', google],
  [':streamGenerateContent', google],
]);

function parse({ tools = [], messages, input, contents }: RequestBody, results: readonly Message[]): Asked {
  return {
    tools: tools.flatMap((tool) => namesOf(tool)),
    text: JSON.stringify(messages ?? input ?? contents ?? []),
    results: results.map(({ content, output }) => textOf(content ?? output)),
  };
}

/** The parts of all messages that have parts. */
const partsOf = (messages: readonly Message[] = []): readonly Message[] =>
  messages.flatMap(({ content }) => (Array.isArray(content) ? (content as Message[]) : [])); // as the protocol has it

const itemsOf = (input: RequestBody['input'] = []): readonly Message[] => (typeof input === 'string' ? [] : input);

/** A text as it is; of parts their texts; anything else as JSON. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return JSON.stringify(value ?? null);
  return value.map((part: { readonly text?: string }) => part.text ?? JSON.stringify(part)).join('\n');
}

function namesOf({ name, function: described, tools, functionDeclarations }: OfferedTool): ToolName[] {
  if (functionDeclarations !== undefined) return functionDeclarations.flatMap(namesOf);
  if (tools !== undefined && name !== undefined)
    return tools.flatMap(namesOf).map((inside) => ({ ...inside, namespace: name }));
  const own = described?.name ?? name;
  return own === undefined ? [] : [{ name: own }];
}

const events = (list: readonly { readonly type: string; readonly [field: string]: unknown }[]): string[] =>
  list.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
