// The step of the guard that answers what needs no credential, or asks for its own: pages, /health, /ready, OAuth.
import { deliver } from './deliver.ts';
import {
  closingSignal,
  type GuardedRequest,
  type GuardParts,
  PASS,
  refuse,
  TAKEN,
  type Verdict,
} from './guard-step.ts';
import type { OAuthDoor } from './oauth-door.ts';
import { hasBody, isIndex, type ReceivedRequest, SESSION_PATH } from './received-request.ts';
import * as refusals from './refusals.ts';
import { readBodyOf } from './take-body.ts';

/** Answered by the API, without a credential. */
const READY = '/ready';
/** Clients look here for an authorization server and for files; that there is none is no secret. */
const OPEN_FOLDERS = /^\/(?:\.well-known|assets)\//;

/** What is answered without asking for a credential. */
export function answerWithoutCaller(guarded: GuardedRequest, parts: GuardParts): Verdict | Promise<Verdict> {
  const { received } = guarded;
  const { request, path } = received;
  if (parts.oauth?.handles(path)) return answerOAuth(guarded, parts, parts.oauth);
  // Closing a session needs no credential: the one that came may be over (H5).
  if (path === SESSION_PATH) return request.method === 'POST' ? PASS : deliver(guarded, parts);
  const route = parts.findPublicRoute(path, request);
  if (route === undefined && path !== READY) return isOpenFolder(path) ? refuse(refusals.NOTHING_HERE) : PASS;
  const { method = '' } = request;
  if (method === 'GET' || method === 'HEAD') {
    if (route === undefined) return deliver(guarded, parts);
    route(received);
    return TAKEN;
  }
  const isMcp = path === '/' && method === 'POST';
  return refuse(isMcp ? refusals.MCP_IS_ELSEWHERE : refusals.wrongMethod(method, 'GET, HEAD'));
}

const isOpenFolder = (path: string): boolean => OPEN_FOLDERS.test(path) && !isIndex(path);

/** A form, or what a client says of itself. */
const MAX_OAUTH_BYTES = 65_536;

/** The authorization server asks for its own credentials, in its own way (O2). */
async function answerOAuth(guarded: GuardedRequest, parts: GuardParts, oauth: OAuthDoor): Promise<Verdict> {
  const { received } = guarded;
  const { method = '' } = received.request;
  const methods = oauth.methodsOf(received.path) ?? [];
  if (!methods.includes(method)) return refuse(refusals.wrongMethod(method, methods.join(', ')));
  if (hasBody(received.request)) {
    const read = await readBodyOf(guarded, { maxBytes: MAX_OAUTH_BYTES, budget: parts.bodies });
    if (read.kind !== 'pass') return read;
  }
  const { response } = received;
  const noteBad = async () => {
    const wait = await parts.rate.noteBad(received);
    if (wait !== undefined) endAfter(received, refusals.tooManyGuesses(wait), parts);
    return wait;
  };
  const asked = { body: guarded.body ?? '', signal: closingSignal(response), noteBad };
  const reply = await oauth.answer(received, asked);
  if (response.destroyed) return TAKEN;
  const ending = response.endsConnection ? { Connection: 'close' } : {};
  response.writeHead(reply.status, { ...reply.headers, ...ending, 'Content-Length': Buffer.byteLength(reply.body) });
  response.end(reply.body);
  return TAKEN;
}

/** A person is told on the page why they have to wait; the connection ends with it, as for every other sender. */
function endAfter(received: ReceivedRequest, refusal: refusals.Refusal, { onRefused }: GuardParts): void {
  onRefused(received, refusal);
  received.response.endsConnection = true;
}
