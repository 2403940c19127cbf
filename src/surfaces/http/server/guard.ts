// What every request goes through before its route, as a list of steps. Whatever gets through is an `AdmittedRequest`.
// Steps answer at once where they can: there is a promise only for a body, for a lookup, for a session
// that is new to us, and near a limit that several replicas count together.
import type { IncomingMessage } from 'node:http';
import { andThen } from '../../../async/and-then.ts';
import { ANONYMOUS } from '../../../identity/caller.ts';
import type { Wait } from '../../../limits/rate-window.ts';
import { ROOM_RETRY_SECONDS } from '../../streams/unread-answers.ts';
import { identify, readCredentials, readSignIn } from './admit-caller.ts';
import { answerWithoutCaller } from './answer-openly.ts';
import { checkScope } from './check-scope.ts';
import { deliver } from './deliver.ts';
import { type GuardedRequest, type GuardParts, PASS, refuse, refuseIf, type Step, type Verdict } from './guard-step.ts';
import type { GuardedResponse } from './guarded-response.ts';
import { LARGE_BODY_BYTES, takesLargeBody } from './large-bodies.ts';
import { type ReceivedRequest, toReceived } from './received-request.ts';
import * as refusals from './refusals.ts';
import { headersRefusal, isCrossSite, isFramed, isNavigation, senderRefusal, shapeRefusal } from './request-rules.ts';
import { takeBody } from './take-body.ts';

export type Guard = (request: IncomingMessage, response: GuardedResponse, awaitsContinue: boolean) => void;

export function createGuard(parts: GuardParts): Guard {
  return (request, response, awaitsContinue) => {
    const received = toReceived(request, response, awaitsContinue, parts.findClientAddress);
    response.correlationId = received.correlationId;
    const trace = parts.observe?.(received);
    const unknown = { credentials: undefined, password: undefined, caller: ANONYMOUS, body: undefined };
    goThrough({ received, ...unknown, trace }, parts);
  };
}

const STEPS: readonly Step[] = [
  checkHeaders,
  checkSender,
  checkShape,
  checkSite,
  answerWithoutCaller,
  readSignIn,
  readCredentials,
  identify,
  limitConnections,
  limitRequests,
  takeBody,
  limitUnread,
  checkScope,
  deliver,
];

function goThrough(guarded: GuardedRequest, parts: GuardParts, from = 0): void {
  const fault = (error: unknown) => answerFault(guarded.received, parts, error);
  try {
    for (let at = from; at < STEPS.length; at += 1) {
      const verdict = STEPS[at]?.(guarded, parts) ?? PASS;
      if (verdict instanceof Promise) {
        const goOn = (later: Verdict) => applyVerdict(later, guarded, parts) && goThrough(guarded, parts, at + 1);
        return void verdict.then(goOn).catch(fault);
      }
      if (!applyVerdict(verdict, guarded, parts)) return;
    }
  } catch (error) {
    fault(error);
  }
}

/** Answers a request that was refused. True: it goes on to the next step. */
function applyVerdict(verdict: Verdict, guarded: GuardedRequest, parts: GuardParts): boolean {
  const { onRefused, isWornOut } = parts;
  if (verdict.kind === 'refused') {
    const { received, caller } = guarded;
    const isOfUnknown = caller === ANONYMOUS;
    onRefused(received, verdict.refusal);
    const isLast = isOfUnknown && isWornOut(received.request.socket);
    refusals.sendRefusal(received, verdict.refusal, { isOfUnknown, isLast, isOfOAuth: isOfOAuth(received, parts) });
  }
  return verdict.kind === 'pass';
}

function answerFault(received: ReceivedRequest, parts: GuardParts, fault: unknown): void {
  parts.onFault(received, fault);
  if (received.response.writableEnded) return;
  const sender = { isOfUnknown: false, isLast: false, isOfOAuth: isOfOAuth(received, parts) };
  refusals.sendRefusal(received, refusals.FAULT, sender);
}

const isOfOAuth = ({ path }: ReceivedRequest, { oauth }: GuardParts): boolean => oauth?.handles(path) === true;

/** How many there are: whether all of them are here. */
function checkHeaders({ received: { request } }: GuardedRequest): Verdict {
  return refuseIf(headersRefusal(request));
}

/** Host and Origin: whether it was meant for us, and not sent by a page of another origin (H4). */
function checkSender({ received: { request } }: GuardedRequest, { hosts }: GuardParts): Verdict {
  return refuseIf(senderRefusal(request, hosts));
}

/** Target, method, and kind and size of the body. */
function checkShape({ received: { request, path } }: GuardedRequest, parts: GuardParts): Verdict {
  const { maxBodyBytes, oauth, api, findPublicRoute } = parts;
  const most = takesLargeBody(request.method, path) ? LARGE_BODY_BYTES : maxBodyBytes;
  const isForm = oauth?.takesForm(path) === true;
  const methodsOf = () =>
    oauth?.methodsOf(path)?.join(', ') ??
    api.methodsOf?.(path) ??
    (findPublicRoute(path, request) === undefined ? undefined : 'GET, HEAD');
  return refuseIf(shapeRefusal(request, path, most, { isForm, methodsOf }));
}

/** A link may lead to a page; a page of another site may neither ask nor embed. */
function checkSite({ received: { request, path } }: GuardedRequest, { findPublicRoute, oauth }: GuardParts): Verdict {
  if (!isCrossSite(request)) return PASS;
  const isPage = oauth?.isPage(path) === true ? !isFramed(request) : findPublicRoute(path, request) !== undefined;
  const isLink = isNavigation(request) && isPage;
  return isLink ? PASS : refuse(refusals.CROSS_SITE);
}

function limitConnections({ received, caller }: GuardedRequest, { onProven }: GuardParts): Verdict {
  // Who is not known stays among those: there is room for few.
  if (caller === ANONYMOUS) return PASS;
  return onProven(received.request.socket, caller) ? PASS : refuse(refusals.TOO_MANY_CONNECTIONS);
}

function limitRequests({ caller, received }: GuardedRequest, { rate }: GuardParts): Verdict | Promise<Verdict> {
  return andThen(caller === ANONYMOUS ? rate.takeOpen(received) : rate.take(caller), passAfter);
}

const passAfter = (wait: Wait): Verdict => (wait === undefined ? PASS : refuse(refusals.tooOften(wait)));

/** Right before it is begun: what was admitted together and had to wait for its body is counted one after the other. */
function limitUnread({ caller }: GuardedRequest, { hasUnread }: GuardParts): Verdict {
  return hasUnread(caller) ? refuse(refusals.tooOften(ROOM_RETRY_SECONDS)) : PASS;
}
