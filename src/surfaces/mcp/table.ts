// Everything an MCP client can ask of us, as one table of plain functions (DESIGN 12).

import { type Caller, LOCAL_OPERATOR } from '../../identity/caller.ts';
import type { ClientInfo } from '../../identity/client-info.ts';
import { documentOperations } from '../../operations/documents.ts';
import { TOOL_NAMES, type ToolNames, toolOfOurs } from '../../operations/operation.ts';
import { type Repertoire, subscribeViews } from '../../repertoire/repertoire.ts';
import type { JsonObject } from '../../values/json-object.ts';
import { createAudience } from './audience.ts';
import { describeSkills } from './methods/describe-skills.ts';
import { getSkillTool } from './methods/get-skill.ts';
import { hasTool, operationTool } from './methods/operation-tool.ts';
import { PreparedResults } from './methods/prepared-results.ts';
import { getPrompt, listPrompts } from './methods/prompts.ts';
import { readSkillFileTool } from './methods/read-skill-file.ts';
import { complete, listResources, listResourceTemplates, readResource } from './methods/resources.ts';
import { skillTool } from './methods/skill.ts';
import { readAppOr, type SkillsApp, showToolsInApp } from './methods/skills-app.ts';
import { getSkillEntry, listSkillEntries, readDirectory, SKILLS_EXTENSION } from './methods/skills-extension.ts';
import type { Tool } from './methods/tool.ts';
import { callTool, listTools } from './methods/tools.ts';
import { createView, type View, type ViewOptions } from './methods/view.ts';
import type { CacheHint, Method, MethodTable, ModernPart } from './wire/method.ts';

export interface TableOptions {
  readonly repertoire: Repertoire;
  readonly version: string;
  /** On other people's servers our tools may have other names, also where they mention each other. */
  readonly toolNames?: ToolNames;
  /** What texts call them, where not all are offered. */
  readonly mentions?: ToolNames;
  /** Which of the tools are offered; all when absent. */
  readonly isOffered?: (tool: Tool) => boolean;
  /** Changes how a tool looks before it is offered. */
  readonly adaptTool?: (tool: Tool) => Tool;
  /** In which hosts show what the tools answer (T8); absent where the server has a UI of its own, or none. */
  readonly app?: SkillsApp;
  /** Who asks where the wire does not say: the operator, who started the server, or the agent that they named. */
  readonly caller?: Caller;
  /** What hosts see unasked. */
  readonly view?: ViewOptions;
  /** Beside the tools over documents: one for each typed skill (X9). */
  readonly typedTools?: readonly Tool[];
  /** Beside what both eras have: the tasks of durable skills (J4). */
  readonly modern?: ModernPart | undefined;
}

/** Hosts cut instructions at 2,048 characters; ours end before (PROTOCOL). */
const MAX_INSTRUCTIONS = 2_000;

export function createMethodTable(options: TableOptions): MethodTable {
  const { repertoire, version, caller: usual = LOCAL_OPERATOR } = options;
  const whole = createPart(options);
  const limited = new WeakMap<Repertoire, TablePart>();
  // What each caller may see decides who answers (N4): nothing that is kept for one is sent to another.
  const partFor = (caller: Caller = usual): TablePart => {
    const own = repertoire.for(caller);
    if (own === repertoire) return whole;
    const part = limited.get(own) ?? createPart({ ...options, repertoire: own });
    limited.set(own, part);
    return part;
  };
  const answerAs =
    (name: string, method: Method): Method =>
    (params, context) =>
      (partFor(context.caller).methods.get(name) ?? method)(params, context);
  const { told, ...audience } = createAudience(repertoire, usual);
  return {
    info: { name: 'repertoire', title: 'Repertoire', version },
    capabilities: CAPABILITIES,
    instructions: (client, caller) => partFor(caller).instructions(client),
    methods: new Map([...whole.methods].map(([name, method]) => [name, answerAs(name, method)])),
    modern: options.modern,
    cacheHints: CACHE_HINTS,
    subscribe: (listener) => subscribeViews(repertoire, (swap) => told(swap).forEach(listener)),
    ...audience,
  };
}

/** What callers who see the same are answered. */
interface TablePart {
  readonly methods: ReadonlyMap<string, Method>;
  instructions(client: ClientInfo): string;
}

function createPart(options: TableOptions): TablePart {
  const {
    repertoire,
    toolNames = TOOL_NAMES,
    mentions: names = toolNames,
    isOffered = () => true,
    adaptTool = (tool) => tool,
    app,
    typedTools = [],
    caller = LOCAL_OPERATOR,
  } = options;
  const prepared = new PreparedResults();
  const view = createView(repertoire, options.view);
  const introduction = introduce(names);
  const own = new Map<string, string>(Object.entries(toolNames));
  const tools = [
    { ...skillTool({ repertoire, prepared, names, view, typedTools, caller }), name: toolNames.skill },
    ...documentOperations.filter(hasTool).map((each) => ({
      ...operationTool(each, { ports: { repertoire }, prepared, names, caller }),
      name: own.get(each.id) ?? each.id,
    })),
    { ...getSkillTool(repertoire, prepared, names), name: toolNames.get_skill },
    { ...readSkillFileTool(repertoire, names), name: toolNames.read_skill_file },
    ...typedTools,
  ]
    .filter(isOffered)
    .map(adaptTool);
  // The tool list does not wait: hosts ask for it at once, and it does not name what is still being searched for.
  const methods = new Map<string, Method>([
    ['tools/list', listTools(tools, { caller, show: app && showToolsInApp(app) })],
  ]);
  for (const [name, method] of Object.entries(lookups(repertoire, prepared, view, tools))) {
    methods.set(name, whenWhole(repertoire, method));
  }
  const readResourceMethod = methods.get('resources/read');
  if (app && readResourceMethod) methods.set('resources/read', readAppOr(app, readResourceMethod));
  return {
    instructions: (client) =>
      introduction + describeSkills(view.visibleTo(client), MAX_INSTRUCTIONS - introduction.length, names),
    methods,
  };
}

const CAPABILITIES: JsonObject = {
  tools: { listChanged: true },
  resources: { listChanged: true, subscribe: true },
  prompts: { listChanged: true },
  completions: {},
  extensions: { [SKILLS_EXTENSION]: { directoryRead: true } },
};

/** An answer may be used again for a moment; a client that must know at once listens for changes. */
const FOR_A_MOMENT: CacheHint = { ttlMs: 5_000, cacheScope: 'private' };

const CACHE_HINTS: Readonly<Record<string, CacheHint>> = {
  'tools/list': FOR_A_MOMENT,
  'prompts/list': FOR_A_MOMENT,
  'resources/list': FOR_A_MOMENT,
  'resources/templates/list': FOR_A_MOMENT,
  'skills/list': FOR_A_MOMENT,
};

const lookups = (
  repertoire: Repertoire,
  prepared: PreparedResults,
  view: View,
  tools: readonly Tool[],
): Record<string, Method> => ({
  'tools/call': callTool(tools),
  'resources/list': listResources(repertoire),
  'resources/templates/list': listResourceTemplates(),
  'resources/read': readResource(repertoire, prepared),
  'resources/directory/read': readDirectory(repertoire),
  'skills/list': listSkillEntries(repertoire),
  'skills/get': getSkillEntry(repertoire),
  'prompts/list': listPrompts(repertoire, view),
  'prompts/get': getPrompt(repertoire),
  'completion/complete': complete(repertoire),
});

/** A lookup sees every skill: it waits for those that are still being searched for. */
function whenWhole(repertoire: Repertoire, method: Method): Method {
  return (params, context) =>
    repertoire.isWhole ? method(params, context) : repertoire.whole().then(() => method(params, context));
}

const introduce = (names: ToolNames): string =>
  'Repertoire serves skills: instructions for kinds of tasks, kept as folders with a SKILL.md. ' +
  "They are separate from the host's own skills. Before a task that one of them fits, load it by its name with " +
  `${toolOfOurs(names.skill)} and follow it. ${names.search_skills} finds the skills that fit a task, ${names.list_skills} shows every ` +
  `one, ${names.read_skill_file} reads the files that a skill mentions.\n\nSkills:\n`;
