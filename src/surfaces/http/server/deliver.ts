// The last step of the guard: the request goes to its endpoint.
import { ANONYMOUS } from '../../../identity/caller.ts';
import { type GuardedRequest, type GuardParts, TAKEN, type Verdict } from './guard-step.ts';
import { MCP_PATH } from './received-request.ts';

export function deliver(guarded: GuardedRequest, parts: GuardParts): Verdict | Promise<Verdict> {
  const { received, caller, body = '' } = guarded;
  const { request, response, path, remote, correlationId } = received;
  const endpoint = path === MCP_PATH ? parts.mcp : parts.api;
  const { limits } = parts;
  const onFault = (fault: unknown) => parts.onFault(received, fault);
  // Traces are for callers who are known: a stranger decides neither on what is sent nor on how much.
  const trace = caller === ANONYMOUS ? undefined : guarded.trace;
  const of = { request, response, path, caller, remote, correlationId, body, limits, onFault, trace };
  const going = endpoint.handle(of);
  return going === undefined ? TAKEN : going.then(() => TAKEN);
}
