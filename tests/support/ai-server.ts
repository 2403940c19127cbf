// A local server that speaks chat completions for tests: answers well or badly, as told, and keeps what it was asked.
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AiEndpoint } from '../../src/builtin/ai/chat-client.ts';

interface AskedAi {
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: {
    readonly model: string;
    readonly messages: readonly { readonly role: string; readonly content: string }[];
  };
}

/** Given to the client as one response; a function may do with the connection what it likes. */
export type AiReply = (response: ServerResponse) => void;

export interface AiServer {
  readonly endpoint: AiEndpoint;
  readonly asked: readonly AskedAi[];
  /** For the next requests in turn; the last one stays. */
  reply(...replies: readonly AiReply[]): void;
  close(): Promise<void>;
}

export const AI_KEY = 'key-of-the-operator-7f3a91';

export async function openAiServer(): Promise<AiServer> {
  const asked: AskedAi[] = [];
  let replies: readonly AiReply[] = [says({ suggestions: [] })];
  const server = createServer((request, response) => {
    read(request)
      .then((body) => {
        asked.push({ url: request.url, headers: request.headers, body });
        const [next, ...later] = replies;
        if (later.length > 0) replies = later;
        next?.(response);
      })
      // A client that gives up in the middle of its question.
      .catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: { baseUrl: `http://127.0.0.1:${port}/v1`, model: 'test-model', key: AI_KEY },
    asked,
    reply: (...given) => {
      replies = given;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function read(request: IncomingMessage): Promise<AskedAi['body']> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString('utf8'));
}

const send = (status: number, body: string, headers: Readonly<Record<string, string>> = {}): AiReply => {
  return (response) => response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
};

const completion = (content: unknown): string =>
  JSON.stringify({ object: 'chat.completion', choices: [{ message: { role: 'assistant', content } }] });

/** A model that answers with this; an object as its JSON. */
export const says = (content: unknown): AiReply =>
  send(200, completion(typeof content === 'string' ? content : JSON.stringify(content)));

/** A body that is no chat completion. */
export const sends = (body: string): AiReply => send(200, body);

/** The text of the error holds the key, as some servers do. */
export const fails = (status: number): AiReply =>
  send(status, JSON.stringify({ error: { message: `Incorrect API key provided: ${AI_KEY}` } }));

export const redirects = (to: string): AiReply => send(307, '', { location: to });

export const hangs: AiReply = () => {};

/** The head and then nothing more. */
export const hangsAfterHead: AiReply = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders();
};

/** A byte now and then, without an end. */
export const drips: AiReply = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const timer = setInterval(() => response.write(' '), 20);
  response.on('close', () => clearInterval(timer));
};

export const breaksOff: AiReply = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
  response.write('{"choices":', () => response.destroy());
};

/** So many megabytes of a valid completion; `sent` tells how many were taken. */
export function floods(megabytes: number): AiReply & { sent: number } {
  const megabyte = 'x'.repeat(1_000_000);
  const reply = Object.assign(
    (response: ServerResponse): void => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"choices":[{"message":{"content":"');
      const more = (): void => {
        if (response.destroyed) return;
        if (reply.sent === megabytes) return void response.end('"}}]}');
        reply.sent += 1;
        response.write(megabyte, more);
      };
      more();
    },
    { sent: 0 },
  );
  return reply;
}
