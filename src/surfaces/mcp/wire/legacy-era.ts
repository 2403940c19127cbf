// Protocols 2024-11-05 to 2025-11-25: a handshake, then a session that is notified of changes unasked.
import type { Caller } from '../../../identity/caller.ts';
import type { ClientInfo } from '../../../identity/client-info.ts';
import { isRecord } from '../../../values/is-record.ts';
import type { JsonObject } from '../../../values/json-object.ts';
import { fail, ok, type Result } from '../../../values/result.ts';
import { type EraRules, parseClientInfo } from './era-rules.ts';
import {
  invalidParams,
  invalidRequest,
  type Line,
  type Message,
  type Request,
  readMessage,
  rpcCode,
} from './json-rpc.ts';
import type { Method, MethodResult, MethodTable, ReserveRoom, RpcError, ServerEvent } from './method.ts';
import { badEnvelope, claimsModern, metaKey, modernOnlyMethods } from './modern-era.ts';
import type { Requester } from './running-requests.ts';
import { announcesList, announcesResources } from './server-event.ts';

const LEGACY_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;

type LegacyVersion = (typeof LEGACY_VERSIONS)[number];

const MAX_RESOURCE_SUBSCRIPTIONS = 1024;
/** Of all their URIs together. */
const MAX_SUBSCRIBED_CHARACTERS = 256 * 1024;

/** One client's handshake and what followed from it. */
export interface LegacyEra extends EraRules {
  /** What the handshake agreed on; absent: there was none yet. */
  readonly version: LegacyVersion | undefined;
  /** Only 2025-03-26 has JSON-RPC batches. */
  readonly allowsBatches: boolean;
  /** What the client said of itself. */
  readonly client: ClientInfo;
  /** What it is subscribed to. */
  readonly resources: ReadonlySet<string>;
  /** The client has heard our answer to `initialize`. */
  initialized(): void;
  /** Whether this client is notified of the change. */
  announces(event: ServerEvent): boolean;
  /** Subscribed elsewhere: to these, and no others. */
  setResources(uris: Iterable<string>): void;
}

/** A handshake that was made elsewhere, and what followed from it. */
export interface EarlierHandshake {
  readonly version: string;
  readonly client: ClientInfo;
  readonly resources: readonly string[];
}

export interface LegacyEraOptions {
  readonly earlier?: EarlierHandshake | undefined;
  /** Hears of every subscription before it is answered. Must not reject. */
  readonly onSubscription?: ((uri: string, isWanted: boolean) => Promise<void>) | undefined;
}

interface ClientState {
  version: LegacyVersion | undefined;
  client: ClientInfo;
  ready: boolean;
  readonly resources: Set<string>;
}

const UNKNOWN_CLIENT: ClientInfo = { name: 'unknown', version: '', capabilities: {} };

/** Only clients that heard our answer come back to a session: an earlier one is ready. */
const stateOf = (earlier: EarlierHandshake | undefined): ClientState => ({
  version: earlier && negotiate(earlier.version),
  client: earlier?.client ?? UNKNOWN_CLIENT,
  ready: earlier !== undefined,
  resources: new Set(earlier?.resources),
});

export function legacyEra(table: MethodTable, { earlier, onSubscription }: LegacyEraOptions = {}): LegacyEra {
  const state = stateOf(earlier);
  const own = handshakeMethods(table, state, onSubscription);
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
    get client() {
      return state.client;
    },
    resources: state.resources,
    initialized: () => {
      state.ready = state.version !== undefined;
    },
    announces: (event) => state.ready && isAnnounced(table, state, event),
    setResources: (uris) => {
      state.resources.clear();
      for (const uri of uris) state.resources.add(uri);
    },
  };
}

/** The version that was asked for when we speak it, else the newest we do. */
function negotiate(requested: string): LegacyVersion {
  return LEGACY_VERSIONS.find((version) => version === requested) ?? LEGACY_VERSIONS[0];
}

function identify(state: ClientState, { method }: Request): Result<ClientInfo, RpcError> {
  if (modernOnlyMethods.has(method)) return badEnvelope(metaKey.protocolVersion, `is required for ${method}`);
  if (state.version !== undefined || method === 'initialize' || method === 'ping') return ok(state.client);
  return fail({ code: rpcCode.invalidRequest, message: 'Server not initialized: send initialize first' });
}

function isAnnounced(table: MethodTable, state: ClientState, event: ServerEvent): boolean {
  return event.kind === 'resource' ? state.resources.has(event.uri) : announcesList(table.capabilities, event.kind);
}

function handshakeMethods(
  table: MethodTable,
  state: ClientState,
  onSubscription: LegacyEraOptions['onSubscription'],
): ReadonlyMap<string, Method> {
  const tell = (result: MethodResult, uri: unknown, isWanted: boolean): MethodResult | Promise<MethodResult> =>
    result.ok && onSubscription !== undefined ? onSubscription(String(uri), isWanted).then(() => result) : result;

  const methods = new Map<string, Method>([
    ['ping', () => ok({})],
    ['initialize', (params, { caller }) => initialize(table, state, params, caller)],
  ]);
  if (announcesResources(table.capabilities)) {
    methods.set('resources/subscribe', (params) => tell(subscribe(state, params), params.uri, true));
    methods.set('resources/unsubscribe', (params) => tell(unsubscribe(state, params), params.uri, false));
  }
  return methods;
}

function initialize(
  table: MethodTable,
  state: ClientState,
  params: JsonObject,
  caller: Caller | undefined,
): MethodResult | Promise<MethodResult> {
  const { protocolVersion, capabilities = {}, clientInfo } = params;
  if (typeof protocolVersion !== 'string') return invalidParams('Invalid params: protocolVersion must be a string');
  if (!isRecord(capabilities)) return invalidParams('Invalid params: capabilities must be an object');
  const client = parseClientInfo(clientInfo, capabilities);
  if (client === undefined) return invalidParams('Invalid params: clientInfo must have a name and a version');
  // Set before anything is awaited: requests that were sent right behind this one are already in the session.
  const version = negotiate(protocolVersion);
  state.version = version;
  state.client = client;
  const instructions = table.instructions(client, caller);
  if (typeof instructions === 'string') return ok(welcome(table, version, instructions));
  return instructions.then((text) => ok(welcome(table, version, text)));
}

function welcome(table: MethodTable, protocolVersion: LegacyVersion, instructions: string): JsonObject {
  return { protocolVersion, capabilities: table.capabilities, serverInfo: table.info, instructions };
}

function subscribe(state: ClientState, { uri }: JsonObject): MethodResult {
  if (typeof uri !== 'string') return invalidParams('Invalid params: uri must be a string');
  if (!state.resources.has(uri) && !hasRoomFor(uri, state.resources)) {
    return fail({ code: rpcCode.internalError, message: 'Subscription limit reached' });
  }
  state.resources.add(uri);
  return ok({});
}

function hasRoomFor(uri: string, resources: ReadonlySet<string>): boolean {
  let characters = uri.length;
  for (const each of resources) characters += each.length;
  return resources.size < MAX_RESOURCE_SUBSCRIPTIONS && characters <= MAX_SUBSCRIBED_CHARACTERS;
}

function unsubscribe(state: ClientState, { uri }: JsonObject): MethodResult {
  if (typeof uri !== 'string') return invalidParams('Invalid params: uri must be a string');
  state.resources.delete(uri);
  return ok({});
}

const MAX_BATCH = 1024;

/** Why these items cannot be taken as a batch. */
export function batchProblem(items: readonly unknown[]): string | undefined {
  if (items.length === 0) return 'the batch is empty';
  return items.length > MAX_BATCH ? `the batch has more than ${MAX_BATCH} messages` : undefined;
}

/** The answers leave together when the last one is there; none when nothing in the batch wants one. */
export function receiveBatch(
  items: readonly unknown[],
  requester: Requester,
  receive: (message: Message, requester: Requester) => void,
): void {
  const lines: Line[] = [];
  let open = 1; // the batch itself, so that it cannot end before its last message was seen
  const settle = (line: Line | undefined) => {
    if (line !== undefined) lines.push(line);
    open -= 1;
    if (open === 0) requester.answer(lines.length > 0 ? `[${lines.join(',')}]` : undefined);
  };
  const { caller, remote, correlationId, trace, sessionId } = requester;
  const notify = (line: string) => requester.notify(line);
  const reserve = roomInBatch(requester);
  const each: Requester = { caller, remote, correlationId, trace, sessionId, reserve, notify, answer: settle };
  for (const message of items.map(readBatched)) {
    if (message.kind === 'request' || message.kind === 'invalid') open += 1;
    receive(message, each);
  }
  settle(undefined);
}

/** The answers of a batch are one text, made when the last one is there: large files are asked for one by one. */
const MAX_LARGE_IN_BATCH = 2 * 1024 * 1024;
/** As JSON a control character takes six. */
const ESCAPED = 6;

function roomInBatch(requester: Requester): ReserveRoom {
  let left = MAX_LARGE_IN_BATCH;
  return async (bytes) => {
    if (bytes > left) return undefined;
    left -= bytes;
    return requester.reserve(ESCAPED * bytes);
  };
}

/** A batch carries neither the handshake nor requests of an era without batches. */
function readBatched(item: unknown): Message {
  const message = readMessage(item);
  if (message.kind !== 'request') return message;
  const misplaced = message.method === 'initialize' || claimsModern(message.params);
  return misplaced ? { kind: 'invalid', id: message.id, error: invalidRequest('not allowed in a batch') } : message;
}
