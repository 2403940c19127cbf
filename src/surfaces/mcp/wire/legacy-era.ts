// Protocols 2024-11-05 to 2025-11-25: a handshake, then a session that hears of changes unasked.
import { fail, ok, type Result } from '../../../values/result.ts';
import { type EraRules, parseClientInfo } from './era-rules.ts';
import { isObject, type Request, rpcCode } from './json-rpc.ts';
import type { ClientInfo, JsonObject, Method, MethodTable, Reply, RpcError, ServerEvent } from './method.ts';
import { badEnvelope, metaKey, modernOnlyMethods } from './modern-era.ts';
import { announcesList, announcesResources } from './server-event.ts';

const LEGACY_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;

type LegacyVersion = (typeof LEGACY_VERSIONS)[number];

const MAX_RESOURCE_SUBSCRIPTIONS = 1024;

/** One client's handshake and what followed from it. */
export interface LegacySession extends EraRules {
  /** What the handshake agreed on; absent: there was none yet. */
  readonly version: LegacyVersion | undefined;
  /** Only 2025-03-26 has JSON-RPC batches. */
  readonly allowsBatches: boolean;
  /** The client has heard our answer to `initialize`. */
  initialized(): void;
  /** Whether this client is to be told of the change. */
  hears(event: ServerEvent): boolean;
}

interface SessionState {
  version: LegacyVersion | undefined;
  client: ClientInfo;
  ready: boolean;
  readonly resources: Set<string>;
}

export function legacySession(table: MethodTable): LegacySession {
  const client: ClientInfo = { name: 'unknown', version: '', capabilities: {} };
  const state: SessionState = { version: undefined, client, ready: false, resources: new Set() };
  const own = sessionMethods(table, state);
  return {
    era: 'legacy',
    identify: (request) => identify(state, request),
    find: (method) => own.get(method) ?? table.methods.get(method),
    dress: (_method, result) => result,
    get version() {
      return state.version;
    },
    get allowsBatches() {
      return state.version === '2025-03-26';
    },
    initialized: () => {
      state.ready = state.version !== undefined;
    },
    hears: (event) => state.ready && isAnnounced(table, state, event),
  };
}

/** The version that was asked for when we speak it, else the newest we do. */
function negotiate(requested: string): LegacyVersion {
  return LEGACY_VERSIONS.find((version) => version === requested) ?? LEGACY_VERSIONS[0];
}

function identify(state: SessionState, { method }: Request): Result<ClientInfo, RpcError> {
  if (modernOnlyMethods.has(method)) return badEnvelope(metaKey.protocolVersion, `is required for ${method}`);
  if (state.version !== undefined || method === 'initialize' || method === 'ping') return ok(state.client);
  return fail({ code: rpcCode.invalidRequest, message: 'Server not initialized: send initialize first' });
}

function isAnnounced(table: MethodTable, state: SessionState, event: ServerEvent): boolean {
  return event.kind === 'resource' ? state.resources.has(event.uri) : announcesList(table.capabilities, event.kind);
}

function sessionMethods(table: MethodTable, state: SessionState): ReadonlyMap<string, Method> {
  const methods = new Map<string, Method>([
    ['ping', () => ok({})],
    ['initialize', (params) => initialize(table, state, params)],
  ]);
  if (announcesResources(table.capabilities)) {
    methods.set('resources/subscribe', (params) => subscribe(state, params));
    methods.set('resources/unsubscribe', (params) => unsubscribe(state, params));
  }
  return methods;
}

function initialize(table: MethodTable, state: SessionState, params: JsonObject): Reply | Promise<Reply> {
  const { protocolVersion, capabilities = {}, clientInfo } = params;
  if (typeof protocolVersion !== 'string') return invalidParams('protocolVersion must be a string');
  if (!isObject(capabilities)) return invalidParams('capabilities must be an object');
  const client = parseClientInfo(clientInfo, capabilities);
  if (client === undefined) return invalidParams('clientInfo must have a name and a version');
  // Set before anything is awaited: requests that were sent right behind this one are already in the session.
  const version = negotiate(protocolVersion);
  state.version = version;
  state.client = client;
  const instructions = table.instructions(client);
  if (typeof instructions === 'string') return ok(welcome(table, version, instructions));
  return instructions.then((text) => ok(welcome(table, version, text)));
}

function welcome(table: MethodTable, protocolVersion: LegacyVersion, instructions: string): JsonObject {
  return { protocolVersion, capabilities: table.capabilities, serverInfo: table.info, instructions };
}

function subscribe(state: SessionState, { uri }: JsonObject): Reply {
  if (typeof uri !== 'string') return invalidParams('uri must be a string');
  if (state.resources.size >= MAX_RESOURCE_SUBSCRIPTIONS && !state.resources.has(uri)) {
    return fail({ code: rpcCode.internalError, message: 'Subscription limit reached' });
  }
  state.resources.add(uri);
  return ok({});
}

function unsubscribe(state: SessionState, { uri }: JsonObject): Reply {
  if (typeof uri !== 'string') return invalidParams('uri must be a string');
  state.resources.delete(uri);
  return ok({});
}

function invalidParams(reason: string): Reply {
  return fail({ code: rpcCode.invalidParams, message: `Invalid params: ${reason}` });
}
