// Who invokes a typed skill over MCP, under which ids, as a request says (X9, J3).
import { type Caller, callerOf } from '../../../identity/caller.ts';
import type { InvokeRequest } from '../../../skills/run/active-invocation.ts';
import type { JsonObject } from '../../../values/json-object.ts';
import type { RequestContext } from '../wire/method.ts';
import { readerName } from './reader-name.ts';

/** Over HTTP the authenticated caller; over stdio the agent that the operator named, else the operator as the client's name. */
export function invokerOf(
  context: Pick<RequestContext, 'caller' | 'client'>,
  agent: string | undefined,
): Pick<InvokeRequest, 'agent'> & { readonly caller: Caller } {
  const { caller } = context;
  if (caller !== undefined) return { caller };
  return { caller: callerOf(agent), agent: agent ?? readerName(context) };
}

/** Ours as it is, right or wrong; else the trace of a W3C `traceparent`, which is an id of the same length. */
export function correlationIdIn(meta: JsonObject): string | undefined {
  const own = meta['repertoire/correlation_id'];
  if (own !== undefined) return typeof own === 'string' ? own : 'not a string';
  const { traceparent } = meta;
  const trace = typeof traceparent === 'string' ? TRACEPARENT.exec(traceparent)?.[1] : undefined;
  return trace?.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Version, trace, parent, flags; an id of zeros is none. */
const TRACEPARENT = /^[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}/;

/** As it was given; what is no text is no key, and is refused as such. */
export function idempotencyKeyIn(meta: JsonObject): string | undefined {
  const key = meta['repertoire/idempotency_key'];
  if (key === undefined) return undefined;
  return typeof key === 'string' ? key : '';
}
