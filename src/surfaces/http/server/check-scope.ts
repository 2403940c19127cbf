// The step of the guard that asks what the token of a client is good for.
import { SCOPES } from '../../../identity/agents.ts';
import { type Caller, isScoped } from '../../../identity/caller.ts';
import { type GuardedRequest, type GuardParts, PASS, refuse, type Verdict } from './guard-step.ts';
import { missingScopes } from './needed-scopes.ts';
import * as refusals from './refusals.ts';

/** What the token of a client is good for (O5); every other caller passes. */
export function checkScope({ received, caller, body = '' }: GuardedRequest, { oauth }: GuardParts): Verdict {
  if (caller.via?.scopes === undefined) return PASS;
  const { request, path } = received;
  const missing = missingScopes({ method: request.method ?? '', path, body }, (scope) => hasNow(caller, scope));
  return missing.length === 0 ? PASS : refuse(refusals.insufficientScope(request, path, missing, oauth?.protection));
}

/** Those of N6 may have been taken away from the person since they allowed the client. */
function hasNow(caller: Caller, scope: string): boolean {
  const granted = SCOPES.find((each) => each === scope);
  return isScoped(caller, scope) && (granted === undefined || caller.scopes.includes(granted));
}
