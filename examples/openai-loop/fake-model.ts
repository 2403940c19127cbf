// A stand-in for a provider that cannot run here: speaks chat completions over HTTP, and plays a model by simple rules.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ToolCall, ToolMessage } from '../../src/surfaces/openai/function-tools.ts';
import type { AssistantMessage, ChatMessage, ChatRequest, ChatResponse } from './chat-completions.ts';

export interface FakeModel {
  /** Up to and with `/v1`. */
  readonly baseUrl: string;
  close(): Promise<void>;
}

export async function openFakeModel(): Promise<FakeModel> {
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      const message = error instanceof Error ? error.message : 'unknown';
      send(response, 400, { error: { message, type: 'invalid_request_error' } });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        // The client keeps its connection for a next request that will not come.
        server.closeAllConnections();
      }),
  };
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method !== 'POST' || request.url !== '/v1/chat/completions')
    return send(response, 404, { error: { message: 'Not found', type: 'invalid_request_error' } });
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const { messages, tools }: ChatRequest = JSON.parse(Buffer.concat(chunks).toString('utf8'));
  refuseOpenCalls(messages);
  const message = nextMessage(messages);
  for (const call of message.tool_calls ?? []) {
    if (!tools.some((tool) => tool.function.name === call.function?.name))
      throw new Error(`The request offers no function ${call.function?.name}`);
  }
  const reply: ChatResponse = {
    choices: [{ finish_reason: message.tool_calls ? 'tool_calls' : 'stop', message }],
  };
  send(response, 200, { id: 'chatcmpl-1', object: 'chat.completion', ...reply });
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** As providers do: each call is answered, right after the message that made it. */
function refuseOpenCalls(messages: readonly ChatMessage[]): void {
  for (const [index, message] of messages.entries()) {
    const calls = message.role === 'assistant' ? (message.tool_calls ?? []) : [];
    const following = messages.slice(index + 1, index + 1 + calls.length);
    const answered = new Set(following.map((each) => (each.role === 'tool' ? each.tool_call_id : undefined)));
    const open = calls.find((call) => !answered.has(call.id));
    if (open) throw new Error(`An assistant message with tool_calls must be followed by the result of ${open.id}`);
  }
}

/** The rules: list the skills, read the two that fit best at once, answer. */
function nextMessage(messages: readonly ChatMessage[]): AssistantMessage {
  const results = messages.filter((message) => message.role === 'tool');
  const [list, ...documents] = results;
  if (list === undefined) return callFunctions([['list_skills', { cursor: null, limit: null }]]);
  if (documents.length > 0) return { role: 'assistant', content: summarise(documents) };
  const question = messages.findLast((message) => message.role === 'user')?.content ?? '';
  const fitting = chooseSkills(list, question);
  if (fitting.length === 0) return { role: 'assistant', content: 'No skill fits this task.' };
  return callFunctions(fitting.map((name) => ['get_skill', { skill_name: name }]));
}

function callFunctions(wanted: readonly (readonly [name: string, input: object])[]): AssistantMessage {
  const calls = wanted.map(
    ([name, input], index): ToolCall => ({
      id: `call_${name}_${index + 1}`,
      type: 'function',
      function: { name, arguments: JSON.stringify(input) },
    }),
  );
  return { role: 'assistant', content: null, tool_calls: calls };
}

/** The folders of the two skills whose descriptions share most words with the question. */
function chooseSkills({ content }: ToolMessage, question: string): readonly string[] {
  const { skills }: { skills: readonly { description: string; uri: string }[] } = JSON.parse(content);
  const asked = wordsOf(question);
  return skills
    .map(({ description, uri }) => ({
      uri,
      shared: [...wordsOf(description)].filter((word) => asked.has(word)).length,
    }))
    .filter(({ shared }) => shared > 0)
    .sort((a, b) => b.shared - a.shared)
    .slice(0, 2)
    .map(({ uri }) => decodeURIComponent(uri.split('/').at(-2) ?? ''));
}

/** Short words say little about a task. */
const wordsOf = (text: string): ReadonlySet<string> => new Set(text.toLowerCase().match(/\p{L}{5,}/gu) ?? []);

function summarise(results: readonly ToolMessage[]): string {
  const lines = results.map(({ content }) => {
    const { skill_name: name, documentation, error }: Record<string, string | undefined> = JSON.parse(content);
    const title = documentation?.match(/^# (.+)$/m)?.[1];
    return error === undefined ? `- ${name}: "${title}", ${documentation?.length} characters` : `- ${error}`;
  });
  return `I have read:\n${lines.join('\n')}`;
}
