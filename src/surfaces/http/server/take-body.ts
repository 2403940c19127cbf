// The step of the guard that reads the body, after all that can be refused without it.
import { checkScope } from './check-scope.ts';
import { type GuardedRequest, type GuardParts, PASS, refuse, type Verdict } from './guard-step.ts';
import { LARGE_BODY_BYTES, LARGE_BODY_PIECES, takesLargeBody } from './large-bodies.ts';
import { hasBody } from './received-request.ts';
import * as refusals from './refusals.ts';
import { type BodyProblem, type BodyRules, readBody } from './request-body.ts';

export function takeBody(guarded: GuardedRequest, parts: GuardParts): Verdict | Promise<Verdict> {
  const { request, path } = guarded.received;
  if (guarded.body !== undefined || !hasBody(request)) return PASS;
  if (takesLargeBody(request.method, path)) return takeLargeBody(guarded, parts);
  return readBodyOf(guarded, { maxBytes: parts.maxBodyBytes, budget: parts.bodies });
}

/** After the scope was checked, and one at a time for each caller (L1). */
async function takeLargeBody(guarded: GuardedRequest, parts: GuardParts): Promise<Verdict> {
  const { largeBodies } = parts;
  const scoped = checkScope(guarded, parts);
  if (scoped.kind !== 'pass') return scoped;
  const admitted = await largeBodies.admit(guarded.caller, guarded.received.response);
  if (!admitted.ok) return refuse(admitted.failure);
  const rules = { maxBytes: LARGE_BODY_BYTES, maxPieces: LARGE_BODY_PIECES, budget: largeBodies.budget };
  return readBodyOf(guarded, rules);
}

export async function readBodyOf(guarded: GuardedRequest, rules: Omit<BodyRules, 'caller'>): Promise<Verdict> {
  const { request, response, awaitsContinue } = guarded.received;
  if (awaitsContinue) response.writeContinue();
  const read = await readBody(request, { ...rules, caller: guarded.caller });
  if (!read.ok) return refuse(BODY_REFUSALS[read.failure](rules.maxBytes));
  guarded.body = read.value;
  return PASS;
}

const BODY_REFUSALS = {
  'too-large': refusals.tooLarge,
  'too-many-pieces': () => refusals.TOO_MANY_PIECES,
  'no-room': () => refusals.NO_ROOM,
  'not-utf8': () => refusals.NOT_UTF8,
  'too-many-values': () => refusals.TOO_MANY_VALUES,
} as const satisfies Record<BodyProblem, (maxBytes: number) => refusals.Refusal>;
