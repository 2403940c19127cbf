// An MCP server built on either generation of the SDK, as registerSkills sees it. The only file that knows its insides.

import { isRecord } from '../../values/is-record.ts';
import type { JsonObject } from '../../values/json-object.ts';
import type { RequestContext } from './wire/method.ts';

export interface SdkRequest {
  readonly method: string;
  readonly params?: unknown;
}

/** A request handler as the SDK stores it: parameters unchecked, a throw with `code` is a JSON-RPC error. */
export type Handler = (request: SdkRequest, context: unknown) => Promise<JsonObject>;

interface Removable {
  remove(): void;
}

/** What differs between the generations. */
export interface SdkServer {
  readonly insides: Insides;
  /** Takes a tool's name and place in the list; what it looks like and does comes from our handlers. */
  reserveTool(name: string): Removable;
  reservePrompt(name: string): Removable;
  /** Takes the template's name and URI; a read that reaches it throws `reached`. */
  reserveTemplate(name: string, uriTemplate: string, reached: Error): Removable;
  contextOf(context: unknown): RequestContext;
  announce(kind: ListKind): Promise<void>;
  isConnected(): boolean;
}

/** `send`: the notification, on its way to whoever asked under this token; without a token nobody did. */
export function progressTo(token: unknown, send: (params: JsonObject) => Promise<void>): RequestContext['progress'] {
  if (token === undefined) return () => undefined;
  return (progress, total, message) => {
    const optional = { ...(total !== undefined && { total }), ...(message !== undefined && { message }) };
    // A client that has gone misses nothing: its call is cancelled.
    send({ progressToken: token, progress, ...optional }).catch(() => undefined);
  };
}

type ListKind = 'tools' | 'resources' | 'prompts';

/** Fields of an McpServer that its types hide. Seen in 1.32 and 2.4, and checked before they are used. */
export interface Insides {
  readonly _registeredTools: Registry;
  readonly _registeredPrompts: Registry;
  readonly _registeredResources: Registry;
  readonly _registeredResourceTemplates: Readonly<Record<string, RegisteredTemplate>>;
  _toolHandlersInitialized: boolean;
  _promptHandlersInitialized: boolean;
  _resourceHandlersInitialized: boolean;
  _completionHandlerInitialized: boolean;
  readonly server: {
    readonly _requestHandlers: Map<string, Handler>;
    _capabilities: JsonObject;
    onerror?: ((error: Error) => void) | undefined;
  };
}

type Registry = Readonly<Record<string, unknown>>;

interface RegisteredTemplate {
  readonly resourceTemplate: { readonly uriTemplate: { toString(): string; match(uri: string): unknown } };
}

const REGISTRIES = [
  '_registeredTools',
  '_registeredPrompts',
  '_registeredResources',
  '_registeredResourceTemplates',
] as const;

const FLAGS = [
  '_toolHandlersInitialized',
  '_promptHandlersInitialized',
  '_resourceHandlersInitialized',
  '_completionHandlerInitialized',
] as const;

/** `wanted`: the package and versions, for the sentence that refuses anything else. */
export function getInsides(server: object, wanted: string): Insides {
  const fields = server as Readonly<Record<string, unknown>>;
  const inner = fields.server as Readonly<Record<string, unknown>> | undefined;
  const isKnown =
    REGISTRIES.every((name) => isRecord(fields[name])) &&
    FLAGS.every((name) => typeof fields[name] === 'boolean') &&
    inner?._requestHandlers instanceof Map &&
    isRecord(inner._capabilities);
  if (!isKnown) throw new Error(`Cannot add skills: this is not an McpServer of ${wanted}`);
  // Every field that the type names was looked at above.
  return server as Insides;
}

export interface HandlerGroup {
  readonly capability: ListKind | 'completions';
  readonly flag: (typeof FLAGS)[number];
  readonly methods: readonly string[];
  /** Where the owner's registrations show that the group is in use. */
  readonly registries: readonly (typeof REGISTRIES)[number][];
}

/** The SDK sets the handlers of a group all at once, when the first thing of its kind is registered. */
export const HANDLER_GROUPS: readonly HandlerGroup[] = [
  {
    capability: 'tools',
    flag: '_toolHandlersInitialized',
    methods: ['tools/list', 'tools/call'],
    registries: ['_registeredTools'],
  },
  {
    capability: 'resources',
    flag: '_resourceHandlersInitialized',
    methods: ['resources/list', 'resources/templates/list', 'resources/read'],
    registries: ['_registeredResources', '_registeredResourceTemplates'],
  },
  {
    capability: 'prompts',
    flag: '_promptHandlersInitialized',
    methods: ['prompts/list', 'prompts/get'],
    registries: ['_registeredPrompts'],
  },
  {
    capability: 'completions',
    flag: '_completionHandlerInitialized',
    methods: ['completion/complete'],
    registries: ['_registeredPrompts', '_registeredResourceTemplates'],
  },
];
