// One question to an OpenAI-compatible endpoint: chat completions, no redirect followed, an answer of bounded size.
// Never rejects, and no fault holds a text of the endpoint or of the network: those may repeat the key.
import { z } from 'zod';
import { fail, ok, type Result } from '../../values/result.ts';

/** What the operator configured for the skills that ask a language model (B3). */
export interface AiEndpoint {
  /** Of an OpenAI-compatible API, with its `/v1`. */
  readonly baseUrl: string;
  readonly model: string;
  /** A server on the same machine may want none. */
  readonly key: string | undefined;
}

export interface ChatMessage {
  readonly role: 'system' | 'user';
  readonly content: string;
}

export interface ChatFault {
  /** The end of "Cannot use the AI endpoint: …". */
  readonly reason: string;
  /** Whether the same question may be answered a moment later. */
  readonly mayPass: boolean;
}

const MAX_BYTES = 1_048_576;

/** What the model said. */
export async function postChat(
  endpoint: AiEndpoint,
  messages: readonly ChatMessage[],
  signal: AbortSignal,
): Promise<Result<string, ChatFault>> {
  try {
    const response = await fetch(addressOf(endpoint), requestOf(endpoint, messages, signal));
    if (response.ok) return contentOf(await readCapped(response, MAX_BYTES));
    await response.body?.cancel();
    return fail(refusalOf(response.status));
  } catch {
    // No network, a broken connection, our own time limit, a key that is no header: the text of the error may hold the key.
    return fail({ reason: 'it cannot be reached, or broke off', mayPass: true });
  }
}

const addressOf = ({ baseUrl }: AiEndpoint): string => `${baseUrl.replace(/\/$/, '')}/chat/completions`;

/** Nothing beside what every such server knows: one that refuses a field it does not know would never answer. */
const requestOf = ({ model, key }: AiEndpoint, messages: readonly ChatMessage[], signal: AbortSignal): RequestInit => ({
  method: 'POST',
  headers: {
    'content-type': 'application/json',
    accept: 'application/json',
    ...(key !== undefined && { authorization: `Bearer ${key}` }),
  },
  body: JSON.stringify({ model, messages, stream: false }),
  // The key and the tasks are for this address only.
  redirect: 'manual',
  signal,
});

const refusalOf = (status: number): ChatFault => ({
  reason: `it answered with the status ${status}`,
  mayPass: status === 429 || status >= 500,
});

const completion = z.object({ choices: z.array(z.object({ message: z.object({ content: z.string() }) })).min(1) });

function contentOf(text: string | undefined): Result<string, ChatFault> {
  if (text === undefined) return fail({ reason: 'its answer is larger than 1 MB', mayPass: false });
  const parsed = completion.safeParse(parseJson(text));
  const content = parsed.data?.choices[0]?.message.content;
  return content === undefined ? fail({ reason: 'its answer is no chat completion', mayPass: false }) : ok(content);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** `undefined`: it is larger than that, and the connection was dropped: what lies beyond is never held. */
async function readCapped(response: Response, maxBytes: number): Promise<string | undefined> {
  const reader = response.body?.getReader();
  if (reader === undefined) return '';
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return Buffer.concat(chunks).toString('utf8');
    size += value.byteLength;
    if (size > maxBytes) {
      await reader.cancel();
      return undefined;
    }
    chunks.push(value);
  }
}
