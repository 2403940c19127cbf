// One thing that can be asked, described once: who may ask, what it takes, what it answers, and its face on each surface.
import type { Caller } from '../identity/caller.ts';
import type { Violation } from '../skills/check/violation.ts';
import type { FailureCode } from '../skills/define/failure.ts';
import type { JsonObject } from '../values/json-object.ts';
import { fail, type Result } from '../values/result.ts';
import type { Span } from '../values/trace.ts';
import { findAccessFault, type OperationAccess } from './access.ts';
import { type Fields, readFields, type Shape, type ValuesOf } from './shape.ts';

/** Who asks, and from where. */
export interface Asking {
  readonly caller: Caller;
  /** No path of this machine is answered. */
  readonly remote: boolean;
  /** As it came, right or wrong. */
  readonly correlationId?: string | undefined;
  /** Aborted when the asker goes away; only for an operation that `isLong`. */
  readonly signal?: AbortSignal | undefined;
  /** Where traces are kept. */
  readonly span?: Span | undefined;
  /** What the asker gave beside the input, for operations that take it: see `HttpFace`. */
  readonly prefer?: string | undefined;
  readonly idempotencyKey?: string | undefined;
}

/** `said`: what the code's sentence is about; see FAILURE_MODES. */
export interface Refusal {
  readonly code: 'VALIDATION_ERROR' | 'NOT_FOUND' | 'UNAUTHORIZED';
  readonly said: string;
  readonly reason?: FailureReason;
  /** It cannot be done as things stand: 409 over the API. */
  readonly isConflict?: true;
}

/** For clients that have to tell failures of one code apart. `nothing_recorded`: started with `--no-log`. */
export type FailureReason = 'nothing_recorded';

export const invalidInput = (said: string) => fail<Refusal>({ code: 'VALIDATION_ERROR', said });
export const nothingFound = (said: string) => fail<Refusal>({ code: 'NOT_FOUND', said });

export type Answer<T> = Result<T, Refusal>;

/** What the tools over documents are called, in the order of the tool list; another server may have other names (T10). */
export const TOOL_NAMES = {
  skill: 'skill',
  list_skills: 'list_skills',
  search_skills: 'search_skills',
  get_skill: 'get_skill',
  read_skill_file: 'read_skill_file',
} as const;

export type DocumentToolName = keyof typeof TOOL_NAMES;

/**
 * By the name that we give a tool: the name that agents see, also where the tools mention each other.
 *
 * @example
 * const toolNames: Partial<ToolNames> = { skill: 'load_support_skill', list_skills: 'list_support_skills' };
 * registerSkills(server, catalog, { toolNames });
 */
export type ToolNames = Readonly<Record<DocumentToolName, string>>;

/**
 * Several hosts have a tool `skill` of their own: a text that mentions ours says whose it is. Where a server leaves tools
 * out, a method of the protocol stands in their place: `resources/read`.
 */
export function toolOfOurs(...names: readonly string[]): string {
  const tools = names.filter((name) => !name.includes('/'));
  const shown = [...new Set(tools.length > 0 ? tools : names)].map((name) => `\`${name}\``).join(' or ');
  return tools.length > 0 ? `this server's tool ${shown}` : shown;
}

/** For tools that hosts which defer tools keep in view: the one that shows every skill, and the one that loads one. */
export const ALWAYS_LOADED: JsonObject = { 'anthropic/alwaysLoad': true };

/** As a tool of MCP hosts. `M`: what `run` answers. */
export interface McpFace<M> {
  readonly title: string;
  /** `names`: what the tools are called on this server. */
  describe(names: ToolNames): string;
  /** For hosts that show text; the JSON where it is left out. */
  text?(found: M, names: ToolNames): string;
  /** Its answer is worth a view of its own, where a server has a UI (T8). */
  readonly hasView?: boolean;
  readonly meta?: JsonObject;
}

/** As a route of the API. Fields named in the path come from there, others from the query, or from the body of a POST or PUT. */
export interface HttpFace<M> {
  /** Its name in the description of the API. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** With `{name}` for a field. */
  readonly path: string;
  readonly tag: string;
  /** Fields that have another name in the query: `{ query: 'q' }`. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** The field that is the whole body of a POST; else its fields are those that the path does not name. */
  readonly body?: string;
  /** Headers that it reads, for the description. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What a good answer is; its status is 200 where `status` is left out. */
  readonly answer: string;
  readonly status?: 201;
  /** Another good answer, by its status. */
  readonly otherAnswers?: Readonly<Record<number, { readonly answer: string; readonly output: Shape }>>;
  /** Where what was found decides them. */
  replyOf?(found: M, asking: Asking): { readonly status?: number; readonly headers?: Readonly<Record<string, string>> };
  /** Beside those that every operation may answer. */
  readonly failures?: readonly (404 | 409 | 502 | 503 | 504)[];
  /** The name and the description of a body that is made of fields. */
  readonly bodyName?: string;
  readonly bodyAbout?: string;
  /** What failures are, where they are more than H3's body. */
  readonly failureOutput?: Shape;
  /** The failure that the answer itself tells of: it decides the status. */
  failureIn?(found: M): { readonly code: FailureCode; readonly details?: JsonObject | null | undefined } | undefined;
  /** Where the API answers in another shape than the tools. */
  readonly output?: Shape;
  project?(found: M): unknown;
}

/** As a function that a model may call. */
export interface OpenAiFace {
  readonly description: string;
}

/** As a command with `--json`. Fields become operands or options of the same name. */
export interface CliFace<M> {
  readonly command: string;
  readonly example: string;
  readonly operands?: readonly string[];
  /** For people. */
  text(found: M): string;
}

/**
 * `Ports`: what it works on. `M`: what `run` finds. `O`: what is answered. The methods are methods, not properties, so that
 * a list may hold operations of different inputs: what is passed to one of them must come from its own `input`.
 */
export interface Operation<Ports, F extends Fields = Fields, M = unknown, O = object> {
  readonly id: string;
  /** One sentence, for the description of the API and for the help. */
  readonly summary: string;
  readonly access: OperationAccess;
  readonly input: F;
  readonly output: Shape<O>;
  /**
   * Whether the answer follows from the snapshot, the input and what the caller may see: surfaces keep it then. `run` is
   * asked all the same by hosts, `project` is not: what takes long belongs there. Only where `run` answers at once.
   */
  isKept?(input: ValuesOf<F>): boolean;
  /** It may run as long as its asker waits. */
  readonly isLong?: boolean;
  run(input: ValuesOf<F>, asking: Asking, ports: Ports): Answer<M> | Promise<Answer<M>>;
  /** What `run` found, as it is answered. */
  project(found: M): O;
  readonly mcp?: McpFace<M>;
  readonly http?: HttpFace<M>;
  readonly openai?: OpenAiFace;
  readonly cli?: CliFace<M>;
}

/** The compiler finds out the types that the parts have in common. */
export const operation = <Ports, F extends Fields, M, O>(
  described: Operation<Ports, F, M, O>,
): Operation<Ports, F, M, O> => described;

/** Where the answer is what `run` found. */
export const asFound = <T>(found: T): T => found;

/** What may be run: first whether this caller may ask, then whether the input fits. */
export function readAsked<Ports, F extends Fields, M, O>(
  { access, input }: Pick<Operation<Ports, F, M, O>, 'access' | 'input'>,
  given: JsonObject,
  { caller }: Pick<Asking, 'caller'>,
): Answer<ValuesOf<F>> {
  const reason = findAccessFault(access, caller);
  if (reason !== undefined) return fail({ code: 'UNAUTHORIZED', said: reason });
  const read = readFields(input, given);
  return read.ok ? read : invalidInput(describeFaults(read.failure));
}

export function ask<Ports, F extends Fields, M, O>(
  operation: Operation<Ports, F, M, O>,
  given: JsonObject,
  asking: Asking,
  ports: Ports,
): Answer<M> | Promise<Answer<M>> {
  const asked = readAsked(operation, given, asking);
  return asked.ok ? operation.run(asked.value, asking, ports) : asked;
}

const SAYING = { VALIDATION_ERROR: 'Invalid input', NOT_FOUND: 'Not found', UNAUTHORIZED: 'Access denied' } as const;

/** In one sentence, for agents and people. */
export const refusalText = ({ code, said }: Refusal): string => `${SAYING[code]}: ${said}`;

const MOST_TOLD = 10;

export function describeFaults(faults: readonly Violation[]): string {
  const told = faults.slice(0, MOST_TOLD).map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
  const more = faults.length - told.length;
  return more > 0 ? `${told.join('; ')}; and ${more} more` : told.join('; ');
}

/** What a surface makes of an answer, at once where it is there: a promise costs as much as a prepared answer. */
export const whenAnswered = <M, T>(
  answer: Answer<M> | Promise<Answer<M>>,
  use: (answer: Answer<M>) => T,
): T | Promise<T> => (answer instanceof Promise ? answer.then(use) : use(answer));
