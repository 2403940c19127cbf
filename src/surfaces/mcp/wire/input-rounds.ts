// Input rounds (2026-07-28): a method asks the client for something before it answers, and the client calls again with the
// replies. Between two rounds we keep nothing: what we must know comes back sealed, and what comes back is attacker input.
import { createHash } from 'node:crypto';
import { ownerKey } from '../../../identity/caller.ts';
import { canonicalJson } from '../../../skills/durable/run-keys.ts';
import { createSealedJson, type SealedJson } from '../../../skills/durable/sealed-json.ts';
import { isRecord } from '../../../values/is-record.ts';
import type { JsonObject } from '../../../values/json-object.ts';
import { fail, ok, type Result } from '../../../values/result.ts';
import { canShowForm, canShowUrl, isDeclared, missingCapability } from './client-capabilities.ts';
import { invalidParams, rpcCode } from './json-rpc.ts';
import type { Method, MethodResult, RequestContext, RpcError } from './method.ts';

type InputMethod = 'elicitation/create' | 'sampling/createMessage' | 'roots/list';

export interface InputRequest {
  readonly method: InputMethod;
  readonly params?: JsonObject;
}

/** What a method gives in place of its result. All of it is indispensable: what can be done without is not asked for. */
export class InputRequired {
  readonly requests: Readonly<Record<string, InputRequest>>;
  /** What it must know in the next round; `undefined`: nothing. */
  readonly state: unknown;

  constructor(requests: Readonly<Record<string, InputRequest>>, state?: unknown) {
    this.requests = requests;
    this.state = state;
  }
}

export interface Round {
  /** By the key that was asked with. What is no object is left out: it is asked for again. Content is the method's to check. */
  readonly replies: ReadonlyMap<string, JsonObject>;
  /** As it was given with the last round: no one else can have made it. */
  readonly state: unknown;
  /** Whether the client declares that it can be asked so. */
  readonly canAsk: (request: InputRequest) => boolean;
}

type RoundResult = MethodResult | InputRequired;

export type RoundMethod = (
  params: JsonObject,
  context: RequestContext,
  round: Round,
) => RoundResult | Promise<RoundResult>;

/** Nothing else may be answered with a request for input. */
type AskingMethod = 'tools/call' | 'prompts/get' | 'resources/read';

export interface InputRoundsOptions {
  /** The same for every replica. */
  readonly secret: () => Promise<string>;
  readonly now: () => Date;
}

/** Long enough for a person to answer. */
const STATE_MS = 3_600_000;

export type WithRounds = (name: AskingMethod, method: RoundMethod) => Method;

export function createInputRounds({ secret, now }: InputRoundsOptions): WithRounds {
  const sealed = createSealedJson(secret, 'repertoire/rounds');
  return (name, method) => async (params, context) => {
    const about = requestDigest(name, params, context);
    const round = await parseRound(params, context, (text) => openState(sealed, text, about, now()));
    if (!round.ok) return round;
    const result = await method(params, context, round.value);
    if (!(result instanceof InputRequired)) return result;
    const refusal = refusalOf(result, context);
    return refusal === undefined ? ok(await askClient(result, sealed, about, now())) : fail(refusal);
  };
}

/** State is good for this caller, and for the same question, alone. */
function requestDigest(name: AskingMethod, params: JsonObject, { caller }: RequestContext): string {
  const { _meta, inputResponses, requestState, ...asked } = params;
  const digest = createHash('sha256').update(canonicalJson(asked)).digest('hex');
  return JSON.stringify([name, caller === undefined ? null : ownerKey(caller), digest]);
}

async function parseRound(
  { inputResponses = {}, requestState }: JsonObject,
  context: RequestContext,
  open: (text: string) => Promise<Result<unknown, RpcError>>,
): Promise<Result<Round, RpcError>> {
  if (!isRecord(inputResponses)) return invalidParams('Invalid params: inputResponses must be an object');
  if (requestState !== undefined && typeof requestState !== 'string')
    return invalidParams('Invalid params: requestState must be a string');
  const state = requestState === undefined ? ok(undefined) : await open(requestState);
  if (!state.ok) return state;
  const replies = new Map(
    Object.entries(inputResponses).filter((entry): entry is [string, JsonObject] => isRecord(entry[1])),
  );
  return ok({ replies, state: state.value, canAsk: (request) => neededFor(request, context) === undefined });
}

interface SealedState {
  readonly state: unknown;
  readonly expires: number;
}

/** One sentence for all that can be wrong with it. */
const BAD_STATE = 'Invalid params: requestState is not one of this request, or has expired; call again without it';

async function openState(
  sealed: SealedJson,
  text: string,
  about: string,
  now: Date,
): Promise<Result<unknown, RpcError>> {
  try {
    // Sealed below: nothing else opens.
    const { state, expires } = (await sealed.unseal(text, about)) as SealedState;
    return now.getTime() < expires ? ok(state) : invalidParams(BAD_STATE);
  } catch {
    // Whatever a client makes up fails to open, in one of many ways. It is told the same of each.
    return invalidParams(BAD_STATE);
  }
}

async function askClient(
  { requests, state }: InputRequired,
  sealed: SealedJson,
  about: string,
  now: Date,
): Promise<JsonObject> {
  const kept: SealedState = { state, expires: now.getTime() + STATE_MS };
  return {
    resultType: 'input_required',
    ...(Object.keys(requests).length > 0 && { inputRequests: requests }),
    ...(state !== undefined && { requestState: await sealed.seal(kept, about) }),
  };
}

function refusalOf({ requests }: InputRequired, context: RequestContext): RpcError | undefined {
  if (context.era === 'legacy')
    return { code: rpcCode.refused, message: 'Cannot ask for input: it needs a client of the protocol 2026-07-28' };
  const needed = Object.values(requests).map((request) => neededFor(request, context) ?? {});
  const missing = Object.assign({}, ...needed) as JsonObject;
  const names = Object.keys(missing).join(', ');
  return names === '' ? undefined : missingCapability(`This needs a client that declares ${names}`, missing);
}

/** What the client would have to declare, and does not. */
function neededFor({ method, params = {} }: InputRequest, context: RequestContext): JsonObject | undefined {
  const isDone = context.era === 'modern' && CAN_ASK[method](context, params);
  return isDone ? undefined : NEEDED[method](params);
}

const CAN_ASK = {
  'elicitation/create': (context, { mode }) => (mode === 'url' ? canShowUrl(context) : canShowForm(context)),
  'sampling/createMessage': ({ client }) => isDeclared(client.capabilities, 'sampling'),
  'roots/list': ({ client }) => isDeclared(client.capabilities, 'roots'),
} as const satisfies Record<InputMethod, (context: RequestContext, params: JsonObject) => boolean>;

const NEEDED = {
  'elicitation/create': ({ mode }) => ({ elicitation: mode === 'url' ? { url: {} } : {} }),
  'sampling/createMessage': () => ({ sampling: {} }),
  'roots/list': () => ({ roots: {} }),
} as const satisfies Record<InputMethod, (params: JsonObject) => JsonObject>;

/** What a person filled in; `undefined`: nothing, or they declined. */
export function acceptedContent({ replies }: Round, key: string): JsonObject | undefined {
  const reply = replies.get(key);
  return reply?.action === 'accept' && isRecord(reply.content) ? reply.content : undefined;
}
