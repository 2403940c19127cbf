// Our answers beside an SDK server's own: what is theirs goes to their handler untouched, what is ours to the method table.
import type { DocumentToolName } from '../../operations/operation.ts';
import type { Repertoire } from '../../repertoire/repertoire.ts';
import { echoText } from '../../text/list-text.ts';
import { isRecord } from '../../values/is-record.ts';
import type { JsonObject } from '../../values/json-object.ts';
import { skillResult } from './methods/get-skill.ts';
import { SKILL_TEMPLATE } from './methods/resources.ts';
import { toolError } from './methods/tool.ts';
import type { FindTable } from './owned-tables.ts';
import type { OwnerResources } from './owner-resources.ts';
import { type Handler, OUR_CURSOR, type SdkRequest, type SdkServer } from './sdk-server.ts';
import { internalError, rpcCode } from './wire/json-rpc.ts';
import {
  type AnyResult,
  LargeResult,
  type MethodTable,
  PreparedResult,
  type RequestContext,
  type RpcError,
} from './wire/method.ts';

export interface BoundSkills {
  /** For what tells nothing of a skill's text. */
  readonly table: MethodTable;
  readonly findTable: FindTable;
  readonly repertoire: Repertoire;
  readonly owner: OwnerResources;
  /** The owner's `skill://` resources are skills, too. */
  readonly servesOwn: boolean;
  /** By their names on this server. */
  readonly documentTools: ReadonlyMap<string, DocumentToolName>;
  readonly typedTools: ReadonlySet<string>;
  readonly prompts: boolean;
}

/** What a read of our resource template throws on its way through the SDK: then the answer is ours. */
export const ANSWER_IS_OURS = new Error('Skills are answered by registerSkills');

/** Methods that only the Skills extension has. */
export const EXTENSION_METHODS = ['skills/list', 'skills/get', 'resources/directory/read'] as const;

/** By method: the handler to put in the place of `next`, the server's own. */
export function createWrappers(
  server: SdkServer,
  skills: BoundSkills,
): ReadonlyMap<string, (next: Handler) => Handler> {
  const ask: Ask = (method, request, context) =>
    askTable(server, skills.table, method, paramsOf(request), server.contextOf(context));
  // Where a text is told, it is the one that reading the resource gives.
  const askForText = textAsker(server, skills);
  const { _requestHandlers: handlers } = server.fields.server;
  const extension = EXTENSION_METHODS.filter((method) => !handlers.has(method));
  const wrappers: [string, (next: Handler) => Handler][] = [
    ...extension.map((method): [string, () => Handler] => [method, () => extensionMethod(server, skills, method)]),
    ['tools/list', (next) => listTools(next, ask, skills)],
    ['tools/call', (next) => choose(next, askForText, (params) => isOurTool(skills, params))],
    ['resources/list', (next) => appendOurs(next, ask, 'resources', (theirs) => isFreeResource(skills, theirs))],
    ['resources/templates/list', listTemplates],
    ['resources/read', (next) => readResource(next, ask, skills)],
    ['completion/complete', (next) => choose(next, ask, (params) => isOurCompletion(server, skills, params))],
  ];
  if (skills.prompts) {
    const isFree = (entry: JsonObject) => !isTheirPrompt(server, entry.name);
    wrappers.push(
      ['prompts/list', (next) => appendOurs(next, ask, 'prompts', () => isFree)],
      ['prompts/get', (next) => choose(next, askForText, ({ name }) => isOurPrompt(server, skills, name))],
    );
  }
  return new Map(wrappers);
}

/** A method of the extension; 2026-07-28 wants to know how long the answer may be kept. */
const extensionMethod = (server: SdkServer, skills: BoundSkills, method: string): Handler => {
  const hint = skills.table.cacheHints[method] ?? { ttlMs: 0, cacheScope: 'private' };
  const ask = textAsker(server, skills);
  return async (request, sdkContext) => {
    const result = await ask(method, request, sdkContext);
    return server.contextOf(sdkContext).era === 'modern' ? { ...result, ...hint } : result;
  };
};

function textAsker(server: SdkServer, skills: BoundSkills): Ask {
  return async (method, request, sdkContext) => {
    const params = paramsOf(request);
    const own = method === 'tools/call' ? await getOwnSkill(skills, params, sdkContext) : undefined;
    if (own !== undefined) return own;
    const table = await skills.findTable(method, params, sdkContext);
    if (table.ok) return askTable(server, table.value, method, params, server.contextOf(sdkContext));
    if (method === 'tools/call') return toolError(table.failure);
    throw badParams(table.failure);
  };
}

/** `get_skill` for a `skill://` resource of the owner that is no skill of the catalog; `undefined`: it is not asked for one. */
async function getOwnSkill(skills: BoundSkills, params: JsonObject, sdkContext: unknown) {
  const { owner, servesOwn, documentTools, repertoire } = skills;
  if (!servesOwn || documentTools.get(String(params.name)) !== 'get_skill' || !isRecord(params.arguments))
    return undefined;
  const { uri, ...others } = params.arguments;
  if (typeof uri !== 'string' || Object.keys(others).length > 0 || !/^skill:\/\//i.test(uri)) return undefined;
  const isTheirs = owner.findResource(uri) !== undefined;
  if (repertoire.loadByUri(uri) !== undefined || !(isTheirs || owner.matchesTemplate(uri))) return undefined;
  const read = await owner.read(uri, sdkContext);
  if (read.ok && read.value.text !== undefined) {
    const { uri: named, mimeType = 'text/markdown', text } = read.value;
    return skillResult({ uri: named, mimeType, text });
  }
  // A template that knows nothing of it says no more than that nothing has this address.
  const failure = read.ok ? 'it is not text' : read.failure;
  return isTheirs ? toolError(`Cannot read '${echoText(uri, 200)}': ${failure}`) : undefined;
}

type Ask = (method: string, request: SdkRequest, context: unknown) => Promise<JsonObject>;

async function askTable(
  server: SdkServer,
  table: MethodTable,
  method: string,
  params: JsonObject,
  context: RequestContext,
): Promise<JsonObject> {
  try {
    const reply = await table.methods.get(method)?.(params, context);
    if (reply?.ok) return plain(reply.value);
    if (reply) throw new ProtocolFailure(reply.failure);
  } catch (error) {
    if (error instanceof ProtocolFailure) throw error;
    // A fault of ours: its words are for the owner of the server, not for the client (T9).
    server.mcp.server.onerror?.(error instanceof Error ? error : new Error(String(error)));
    throw new ProtocolFailure(internalError);
  }
  throw new ProtocolFailure({ code: rpcCode.methodNotFound, message: 'Method not found' });
}

/** Both generations answer a throw with its `code`, `message` and `data`. */
class ProtocolFailure extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor({ code, message, data }: RpcError) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

const badParams = (message: string) => new ProtocolFailure({ code: rpcCode.invalidParams, message });

function plain(value: AnyResult): JsonObject {
  if (value instanceof LargeResult) return JSON.parse([...value.pieces()].join(''));
  return value instanceof PreparedResult ? JSON.parse(value.bytes.toString('utf8')) : value;
}

const paramsOf = ({ params }: SdkRequest): JsonObject => (isRecord(params) ? params : {});

const listOf = (result: JsonObject, key: string): readonly JsonObject[] =>
  Array.isArray(result[key]) ? result[key].filter(isRecord) : [];

/**
 * Our tools stand where their names were reserved: the order of the others does not change. Where the owner put a handler
 * of their own in the place of the SDK's, the reserved ones are not there, and ours come last. What is reserved and not for
 * this caller is left out (X10).
 */
function listTools(next: Handler, ask: Ask, { typedTools }: BoundSkills): Handler {
  return async (request, context) => {
    const theirs = await next(request, context);
    const { cursor: _none, ...params } = paramsOf(request);
    const ours = listOf(await ask(request.method, { ...request, params }, context), 'tools');
    const byName = new Map(ours.map((tool) => [tool.name, tool]));
    const isHidden = ({ name }: JsonObject) => typedTools.has(String(name)) && !byName.has(name);
    const shown = listOf(theirs, 'tools').filter((tool) => !isHidden(tool));
    const tools = shown.map((tool) => byName.get(tool.name) ?? tool);
    const isLastPage = theirs.nextCursor === undefined;
    return { ...theirs, tools: isLastPage ? [...new Set([...tools, ...ours])] : tools };
  };
}

/** The SDK lists our template with theirs; where the owner put a handler in the place of the SDK's, it comes last. */
function listTemplates(next: Handler): Handler {
  return async (request, context) => {
    const theirs = await next(request, context);
    const templates = listOf(theirs, 'resourceTemplates');
    const isListed = templates.some(({ uriTemplate }) => uriTemplate === SKILL_TEMPLATE.uriTemplate);
    if (isListed || theirs.nextCursor !== undefined) return theirs;
    return { ...theirs, resourceTemplates: [...templates, SKILL_TEMPLATE] };
  };
}

/** Which of ours are listed beside `theirs`. */
type Offered = (theirs: readonly JsonObject[]) => (entry: JsonObject) => boolean;

/** Theirs first, page by page; then ours. The fields of their first page are on all of ours: one cache scope for all. */
function appendOurs(next: Handler, ask: Ask, key: string, offered: Offered): Handler {
  return async (request, context) => {
    const { cursor, ...rest } = paramsOf(request);
    if (cursor !== undefined && typeof cursor !== 'string') throw badParams('Invalid params: cursor must be a string');
    const isOurs = cursor?.startsWith(OUR_CURSOR) ?? false;
    const theirs = await next(isOurs ? { ...request, params: rest } : request, context);
    if (!isOurs && theirs.nextCursor !== undefined) return theirs;
    const params = isOurs ? { ...rest, cursor: cursor?.slice(OUR_CURSOR.length) } : rest;
    const ours = await ask(request.method, { ...request, params }, context);
    const { nextCursor: _theirs, ...fields } = theirs;
    return {
      ...fields,
      [key]: [...(isOurs ? [] : listOf(theirs, key)), ...listOf(ours, key).filter(offered(listOf(theirs, key)))],
      ...(ours.nextCursor !== undefined && { nextCursor: `${OUR_CURSOR}${ours.nextCursor}` }),
    };
  };
}

function choose(next: Handler, ask: Ask, isOurs: (params: JsonObject) => boolean): Handler {
  return (request, context) =>
    isOurs(paramsOf(request)) ? ask(request.method, request, context) : next(request, context);
}

/** The SDK decides who is first: its resources, its templates in their order, ours. We then read the URI as it came. */
function readResource(next: Handler, ask: Ask, skills: BoundSkills): Handler {
  return async (request, context) => {
    const params = paramsOf(request);
    const { uri } = params;
    if (typeof uri !== 'string') throw badParams('Invalid params: uri must be a string');
    if (!/^skill:/i.test(uri)) return next(request, context);
    const theirs = skills.owner.findResource(uri);
    if (theirs !== undefined) return next({ ...request, params: { ...params, uri: theirs } }, context);
    if (!URL.canParse(uri)) return ask(request.method, request, context);
    try {
      return await next(request, context);
    } catch (error) {
      // A handler of the owner's, in the place of the SDK's, knows nothing of our template.
      const isOurs = error === ANSWER_IS_OURS || isServed(skills, uri);
      if (isOurs) return ask(request.method, request, context);
      throw error;
    }
  };
}

const isOurTool = ({ documentTools, typedTools }: BoundSkills, { name }: JsonObject): boolean =>
  typeof name === 'string' && (documentTools.has(name) || typedTools.has(name));

/** One of the owner's is read first, so it is listed alone; templates of theirs may list some, too. */
function isFreeResource({ owner }: BoundSkills, listed: readonly JsonObject[]): (entry: JsonObject) => boolean {
  const theirs = owner.spellings();
  const uris = new Set(
    listed.map(({ uri }) => uri).filter((uri) => typeof uri === 'string' && uri.startsWith('skill:')),
  );
  return ({ uri }) => !theirs.has(String(uri)) && !uris.has(uri);
}

const isServed = ({ repertoire }: BoundSkills, uri: string): boolean =>
  (repertoire.loadByUri(uri) ?? repertoire.findFile(uri)) !== undefined;

const isTheirPrompt = ({ fields }: SdkServer, name: unknown): boolean =>
  typeof name === 'string' && Object.hasOwn(fields._registeredPrompts, name);

/** A name that is no text is refused by us: the SDK would answer with the words of its schema library. */
const isOurPrompt = (server: SdkServer, { repertoire }: BoundSkills, name: unknown): boolean =>
  typeof name !== 'string' || (!isTheirPrompt(server, name) && repertoire.loadByName(name) !== undefined);

function isOurCompletion(server: SdkServer, skills: BoundSkills, { ref, argument }: JsonObject): boolean {
  if (!isRecord(ref) || !isRecord(argument)) return true;
  if (ref.type === 'ref/resource') return ref.uri === SKILL_TEMPLATE.uriTemplate;
  return skills.prompts && ref.type === 'ref/prompt' && isOurPrompt(server, skills, ref.name);
}
