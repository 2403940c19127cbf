// Which scopes the token of a client needs for a request (O5), over the API and over MCP, before anything is done for it. Pure.
import { TOOL_NAMES } from '../../../operations/operation.ts';
import { isRecord } from '../../../values/is-record.ts';
import type { JsonObject } from '../../../values/json-object.ts';
import { MCP_PATH } from './received-request.ts';

/** Each of `all`, or one of `either`. */
type Needed = { readonly all: readonly string[] } | { readonly either: readonly string[] };

const all = (...scopes: readonly string[]): Needed => ({ all: scopes });
const NONE = all();
const READ = all('skills:read');
const INVOKE = all('skills:invoke');
const LOG = all('log:read');

/** The first that fits counts. Every route has an entry: `NONE` is open to each caller, or to the operator alone. */
const BY_PATH: readonly (readonly [RegExp, Needed])[] = [
  [/^\/api\/typed-skills\/[^/]+\/invoke$/, INVOKE],
  // What a caller may not invoke is not listed.
  [/^\/api\/(?:typed-skills|openai\/tools)(?:\/|$)/, NONE],
  [/^\/api\/(?:documents|problems|search)(?:\/|$)/, READ],
  [/^\/\.well-known\/agent-skills\//, READ],
  // Of others' runs nothing is shown without the log; one's own may be looked at and cancelled (J2).
  [/^\/api\/invocations\/[^/]+\/(?:approve|reject)$/, all('runs:approve')],
  [/^\/api\/invocations\/[^/]+$/, INVOKE],
  [/^\/api\/runs(?:\/|$)/, INVOKE],
  [/^\/api\/(?:invocations|loads|stats|activity|events|overview|uses|schedules|upkeep)(?:\/|$)/, LOG],
  [/^\/metrics$/, LOG],
  [/^\/api\/trail$/, all('skills:approve')],
  [/^\/api\/(?:agents|clients|users|sources|hosts|connections|review)(?:\/|$)/, NONE],
  [/^\/(?:ready|health|api\/(?:me|session|openapi\.json))$/, NONE],
];

/** None, or where its token lacks one of them all that it needs; of several that would do, the first. */
export function missingScopes(asked: Asked, has: (scope: string) => boolean): readonly string[] {
  const needed = neededScopes(asked) ?? NONE;
  if ('all' in needed) return needed.all.every(has) ? [] : needed.all;
  return needed.either.some(has) ? [] : needed.either.slice(0, 1);
}

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

/** `undefined`: there is no entry for it, because there is no such route or method. */
export function neededScopes({ method, path, body }: Asked): Needed | undefined {
  if (path === MCP_PATH) return method === 'POST' ? scopesOfMessages(parse(body)) : NONE;
  if (path === '/api/openai/dispatch') return scopesOfTool(functionIn(parse(body)));
  if (/^\/api\/library(?:\/|$)/.test(path)) return scopesOfLibrary(method, path);
  return BY_PATH.find(([pattern]) => pattern.test(path))?.[1];
}

/** To make a version, or to decide on one; to look, one of both. */
function scopesOfLibrary(method: string, path: string): Needed {
  if (method === 'PUT' || path.endsWith('/check')) return all('skills:propose');
  const isLook = method === 'GET' || method === 'HEAD' || path.endsWith('/diff');
  return isLook ? { either: ['skills:propose', 'skills:approve'] } : all('skills:approve');
}

/** Also of several at once: what any of them needs. */
function scopesOfMessages(value: unknown): Needed | undefined {
  return Array.isArray(value) ? merge(value.map(scopesOfMessage)) : scopesOfMessage(value);
}

/** No message needs one of several. */
const merge = (needed: readonly (Needed | undefined)[]): Needed =>
  all(...new Set(needed.flatMap((each) => (each !== undefined && 'all' in each ? each.all : []))));

/**
 * What opens a session, and lists of tools, need nothing: they show what the token is good for. An unknown method needs nothing,
 * either: with every token it is answered as unknown.
 */
const BY_METHOD: readonly (readonly [RegExp, (params: JsonObject) => Needed])[] = [
  [/^tools\/call$/, ({ name }) => scopesOfTool(name)],
  [/^subscriptions\/listen$/, scopesOfListening],
  [/^tasks\/(?:get|update|cancel)$/, () => INVOKE],
  [/^resources\/(?:list|read|subscribe|unsubscribe|templates\/list|directory\/read)$/, () => READ],
  [/^(?:(?:prompts|skills)\/(?:list|get)|completion\/complete)$/, () => READ],
  [/^(?:initialize|ping|tools\/list|server\/discover|logging\/setLevel|notifications\/.*)$/, () => NONE],
];

function scopesOfMessage(message: unknown): Needed | undefined {
  if (!isRecord(message) || typeof message.method !== 'string') return NONE;
  const { method, params } = message;
  return BY_METHOD.find(([pattern]) => pattern.test(method))?.[1](isRecord(params) ? params : {});
}

/** That a list has changed is told to each as they see it; runs and documents are named, and need what asking for them needs. */
function scopesOfListening({ notifications }: JsonObject): Needed {
  const wanted = isRecord(notifications) ? notifications : {};
  return merge([isSome(wanted.taskIds) ? INVOKE : NONE, isSome(wanted.resourceSubscriptions) ? READ : NONE]);
}

const isSome = (value: unknown): boolean => value !== undefined && !(Array.isArray(value) && value.length === 0);

const READERS: ReadonlySet<unknown> = new Set(Object.values(TOOL_NAMES));

/** Every other tool is a typed skill. */
function scopesOfTool(name: unknown): Needed {
  if (READERS.has(name)) return READ;
  return name === 'propose_skill' ? all('skills:propose') : INVOKE;
}

function functionIn(call: unknown): unknown {
  const found = isRecord(call) ? call.function : undefined;
  return isRecord(found) ? found.name : undefined;
}

/** What is no JSON is refused by who answers. */
function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
