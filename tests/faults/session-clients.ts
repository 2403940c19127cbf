// Clients of the 2025 protocols as hosts use them, over HTTP: what a session is asked for, whichever library asks.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';

interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onprogress?: (progress: { progress: number }) => void;
}

export interface SessionClient {
  readonly sessionId: string;
  tools(): Promise<readonly string[]>;
  call(name: string, args?: Record<string, unknown>, options?: CallOptions): Promise<Record<string, unknown>>;
  resources(): Promise<readonly string[]>;
  read(uri: string): Promise<unknown>;
  prompts(): Promise<readonly string[]>;
  prompt(name: string): Promise<unknown>;
  subscribe(uri: string): Promise<unknown>;
  /** What its streams told since the last time: `tools`, or the URI of a resource. */
  takeHeard(): readonly string[];
  /** Ends the session, then the connection. */
  end(): Promise<void>;
}

const identity = { name: 'replica-tests', version: '1.0.0' };
/** Streams that broke are opened again soon. */
const reconnectionOptions = {
  initialReconnectionDelay: 50,
  maxReconnectionDelay: 200,
  reconnectionDelayGrowFactor: 1.5,
  maxRetries: 1_000,
};

export async function connectCurrent(url: URL, token: string): Promise<SessionClient> {
  const client = new Client(identity, { versionNegotiation: { mode: 'legacy' } });
  const transport = new StreamableHTTPClientTransport(url, { requestInit: authorized(token), reconnectionOptions });
  const heard: string[] = [];
  client.setNotificationHandler('notifications/tools/list_changed', () => void heard.push('tools'));
  client.setNotificationHandler('notifications/resources/updated', (n) => void heard.push(n.params.uri));
  await client.connect(transport);
  return {
    sessionId: transport.sessionId ?? '',
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: (name, args = {}, options = {}) => client.callTool({ name, arguments: args }, options),
    resources: async () => (await client.listResources()).resources.map(({ uri }) => uri),
    read: async (uri) => (await client.readResource({ uri })).contents,
    prompts: async () => (await client.listPrompts()).prompts.map(({ name }) => name),
    prompt: async (name) => (await client.getPrompt({ name })).messages,
    subscribe: (uri) => client.subscribeResource({ uri }),
    takeHeard: () => heard.splice(0),
    end: async () => {
      await transport.terminateSession();
      await client.close();
    },
  };
}

export async function connectOlder(url: URL, token: string): Promise<SessionClient> {
  const client = new OlderClient(identity);
  const transport = new OlderTransport(url, { requestInit: authorized(token), reconnectionOptions });
  const heard: string[] = [];
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => void heard.push('tools'));
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, (n) => void heard.push(n.params.uri));
  // Its own declaration of `sessionId` does not fit the interface under exactOptionalPropertyTypes.
  await client.connect(transport as Transport);
  return {
    sessionId: transport.sessionId ?? '',
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: (name, args = {}, options = {}) => client.callTool({ name, arguments: args }, undefined, options),
    resources: async () => (await client.listResources()).resources.map(({ uri }) => uri),
    read: async (uri) => (await client.readResource({ uri })).contents,
    prompts: async () => (await client.listPrompts()).prompts.map(({ name }) => name),
    prompt: async (name) => (await client.getPrompt({ name })).messages,
    subscribe: (uri) => client.subscribeResource({ uri }),
    takeHeard: () => heard.splice(0),
    end: async () => {
      await transport.terminateSession();
      await client.close();
    },
  };
}

const authorized = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } });
