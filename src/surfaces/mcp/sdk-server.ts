// An McpServer of either generation of the SDK, as registerSkills sees it. The only file that knows its private fields.
//
// The public API is used for all that it can do. It cannot pass a request on to the owner's handler, keep our own sentences
// about wrong parameters (it checks them with its schema library first), say which names are taken, or take back a handler.
import { isRecord } from '../../values/is-record.ts';
import type { JsonObject } from '../../values/json-object.ts';
import { rpcCode } from './wire/json-rpc.ts';
import type { RequestContext } from './wire/method.ts';

export interface SdkServer {
  readonly mcp: PublicMcpServer;
  readonly fields: PrivateFields;
  /** Of the template for every file of every skill. */
  readonly skillTemplate: unknown;
  contextOf(context: unknown): RequestContext;
}

/** What both generations offer in the same words. */
interface PublicMcpServer {
  readonly server: {
    onerror?: ((error: Error) => void) | undefined;
    sendToolListChanged(): Promise<void>;
    sendResourceListChanged(): Promise<void>;
    sendPromptListChanged(): Promise<void>;
  };
  isConnected(): boolean;
  registerTool(name: string, config: object, call: () => { content: [] }): Removable;
  registerPrompt(name: string, config: object, get: () => { messages: [] }): Removable;
  registerResource(name: string, template: unknown, config: object, read: () => Promise<never>): Removable;
}

interface Removable {
  remove(): void;
}

export interface SdkRequest {
  readonly method: string;
  readonly params?: unknown;
}

/** A request handler as the SDK stores it: parameters unchecked, a throw with `code` is a JSON-RPC error. */
export type Handler = (request: SdkRequest, context: unknown) => Promise<JsonObject>;

type Registry = Readonly<Record<string, unknown>>;

/** Fields of an McpServer that its types hide. Seen in 1.32 and 2.4, and checked before they are used. */
export interface PrivateFields {
  readonly _registeredTools: Registry;
  readonly _registeredPrompts: Registry;
  readonly _registeredResources: Registry;
  readonly _registeredResourceTemplates: Readonly<Record<string, RegisteredTemplate>>;
  _toolHandlersInitialized: boolean;
  _promptHandlersInitialized: boolean;
  _resourceHandlersInitialized: boolean;
  _completionHandlerInitialized: boolean;
  readonly server: { readonly _requestHandlers: Map<string, Handler>; _capabilities: JsonObject };
}

interface RegisteredTemplate {
  readonly resourceTemplate: { readonly uriTemplate: { toString(): string; match(uri: string): unknown } };
}

/** Begins our cursors, so that they are told from those of the server. */
export const OUR_CURSOR = 'skills:';

/** The SDK sets the handlers of a group all at once, when the first thing of its kind is registered. */
export const HANDLER_GROUPS = [
  {
    capability: 'tools',
    flag: '_toolHandlersInitialized',
    methods: ['tools/list', 'tools/call'],
    /** Where the owner's registrations show that the group is in use. */
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
] as const;

/** `wanted`: the package and versions, for the sentence that refuses anything else. */
export function getPrivateFields(server: object, wanted: string): PrivateFields {
  const fields: JsonObject = { ...server };
  const inner: JsonObject = { ...Object(fields.server) };
  const isKnown =
    HANDLER_GROUPS.every(
      ({ flag, registries }) => typeof fields[flag] === 'boolean' && registries.every((name) => isRecord(fields[name])),
    ) &&
    inner._requestHandlers instanceof Map &&
    isRecord(inner._capabilities);
  if (!isKnown) throw new Error(`Cannot add skills: this is not an McpServer of ${wanted}`);
  // Every field that the type names was looked at above.
  return server as PrivateFields;
}

/**
 * Puts a handler in the place of the server's own, and answers how to undo it. Another one may wrap ours in turn: then ours
 * stays in the chain and passes everything on once it was undone.
 */
export function wrapHandler(fields: PrivateFields, method: string, wrap: (next: Handler) => Handler): () => void {
  const { _requestHandlers: handlers } = fields.server;
  const known = handlers.get(method);
  const next = known ?? methodNotFound;
  const ours = wrap(next);
  let isActive = true;
  const handler: Handler = (request, context) => (isActive ? ours : next)(request, context);
  handlers.set(method, handler);
  return () => {
    isActive = false;
    if (handlers.get(method) !== handler) return;
    if (known) handlers.set(method, known);
    else handlers.delete(method);
  };
}

const methodNotFound: Handler = () =>
  Promise.reject(Object.assign(new Error('Method not found'), { code: rpcCode.methodNotFound }));

/** Answers how to undo it. */
export function declareExtension({ server }: PrivateFields, name: string, settings: JsonObject): () => void {
  const before = server._capabilities.extensions;
  server._capabilities = { ...server._capabilities, extensions: { ...Object(before), [name]: settings } };
  return () => {
    const { extensions, ...others } = server._capabilities;
    const { [name]: _ours, ...left }: JsonObject = { ...Object(extensions) };
    const restored = isRecord(before) && name in before ? { ...left, [name]: before[name] } : left;
    const isEmpty = Object.keys(restored).length === 0 && before === undefined;
    server._capabilities = isEmpty ? others : { ...others, extensions: restored };
  };
}

/**
 * Answers how to take back the handlers that the SDK sets from now on, with their capability: those of a group in which
 * the owner has registered nothing since.
 */
export function rememberHandlers(fields: PrivateFields): () => void {
  const { server } = fields;
  const before = server._capabilities;
  const unset = HANDLER_GROUPS.filter(({ flag }) => !fields[flag]);
  const namesIn = ({ registries }: (typeof HANDLER_GROUPS)[number]) =>
    registries.flatMap((name) => Object.keys(fields[name])).join('\n');
  const names = new Map(unset.map((group) => [group, namesIn(group)]));
  return () => {
    const groups = unset.filter((group) => fields[group.flag] && names.get(group) === namesIn(group));
    for (const { capability, flag, methods } of groups) {
      for (const method of methods) server._requestHandlers.delete(method);
      fields[flag] = false;
      const { [capability]: _declared, ...others } = server._capabilities;
      server._capabilities = capability in before ? { ...others, [capability]: before[capability] } : others;
    }
  };
}

/** `send`: a progress notification, to the client that asked for it under this token; without a token none did. */
export function progressTo(token: unknown, send: (params: JsonObject) => Promise<void>): RequestContext['progress'] {
  if (token === undefined) return () => undefined;
  return (progress, total, message) => {
    const optional = { ...(total !== undefined && { total }), ...(message !== undefined && { message }) };
    // A client that has gone misses nothing: its call is cancelled.
    send({ progressToken: token, progress, ...optional }).catch(() => undefined);
  };
}
