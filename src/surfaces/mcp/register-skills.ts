// Adds skills to an SDK server that has an owner: all of it or nothing, beside what is there, and away again (T10).
import type { Catalog } from '../../catalog/catalog.ts';
import { agentCaller, type Caller } from '../../identity/caller.ts';
import { createRepertoire } from '../../repertoire/repertoire.ts';
import { isRecord } from '../../values/is-record.ts';
import { withFallbacks } from './fallback-catalog.ts';
import { mentionTools } from './mention-tools.ts';
import { readerName } from './methods/reader-name.ts';
import { SKILL_TEMPLATE } from './methods/resources.ts';
import { showToolsIn } from './methods/skills-app.ts';
import { SKILLS_EXTENSION } from './methods/skills-extension.ts';
import { typedSkillTools } from './methods/typed-skills.ts';
import { createOwnedTables } from './owned-tables.ts';
import { createOwnerResources } from './owner-resources.ts';
import { type RegisterOptions, type ResolvedOptions, resolveRegisterOptions } from './register-options.ts';
import { refuseClashes } from './sdk-clashes.ts';
import { ANSWER_IS_OURS, type BoundSkills, createWrappers, EXTENSION_METHODS } from './sdk-handlers.ts';
import { declareExtension, type PrivateFields, rememberHandlers, type SdkServer, wrapHandler } from './sdk-server.ts';
import { createMethodTable } from './table.ts';

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
  const resolved = resolveRegisterOptions(catalog, options);
  const server = withCaller(sdkServer, resolved.caller);
  const inner = server.fields.server;
  if (HAVE_SKILLS.has(inner)) throw new Error('Cannot add skills: this server has them already; detach them first');
  const skills = bindTo(server, catalog, resolved);
  const takeBack = rememberHandlers(server.fields);
  const undo: (() => void)[] = [() => HAVE_SKILLS.delete(inner)];
  let isDetached = false;
  const detach = () => {
    if (isDetached) return;
    isDetached = true;
    for (const each of undo) each();
    // A client that is connected knows the capabilities: they stay, with empty lists.
    if (!server.mcp.isConnected()) takeBack();
  };
  HAVE_SKILLS.add(inner);
  try {
    install(server, skills, undo);
    undo.push(announceChanges(catalog, server, resolved.prompts));
  } catch (error) {
    detach();
    throw error;
  }
  return { detach };
}

/** With a second set every list would have two of each. */
const HAVE_SKILLS = new WeakSet<object>();

/** What is to be added: throws where it cannot be. */
function bindTo(server: SdkServer, given: Catalog, options: ResolvedOptions): BoundSkills {
  const { runtime, prompts, taken, toolNames, tools } = options;
  const { fields } = server;
  const catalog = withFallbacks(given, options.fallback);
  const repertoire = createRepertoire(catalog, { runtime });
  const adaptTool = showToolsIn(options.uiUri);
  const typed = runtime === undefined ? [] : typedSkillTools({ runtime, agent: undefined });
  const wanted = {
    repertoire,
    documentTools: new Map([...tools].map((tool) => [toolNames[tool], tool])),
    typedTools: new Set(typed.map(({ name }) => name)),
    prompts,
  };
  refuseClashes(server, wanted, taken);
  // Those that are left are the owner's.
  const isFree = (name: string) => !Object.hasOwn(fields._registeredTools, name);
  const documentTools = new Map([...wanted.documentTools].filter(([name]) => isFree(name)));
  const typedTools = new Set([...wanted.typedTools].filter(isFree));
  const mentions = mentionTools(toolNames, (name) => documentTools.has(name) || !isFree(name));
  const createTable = (over: Catalog) =>
    createMethodTable({
      repertoire: over === catalog ? repertoire : createRepertoire(over, { runtime }),
      version: '',
      toolNames,
      mentions,
      isOffered: ({ name }) => documentTools.has(name) || typedTools.has(name),
      adaptTool,
      typedTools: typed.filter(({ name }) => typedTools.has(name)),
    });
  const table = createTable(catalog);
  const owner = createOwnerResources(server);
  const servesOwn = taken === 'keep';
  const findTool = (name: unknown) => (typeof name === 'string' ? documentTools.get(name) : undefined);
  const findTable = createOwnedTables({ catalog, repertoire, table, owner, servesOwn, findTool, createTable });
  return { table, findTable, repertoire, owner, servesOwn, documentTools, typedTools, prompts };
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
  for (const tool of [...skills.documentTools.keys(), ...skills.typedTools]) {
    keep(mcp.registerTool(tool, {}, () => ({ content: [] })));
  }
  const { title, description } = SKILL_TEMPLATE;
  const readNothing = () => Promise.reject(ANSWER_IS_OURS);
  const name = findTemplateName(fields);
  if (name !== undefined) keep(mcp.registerResource(name, skillTemplate, { title, description }, readNothing));
  // The SDK sets its handlers for prompts with the first one. They must be there before ours, for prompts of the owner that
  // come later; our own are not known to it, because skills come and go.
  if (skills.prompts) mcp.registerPrompt(PLACEHOLDER, {}, () => ({ messages: [] })).remove();
  const isTheirs = EXTENSION_METHODS.some((method) => fields.server._requestHandlers.has(method));
  for (const [method, wrap] of createWrappers(server, skills)) undo.push(wrapHandler(fields, method, wrap));
  if (!isTheirs) undo.push(declareExtension(fields, SKILLS_EXTENSION, { directoryRead: true }));
}

/** `undefined`: a template of the owner answers for the same addresses, and ours would never be asked. */
function findTemplateName({ _registeredResourceTemplates: templates }: PrivateFields): string | undefined {
  const all = Object.values(templates).map(({ resourceTemplate }) => resourceTemplate.uriTemplate.toString());
  if (all.includes(SKILL_TEMPLATE.uriTemplate)) return undefined;
  return [SKILL_TEMPLATE.name, ...OTHER_NAMES].find((name) => !Object.hasOwn(templates, name));
}

/** Where the owner has a template of our name. */
const OTHER_NAMES = ['repertoire-skill-file', 'repertoire-skill-file-2'];

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
