// Protocol 2026-07-28: no handshake and no state; every request says who it is from, every result what it is.

import type { ClientInfo } from '../../../identity/client-info.ts';
import { isRecord } from '../../../values/is-record.ts';
import type { JsonObject } from '../../../values/json-object.ts';
import { fail, ok, type Result } from '../../../values/result.ts';
import { type EraRules, parseClientInfo } from './era-rules.ts';
import { invalidParams, quote, rpcCode } from './json-rpc.ts';
import { type CacheHint, LargeResult, type Method, type MethodTable, PreparedResult, type RpcError } from './method.ts';

export const MODERN_VERSION = '2026-07-28';

export const metaKey = {
  protocolVersion: 'io.modelcontextprotocol/protocolVersion',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
  subscriptionId: 'io.modelcontextprotocol/subscriptionId',
} as const;

/** Methods that only this era has: without the claim they are a modern request that forgot it. */
export const modernOnlyMethods: ReadonlySet<string> = new Set(['server/discover', 'subscriptions/listen']);

/** Of the tasks that 2025-11-25 had: taken out of the protocol, which is said before anything else is looked at. */
export const removedMethods: ReadonlySet<string> = new Set(['tasks/result', 'tasks/list']);

/** A request is modern if and only if it names a protocol version; the rest is checked afterwards. */
export function claimsModern(params: JsonObject): boolean {
  return isRecord(params._meta) && Object.hasOwn(params._meta, metaKey.protocolVersion);
}

export function modernEra(table: MethodTable): EraRules {
  const own: ReadonlyMap<string, Method> = new Map([['server/discover', discover(table)]]);
  return {
    era: 'modern',
    version: MODERN_VERSION,
    identify: (request) => parseEnvelope(request.params),
    find: (method) => own.get(method) ?? table.methods.get(method) ?? table.modern?.methods.get(method),
    dress: dresser(table),
  };
}

/** What was prepared is asked for again: it is dressed once as well. One prepared result answers one method. */
function dresser(table: MethodTable): EraRules['dress'] {
  const dressed = new WeakMap<PreparedResult, { readonly method: string; readonly result: PreparedResult }>();
  return (method, result) => {
    if (result instanceof LargeResult) return joinLarge(dressResult(table, method, {}), result);
    if (!(result instanceof PreparedResult)) return dressResult(table, method, result);
    const known = dressed.get(result);
    if (known?.method === method) return known.result;
    const made = joinPrepared(dressResult(table, method, {}), result);
    dressed.set(result, { method, result: made });
    return made;
  };
}

/** Who sent a modern request, or why it cannot be served. Checked on every request: there is no pinned version. */
function parseEnvelope(params: JsonObject): Result<ClientInfo, RpcError> {
  const meta = isRecord(params._meta) ? params._meta : {};
  const requested = meta[metaKey.protocolVersion];
  if (typeof requested !== 'string') return badEnvelope(metaKey.protocolVersion, 'must be a string');
  if (requested !== MODERN_VERSION) return fail(unsupportedVersion(requested));
  const capabilities = meta[metaKey.clientCapabilities];
  if (!isRecord(capabilities)) return badEnvelope(metaKey.clientCapabilities, 'must be an object');
  const client = parseClientInfo(meta[metaKey.clientInfo], capabilities);
  if (client === undefined) return badEnvelope(metaKey.clientInfo, 'must have a name and a version');
  return ok(client);
}

/** A result as 2026-07-28 wants it: its type, our name and, where it may be cached, for how long and for whom. */
function dressResult(table: MethodTable, method: string, result: JsonObject): JsonObject {
  const meta = isRecord(result._meta) ? result._meta : undefined;
  const _meta = { ...meta, [metaKey.serverInfo]: table.info };
  // A task, or a request for input, says what it is; it is no answer that could be kept.
  if (result.resultType !== undefined) return { ...result, _meta };
  const hint = cacheHint(table, method);
  if (hint === undefined) return { ...result, resultType: 'complete', _meta };
  return { ...result, resultType: 'complete', ttlMs: hint.ttlMs, cacheScope: hint.cacheScope, _meta };
}

/** `{ fields } + { prepared }`, without reading what was prepared. */
function joinPrepared(fields: JsonObject, { bytes }: PreparedResult): PreparedResult {
  const head = Buffer.from(`${JSON.stringify(fields).slice(0, -1)},`);
  return new PreparedResult(Buffer.concat([head, bytes.subarray(1)]));
}

function joinLarge(fields: JsonObject, { texts: [first = '', ...others], places, content }: LargeResult): LargeResult {
  return new LargeResult([`${JSON.stringify(fields).slice(0, -1)},${first.slice(1)}`, ...others], places, content);
}

export function badEnvelope(key: string, rule: string): { readonly ok: false; readonly failure: RpcError } {
  return invalidParams(`Invalid params: _meta["${key}"] ${rule}`);
}

function unsupportedVersion(version: string): RpcError {
  const requested = quote(version);
  const message = `Unsupported protocol version: ${requested}; this server speaks ${MODERN_VERSION}`;
  return { code: rpcCode.unsupportedVersion, message, data: { supported: [MODERN_VERSION], requested } };
}

function discover(table: MethodTable): Method {
  return (_params, { client, caller }) => {
    const instructions = table.instructions(client, caller);
    return typeof instructions === 'string' ? describeServer(table, instructions) : describeLater(table, instructions);
  };
}

function describeServer(table: MethodTable, instructions: string) {
  return ok({ supportedVersions: [MODERN_VERSION], capabilities: capabilitiesOf(table), instructions });
}

function capabilitiesOf({ capabilities, modern }: MethodTable): JsonObject {
  if (modern === undefined) return capabilities;
  const shared = isRecord(capabilities.extensions) ? capabilities.extensions : {};
  return { ...capabilities, extensions: { ...shared, ...modern.extensions } };
}

async function describeLater(table: MethodTable, instructions: Promise<string>) {
  return describeServer(table, await instructions);
}

const cacheable: ReadonlySet<string> = new Set([
  'server/discover',
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'resources/directory/read',
  'skills/list',
  'skills/get',
]);

/** Stale at once and for this caller only: never wrong. */
const uncached: CacheHint = { ttlMs: 0, cacheScope: 'private' };

function cacheHint(table: MethodTable, method: string): CacheHint | undefined {
  if (Object.hasOwn(table.cacheHints, method)) return table.cacheHints[method];
  return cacheable.has(method) ? uncached : undefined;
}
