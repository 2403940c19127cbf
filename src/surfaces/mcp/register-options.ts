// How skills are added to a server, as its owner asks for it: checked at once, with a sentence for each wrong value.
import type { Catalog } from '../../catalog/catalog.ts';
import type { Caller } from '../../identity/caller.ts';
import { type DocumentToolName, TOOL_NAMES, type ToolNames } from '../../operations/operation.ts';
import type { Runtime } from '../../skills/run/runtime.ts';
import { isRecord } from '../../values/is-record.ts';

/**
 * How skills appear on a server that has other things, too.
 *
 * @example
 * const options: RegisterOptions = { toolNames: { get_skill: 'get_support_skill' }, prompts: false };
 * registerSkills(server, catalog, options);
 */
export interface RegisterOptions {
  /** Which of our tools to add; all when absent. Typed skills of `runtime` come beside them. */
  readonly tools?: readonly DocumentToolName[];
  /**
   * What to do where the server has a tool, a resource, a prompt or a method of the same name already. `error` (when absent):
   * refuse, before anything is added. `keep`: that one stays the server's, the rest is added, and `get_skill` answers for
   * the server's own `skill://` resources, too, with the text that reading them gives.
   */
  readonly taken?: 'error' | 'keep';
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

export type ResolvedOptions = Omit<RegisterOptions, 'toolNames' | 'tools'> &
  Required<Pick<RegisterOptions, 'taken' | 'prompts' | 'fallback'>> & {
    /** Of all our tools, also of those that are not added: others mention them. */
    readonly toolNames: ToolNames;
    readonly tools: ReadonlySet<DocumentToolName>;
  };

/** Throws one sentence about the first thing that is wrong. */
export function resolveRegisterOptions(catalog: Catalog, options: RegisterOptions): ResolvedOptions {
  if (catalog instanceof Promise) throw refusal('the catalog is a promise; write await openCatalog(…)');
  const isObject: boolean = isRecord(options);
  if (!isObject) throw refusal(`the options are ${shown(options)}; give an object`);
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(CHECKS, name));
  if (unknown !== undefined) throw refusal(`there is no option "${unknown}"; use ${Object.keys(CHECKS).join(', ')}`);
  for (const [name, { isRight, wanted }] of Object.entries(CHECKS)) {
    const value = new Map<string, unknown>(Object.entries(options)).get(name);
    if (value !== undefined && !isRight(value)) throw refusal(`${name} is ${shown(value)}; ${wanted}`);
  }
  const { tools = DOCUMENT_TOOLS, taken = 'error', prompts = true, fallback = {} } = options;
  const toolNames = resolveToolNames(options.toolNames ?? {});
  return { ...options, taken, prompts, fallback, toolNames, tools: resolveTools(tools) };
}

const refusal = (text: string) => new Error(`Cannot add skills: ${text}`);

const DOCUMENT_TOOLS = Object.keys(TOOL_NAMES) as readonly DocumentToolName[]; // the keys of a literal are its type's

const isText = (value: unknown): boolean => typeof value === 'string';

const CHECKS = {
  tools: { isRight: Array.isArray, wanted: `give a list of ${DOCUMENT_TOOLS.join(', ')}` },
  taken: { isRight: (value) => value === 'error' || value === 'keep', wanted: 'use "error" or "keep"' },
  toolNames: { isRight: isRecord, wanted: "give an object such as { skill: 'load_support_skill' }" },
  uiUri: { isRight: isText, wanted: 'use an address that starts with ui://' },
  fallback: {
    isRight: (value) => isRecord(value) && Object.values(value).every(isText),
    wanted: 'give an object of texts by the URI of their skill',
  },
  prompts: { isRight: (value) => typeof value === 'boolean', wanted: 'use true or false' },
  runtime: { isRight: isRecord, wanted: 'give what createRuntime makes' },
  caller: { isRight: isRecord, wanted: 'give a caller' },
} satisfies Record<keyof RegisterOptions, { isRight: (value: unknown) => boolean; wanted: string }>;

/** As the owner wrote it, on one short line. */
function shown(value: unknown): string {
  if (typeof value === 'function') return 'a function';
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

function resolveTools(tools: readonly DocumentToolName[]): ReadonlySet<DocumentToolName> {
  const unknown = tools.find((name) => !DOCUMENT_TOOLS.includes(name));
  if (unknown !== undefined) throw refusal(`tools has ${shown(unknown)}; use ${DOCUMENT_TOOLS.join(', ')}`);
  return new Set(DOCUMENT_TOOLS.filter((name) => tools.includes(name)));
}

function resolveToolNames(wanted: Partial<ToolNames>): ToolNames {
  const unknown = Object.keys(wanted).find((name) => !Object.hasOwn(TOOL_NAMES, name));
  if (unknown !== undefined) throw refusal(`toolNames has "${unknown}"; use ${DOCUMENT_TOOLS.join(', ')}`);
  const entries = Object.entries(wanted).filter(([, name]) => name !== undefined);
  const noText = entries.find(([, name]) => typeof name !== 'string');
  if (noText !== undefined) {
    const [tool, value] = noText;
    throw refusal(`toolNames.${tool} is ${shown(value)}; give a name, or leave the tool out with the option tools`);
  }
  const bad = entries.map(([, name]) => name).find((name) => !/^[A-Za-z0-9_.-]{1,64}$/.test(name));
  if (bad !== undefined) throw refusal(`the tool name "${bad}" is not valid; use 1-64 letters, digits, "_", "-", "."`);
  const names: ToolNames = { ...TOOL_NAMES, ...Object.fromEntries(entries) };
  if (new Set(Object.values(names)).size < DOCUMENT_TOOLS.length) {
    throw refusal('toolNames gives two tools the same name; use a name of its own for each');
  }
  return names;
}
