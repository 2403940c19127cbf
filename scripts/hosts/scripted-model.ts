// A model on 127.0.0.1 that follows a script instead of thinking. Speaks what hosts speak to their providers
// (model-protocols.ts), so that a real host calls a real tool.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Asked, findProtocol, type Said } from './model-protocols.ts';

export interface ScriptedModel {
  readonly url: string;
  /** Every request it got, as "POST /v1/messages": what a host looks for and does not find. */
  requests(): readonly string[];
  close(): Promise<void>;
}

/** What to say to a request. */
type Decide = (asked: Asked) => Said | Promise<Said>;

export async function startScriptedModel(decide: Decide): Promise<ScriptedModel> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    answer(request, response, decide).catch((error: unknown) => {
      response.writeHead(500).end(String(error));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // listens on a port
  return {
    url: `http://127.0.0.1:${port}`,
    requests: () => requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(request: IncomingMessage, response: ServerResponse, decide: Decide): Promise<void> {
  const url = request.url ?? '';
  const protocol = findProtocol(url);
  if (request.method !== 'POST' || protocol === undefined) {
    // Hosts look for models and news; all of them go on without.
    response.writeHead(404, { 'Content-Type': 'application/json' }).end('{"error":{"message":"not here"}}');
    return;
  }
  const body = JSON.parse(await readText(request));
  const said = await decide(protocol.parse(body));
  if (protocol.isStreamed(body, url)) {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' }).end(protocol.stream(said).join(''));
    return;
  }
  response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(protocol.whole(said)));
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
