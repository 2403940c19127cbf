// MCP over HTTP with nothing hidden: every status, header and event, in either era of the protocol.
import { modernMeta } from './modern-meta.ts';
import type { Message } from './raw-client.ts';

type Fields = Record<string, unknown>;
type Headers = Record<string, string>;

export interface HttpReply {
  readonly status: number;
  readonly headers: globalThis.Headers;
  readonly text: string;
  /** What the body holds: one answer, the items of a batch, or the events of a stream. */
  readonly messages: readonly Message[];
  readonly code: number | undefined;
}

const ACCEPT = 'application/json, text/event-stream';

/** One POST, its answer read to the end. */
export async function post(url: URL, body: unknown, headers: Headers = {}, signal?: AbortSignal): Promise<HttpReply> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: ACCEPT, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    signal: signal ?? null,
  });
  const text = await response.text();
  const messages = messagesIn(text, response.headers.get('content-type') ?? '');
  return { status: response.status, headers: response.headers, text, messages, code: messages[0]?.error?.code };
}

export interface ModernOptions {
  readonly id?: string | number;
  /** Changes to the headers that fit the request; undefined leaves one out. */
  readonly headers?: Record<string, string | undefined>;
  /** Changes to `_meta`; null leaves it out. */
  readonly meta?: Fields | null;
  readonly signal?: AbortSignal;
}

export function askModern(
  url: URL,
  method: string,
  params: Fields = {},
  options: ModernOptions = {},
): Promise<HttpReply> {
  const message = modernRequest(method, params, options);
  return post(url, message, modernHeaders(message, options.headers), options.signal);
}

export function modernRequest(method: string, params: Fields, { id = 1, meta = {} }: ModernOptions = {}) {
  return { jsonrpc: '2.0', id, method, params: meta === null ? params : { ...params, _meta: modernMeta(meta) } };
}

export function modernHeaders(
  { method, params }: { readonly method: string; readonly params: Fields },
  changes: Record<string, string | undefined> = {},
): Headers {
  const named = { 'tools/call': params.name, 'prompts/get': params.name, 'resources/read': params.uri }[method];
  const fitting = {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    ...(typeof named === 'string' ? { 'mcp-name': named } : {}),
    ...changes,
  };
  return Object.fromEntries(
    Object.entries(fitting).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

/** A session of the 2025 era. */
export class HttpSessionClient {
  readonly id: string;
  readonly hello: HttpReply;
  readonly #url: URL;
  readonly #headers: Headers;

  constructor(url: URL, hello: HttpReply, version: string, headers: Headers) {
    this.#url = url;
    this.hello = hello;
    this.id = hello.headers.get('mcp-session-id') ?? '';
    this.#headers = { ...headers, 'mcp-session-id': this.id, 'mcp-protocol-version': version };
  }

  request(id: string | number, method: string, params: Fields = {}, headers: Headers = {}): Promise<HttpReply> {
    return this.send({ jsonrpc: '2.0', id, method, params }, headers);
  }

  call(id: string | number, name: string, args: Fields = {}, _meta?: Fields): Promise<HttpReply> {
    return this.request(id, 'tools/call', { name, arguments: args, ...(_meta && { _meta }) });
  }

  notify(method: string, params: Fields = {}): Promise<HttpReply> {
    return this.send({ jsonrpc: '2.0', method, params });
  }

  send(body: unknown, headers: Headers = {}): Promise<HttpReply> {
    return post(this.#url, body, { ...this.#headers, ...headers });
  }

  listen(headers: Headers = {}): Promise<EventReader> {
    return openEvents(this.#url, { headers: { accept: 'text/event-stream', ...this.#headers, ...headers } });
  }

  async end(): Promise<number> {
    return (await fetch(this.#url, { method: 'DELETE', headers: this.#headers })).status;
  }
}

export async function openSession(url: URL, version = '2025-11-25', headers: Headers = {}): Promise<HttpSessionClient> {
  const clientInfo = { name: 'contract-tests', version: '1.0.0' };
  const params = { protocolVersion: version, capabilities: {}, clientInfo };
  const hello = await post(url, { jsonrpc: '2.0', id: 'hello', method: 'initialize', params }, headers);
  const session = new HttpSessionClient(url, hello, version, headers);
  await session.notify('notifications/initialized');
  return session;
}

/** A stream of events while it runs. */
export class EventReader {
  readonly messages: Message[] = [];
  comments = 0;
  ended = false;
  readonly status: number;
  readonly #controller: AbortController;

  constructor(response: Response, controller: AbortController) {
    this.status = response.status;
    this.#controller = controller;
    void this.#read(response);
  }

  /** Closes the connection, as a client does that has heard enough. */
  close(): void {
    this.#controller.abort();
  }

  async #read(response: Response): Promise<void> {
    let rest = '';
    try {
      for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
        const blocks = (rest + chunk).split('\n\n');
        rest = blocks.pop() ?? '';
        for (const block of blocks) this.#take(block);
      }
    } catch (error) {
      // Cut off, by the server or by close(): the tests look at `ended`.
      if (!(error instanceof Error)) throw error;
    }
    this.ended = true;
  }

  #take(block: string): void {
    if (block.startsWith(':')) this.comments += 1;
    else this.messages.push(...eventsIn(block));
  }
}

export async function openEvents(url: URL, init: RequestInit): Promise<EventReader> {
  const controller = new AbortController();
  return new EventReader(await fetch(url, { ...init, signal: controller.signal }), controller);
}

export function listenModern(
  url: URL,
  notifications: Fields,
  id: string | number = 'listen',
  further: Headers = {},
): Promise<EventReader> {
  const message = modernRequest('subscriptions/listen', { notifications }, { id });
  const headers = { 'content-type': 'application/json', accept: ACCEPT, ...modernHeaders(message), ...further };
  return openEvents(url, { method: 'POST', headers, body: JSON.stringify(message) });
}

function messagesIn(text: string, type: string): readonly Message[] {
  if (type.startsWith('text/event-stream')) return eventsIn(text);
  if (text === '') return [];
  const value = JSON.parse(text);
  return Array.isArray(value) ? value : [value];
}

const eventsIn = (text: string): readonly Message[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => JSON.parse(line.slice('data: '.length)));
