// Adds skills to an SDK server that somebody else built: all of it or nothing, beside what is there, and away again (T10).

import type { Catalog } from '../../catalog/catalog.ts';
import { agentCaller, type Caller } from '../../identity/caller.ts';
import { createRepertoire } from '../../repertoire/repertoire.ts';
import type { Runtime } from '../../skills/run/runtime.ts';
import { isRecord } from '../../values/is-record.ts';
import type { JsonObject } from '../../values/json-object.ts';
import { withFallbacks } from './fallback-catalog.ts';
import { readerName } from './methods/reader-name.ts';
import { SKILL_TEMPLATE } from './methods/resources.ts';
import { SKILLS_EXTENSION } from './methods/skills.ts';
import { showToolsIn } from './methods/skills-app.ts';
import { type DocumentToolName, TOOL_NAMES, type ToolNames } from './methods/tool.ts';
import { typedSkillTools } from './methods/typed-skills.ts';
import { refuseClashes, SKILL_TEMPLATE_NAME } from './sdk-clashes.ts';
import { ANSWER_IS_OURS, type BoundSkills, createWrappers, OWN_METHODS, ownMethod } from './sdk-handlers.ts';
import { HANDLER_GROUPS, type Handler, type HandlerGroup, type Insides, type SdkServer } from './sdk-server.ts';
import { createMethodTable } from './table.ts';
import { rpcCode } from './wire/json-rpc.ts';

/**
 * How skills appear on a server that has other things, too.
 *
 * @example
 * const options: RegisterOptions = { toolNames: { get_skill: 'get_support_skill' }, prompts: false };
 * registerSkills(server, catalog, options);
 */
export interface RegisterOptions {
  /** Other names for our tools: `{ skill: 'load_support_skill' }`. */
  readonly toolNames?: Partial<ToolNames>;
  /** An MCP App of the server, `ui://…`, in which hosts show the answers of `list_skills` and `get_skill` (T8). */
  readonly uiUri?: string;
  /** By a skill's URI: the text to serve, as `availability: "fallback"`, while the skill cannot be read from disk. */
  readonly fallback?: Readonly<Record<string, string>>;
  /** One prompt per skill. True when absent. */
  readonly prompts?: boolean;
  /** Its typed skills become tools, too, each under its own name (X9). */
  readonly runtime?: Runtime;
  /**
   * Who invokes typed skills. When absent: over stdio the local operator, over HTTP an agent without any role, because
   * nobody here knows who is calling. A server that is made per request can say it for each.
   */
  readonly caller?: Caller;
}

/**
 * What `registerSkills` answers: the way to take the skills off the server again.
 *
 * @example
 * const registration: Registration = registerSkills(server, catalog);
 * registration.detach();
 */
export interface Registration {
  /** Takes everything away again. A second call does nothing. */
  detach(): void;
}

export function bindSkills(sdkServer: SdkServer, catalog: Catalog, options: RegisterOptions): Registration {
  const { runtime, caller, prompts = true } = options;
  const server = withCaller(sdkServer, caller);
  const names = resolveToolNames(options.toolNames ?? {});
  const repertoire = createRepertoire(withFallbacks(catalog, options.fallback ?? {}), { runtime });
  const adaptTool = showToolsIn(options.uiUri);
  const typedTools = runtime === undefined ? [] : typedSkillTools({ runtime, agent: undefined });
  const skills: BoundSkills = {
    table: createMethodTable({ repertoire, version: '', toolNames: names, adaptTool, typedTools }),
    repertoire,
    documentTools: new Set(Object.values(names)),
    typedTools: new Set(typedTools.map(({ name }) => name)),
    prompts,
  };
  refuseClashes(server, skills);
  const undo = install(server, skills);
  const stop = announceChanges(catalog, server, skills.prompts);
  let isAttached = true;
  return {
    detach: () => {
      if (!isAttached) return;
      isAttached = false;
      stop();
      undo();
    },
  };
}

/** Where the owner names nobody: whoever starts a server over stdio is the operator, whoever asks over HTTP is not. */
const withCaller = (server: SdkServer, named: Caller | undefined): SdkServer => ({
  ...server,
  contextOf: (sdkContext) => {
    const context = server.contextOf(sdkContext);
    const caller = named ?? (context.remote ? agentCaller(`client:${readerName(context)}`, []) : undefined);
    return { ...context, caller };
  },
});

/** Nothing here can clash any more. Answers how to undo it. */
function install(server: SdkServer, skills: BoundSkills): () => void {
  const { insides } = server;
  const before = HANDLER_GROUPS.map((group) => stateOf(insides, group));
  const { _capabilities: capabilities } = insides.server;
  const tools = [...skills.documentTools, ...skills.typedTools];
  const reserved = tools.map((name) => server.reserveTool(name));
  reserved.push(server.reserveTemplate(SKILL_TEMPLATE_NAME, SKILL_TEMPLATE, ANSWER_IS_OURS));
  // Makes the SDK set its own handlers, so that prompts registered later find them; the prompt itself goes at once.
  if (skills.prompts) server.reservePrompt(PLACEHOLDER).remove();
  const { _requestHandlers: handlers } = insides.server;
  const undo = [...createWrappers(server, skills)].map(([method, wrap]) => replaceHandler(handlers, method, wrap));
  for (const method of OWN_METHODS) {
    undo.push(replaceHandler(handlers, method, () => ownMethod(server, skills, method)));
  }
  declareExtension(insides);
  return () => {
    for (const each of reserved) each.remove();
    for (const each of undo.reverse()) each();
    restoreCapabilities(insides, capabilities, server.isConnected() ? [] : before);
  };
}

const PLACEHOLDER = 'repertoire-placeholder';

/** Somebody may wrap ours in turn: then ours stays in the chain and passes everything on once it was undone. */
function replaceHandler(handlers: Map<string, Handler>, method: string, wrap: (next: Handler) => Handler): () => void {
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

function declareExtension({ server }: Insides): void {
  const { extensions } = server._capabilities;
  const declared = { ...(isRecord(extensions) ? extensions : {}), [SKILLS_EXTENSION]: { directoryRead: true } };
  server._capabilities = { ...server._capabilities, extensions: declared };
}

interface GroupState {
  readonly group: HandlerGroup;
  readonly wasInitialized: boolean;
  readonly keys: string;
}

const stateOf = (insides: Insides, group: HandlerGroup): GroupState => ({
  group,
  wasInitialized: insides[group.flag],
  keys: keysOf(insides, group),
});

const keysOf = (insides: Insides, { registries }: HandlerGroup): string =>
  JSON.stringify(registries.map((registry) => Object.keys(insides[registry])));

/** Handlers that the SDK set for our sake go, too, unless the owner has registered something for them since. */
function restoreCapabilities(insides: Insides, before: JsonObject, states: readonly GroupState[]): void {
  const { [SKILLS_EXTENSION]: _ours, ...others } = extensionsOf(insides.server._capabilities);
  const extensions = { ...others, ...pick(extensionsOf(before), SKILLS_EXTENSION) };
  const { extensions: _all, ...capabilities } = insides.server._capabilities;
  const restored: Record<string, unknown> = { ...capabilities };
  if (Object.keys(extensions).length > 0 || before.extensions !== undefined) restored.extensions = extensions;
  for (const { group, wasInitialized, keys } of states) {
    if (wasInitialized || !insides[group.flag] || keys !== keysOf(insides, group)) continue;
    for (const method of group.methods) insides.server._requestHandlers.delete(method);
    insides[group.flag] = false;
    delete restored[group.capability];
    Object.assign(restored, pick(before, group.capability));
  }
  insides.server._capabilities = restored;
}

const extensionsOf = ({ extensions }: JsonObject): JsonObject => (isRecord(extensions) ? extensions : {});

const pick = (object: JsonObject, key: string): JsonObject => (key in object ? { [key]: object[key] } : {});

/** Servers that are made for one request and forgotten must not pile up in the catalog: it holds them weakly. */
const forgotten = new FinalizationRegistry<() => void>((stop) => stop());

function announceChanges(catalog: Catalog, server: SdkServer, prompts: boolean): () => void {
  const reference = new WeakRef(server);
  const kinds = prompts ? (['tools', 'resources', 'prompts'] as const) : (['tools', 'resources'] as const);
  const stop = catalog.subscribe(() => {
    const live = reference.deref();
    if (live?.isConnected()) for (const kind of kinds) announce(live, kind);
  });
  forgotten.register(server, stop, stop);
  return () => {
    forgotten.unregister(stop);
    stop();
  };
}

/** Only what the server said it would announce. */
function announce(server: SdkServer, kind: 'tools' | 'resources' | 'prompts'): void {
  const { _capabilities: capabilities, onerror } = server.insides.server;
  const capability = capabilities[kind];
  if (!isRecord(capability) || capability.listChanged !== true) return;
  server.announce(kind).catch((error: unknown) => onerror?.(error instanceof Error ? error : new Error(String(error))));
}

const DOCUMENT_TOOLS = Object.keys(TOOL_NAMES) as readonly DocumentToolName[]; // the keys of a literal are its type's

/** Throws on what cannot be a tool's name. */
function resolveToolNames(wanted: Partial<ToolNames>): ToolNames {
  const unknown = Object.keys(wanted).find((name) => !Object.hasOwn(TOOL_NAMES, name));
  if (unknown !== undefined) {
    throw new Error(`Cannot add skills: toolNames has "${unknown}"; use ${DOCUMENT_TOOLS.join(', ')}`);
  }
  const names = Object.fromEntries(DOCUMENT_TOOLS.map((name) => [name, wanted[name] ?? name]));
  const bad = Object.values(names).find((name) => !/^[A-Za-z0-9_.-]{1,64}$/.test(name));
  if (bad !== undefined) {
    throw new Error(`Cannot add skills: the tool name "${bad}" is not valid; use 1-64 letters, digits, "_", "-", "."`);
  }
  if (new Set(Object.values(names)).size < DOCUMENT_TOOLS.length) {
    throw new Error('Cannot add skills: toolNames gives two tools the same name; use a name of its own for each');
  }
  // Made from every name of the list.
  return names as ToolNames;
}
