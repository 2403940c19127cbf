// Adds skills to an SDK server that has an owner: all of it or nothing, beside what is there, and away again (T10).
import type { Catalog } from '../../catalog/catalog.ts';
import { agentCaller, type Caller } from '../../identity/caller.ts';
import { type DocumentToolName, TOOL_NAMES, type ToolNames } from '../../operations/operation.ts';
import { createRepertoire } from '../../repertoire/repertoire.ts';
import type { Runtime } from '../../skills/run/runtime.ts';
import { isRecord } from '../../values/is-record.ts';
import { withFallbacks } from './fallback-catalog.ts';
import { readerName } from './methods/reader-name.ts';
import { SKILL_TEMPLATE } from './methods/resources.ts';
import { showToolsIn } from './methods/skills-app.ts';
import { SKILLS_EXTENSION } from './methods/skills-extension.ts';
import { typedSkillTools } from './methods/typed-skills.ts';
import { refuseClashes } from './sdk-clashes.ts';
import { ANSWER_IS_OURS, type BoundSkills, createWrappers } from './sdk-handlers.ts';
import { declareExtension, rememberHandlers, type SdkServer, wrapHandler } from './sdk-server.ts';
import { createMethodTable } from './table.ts';

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
   * who is calling is not known here. A server that is made per request can say it for each.
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
  const { runtime, prompts = true } = options;
  const server = withCaller(sdkServer, options.caller);
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
  const takeBack = rememberHandlers(server.fields);
  const undo: (() => void)[] = [];
  let isDetached = false;
  const detach = () => {
    if (isDetached) return;
    isDetached = true;
    for (const each of undo) each();
    // A client that is connected knows the capabilities: they stay, with empty lists.
    if (!server.mcp.isConnected()) takeBack();
  };
  try {
    install(server, skills, undo);
    undo.push(announceChanges(catalog, server, prompts));
  } catch (error) {
    detach();
    throw error;
  }
  return { detach };
}

/** Unless the owner says who is calling: over stdio the operator, who started the server; over HTTP an agent. */
const withCaller = (server: SdkServer, named: Caller | undefined): SdkServer => ({
  ...server,
  contextOf: (sdkContext) => {
    const context = server.contextOf(sdkContext);
    const caller = named ?? (context.remote ? agentCaller(`client:${readerName(context)}`, []) : undefined);
    return { ...context, caller };
  },
});

/** Nothing here can clash any more. Adds to `undo` how to undo each step. */
function install(server: SdkServer, skills: BoundSkills, undo: (() => void)[]): void {
  const { mcp, fields, skillTemplate } = server;
  const keep = (registered: { remove(): void }) => undo.push(() => registered.remove());
  // Takes a name and a place in the list; what each looks like and does comes from our handlers.
  for (const tool of [...skills.documentTools, ...skills.typedTools]) {
    keep(mcp.registerTool(tool, {}, () => ({ content: [] })));
  }
  const { name, title, description } = SKILL_TEMPLATE;
  const readNothing = () => Promise.reject(ANSWER_IS_OURS);
  keep(mcp.registerResource(name, skillTemplate, { title, description }, readNothing));
  // The SDK sets its handlers for prompts with the first one. They must be there before ours, for prompts of the owner that
  // come later; our own are not known to it, because skills come and go.
  if (skills.prompts) mcp.registerPrompt(PLACEHOLDER, {}, () => ({ messages: [] })).remove();
  for (const [method, wrap] of createWrappers(server, skills)) undo.push(wrapHandler(fields, method, wrap));
  undo.push(declareExtension(fields, SKILLS_EXTENSION, { directoryRead: true }));
}

const PLACEHOLDER = 'repertoire-placeholder';

/** Servers that are made for one request and forgotten must not pile up in the catalog: it holds them weakly. */
const forgotten = new FinalizationRegistry<() => void>((stop) => stop());

function announceChanges(catalog: Catalog, server: SdkServer, prompts: boolean): () => void {
  const reference = new WeakRef(server);
  const stop = catalog.subscribe(() => {
    const live = reference.deref();
    if (live?.mcp.isConnected()) announceLists(live, prompts);
  });
  forgotten.register(server, stop, stop);
  return () => {
    forgotten.unregister(stop);
    stop();
  };
}

function announceLists({ mcp: { server }, fields }: SdkServer, prompts: boolean): void {
  const send = {
    tools: () => server.sendToolListChanged(),
    resources: () => server.sendResourceListChanged(),
    ...(prompts && { prompts: () => server.sendPromptListChanged() }),
  };
  for (const [kind, announce] of Object.entries(send)) {
    const capability = fields.server._capabilities[kind];
    // Only what the server said it would announce.
    if (isRecord(capability) && capability.listChanged === true) announce().catch((error) => server.onerror?.(error));
  }
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
