// The tool loop: ask the model, answer its calls, ask again, until it answers in words.
import type { FunctionTools } from '../../src/surfaces/openai/function-tools.ts';
import type { AssistantMessage, ChatMessage, ChatRequest, ChatResponse } from './chat-completions.ts';

export interface Provider {
  /** Up to and with `/v1`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly model: string;
}

/** A model that never stops calling is stopped. */
const MAX_TURNS = 10;

/** Answers the whole conversation; its last message is the model's answer. */
export async function runToolLoop(
  provider: Provider,
  tools: FunctionTools,
  question: string,
): Promise<readonly ChatMessage[]> {
  const messages: ChatMessage[] = [
    { role: 'system', content: 'Before a task, look for a skill that fits it, read it and follow it.' },
    { role: 'user', content: question },
  ];
  for (let turn = 0; turn < MAX_TURNS; turn += 1) {
    const answer = await askModel(provider, { model: provider.model, messages, tools: tools.definitions });
    messages.push(answer);
    const results = await tools.dispatchAll(answer.tool_calls);
    if (results.length === 0) return messages;
    messages.push(...results);
  }
  throw new Error(`Cannot finish: the model still calls tools after ${MAX_TURNS} turns`);
}

async function askModel({ baseUrl, apiKey }: Provider, request: ChatRequest): Promise<AssistantMessage> {
  const response = await fetch(`${baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${apiKey}` },
    body: JSON.stringify(request),
  });
  if (!response.ok) throw new Error(`The model answered ${response.status}: ${await response.text()}`);
  // The provider's promise; what it says about tools is checked by dispatch().
  const { choices } = (await response.json()) as ChatResponse;
  const message = choices[0]?.message;
  if (message === undefined) throw new Error('The model answered without a message');
  return message;
}
