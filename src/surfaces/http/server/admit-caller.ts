// The steps of the guard that find out who is calling: the credential, or what opens a session, and what it is good for.
import { andThen } from '../../../async/and-then.ts';
import { within } from '../../../async/within.ts';
import type { Authentication, SignIn } from '../../../identity/authentication.ts';
import { fail } from '../../../values/result.ts';
import { signInRequestIn } from '../message/dashboard-session.ts';
import { type FoundCredentials, sessionCredentials } from './credentials.ts';
import { deliver } from './deliver.ts';
import { closingSignal, type GuardedRequest, type GuardParts, PASS, refuse, type Verdict } from './guard-step.ts';
import { isIndex, SESSION_PATH } from './received-request.ts';
import * as refusals from './refusals.ts';
import { readBodyOf } from './take-body.ts';

/** A token has at most 4 KB, a password as many characters; and its sender is not known yet. */
const MAX_TOKEN_BYTES = 8_192;
const MAX_SIGN_IN_BYTES = 32_768;

/** Opening a session: what proves who it is is in the body, the only time that it comes neither in a header nor in a cookie (H5). */
export function readSignIn(guarded: GuardedRequest, parts: GuardParts): Verdict | Promise<Verdict> {
  return guarded.received.path === SESSION_PATH ? takeSignIn(guarded, parts) : PASS;
}

async function takeSignIn(guarded: GuardedRequest, parts: GuardParts): Promise<Verdict> {
  const read = await readBodyOf(guarded, { maxBytes: MAX_SIGN_IN_BYTES, budget: parts.bodies });
  if (read.kind !== 'pass') return read;
  const { body = '' } = guarded;
  const asked = signInRequestIn(body);
  if (asked?.kind !== 'password' && Buffer.byteLength(body) > MAX_TOKEN_BYTES)
    return refuse(refusals.tooLarge(MAX_TOKEN_BYTES));
  // What is wrong with it is the API's to say.
  if (asked === undefined) return deliver(guarded, parts);
  if (asked.kind === 'password') guarded.password = asked;
  else guarded.credentials = sessionCredentials(asked.token, guarded.received.remote);
  return PASS;
}

export function readCredentials(guarded: GuardedRequest, parts: GuardParts): Verdict | Promise<Verdict> {
  if (guarded.credentials !== undefined || guarded.password !== undefined) return PASS;
  const { request, remote } = guarded.received;
  const keep = (found: FoundCredentials): Verdict => {
    guarded.credentials = found;
    return PASS;
  };
  const found = parts.readCredentials(request, remote);
  return found instanceof Promise ? found.then(keep) : keep(found);
}

const BAD: Authentication = fail('bad');
const UNAVAILABLE: Authentication = fail('unavailable');

export function identify(guarded: GuardedRequest, parts: GuardParts): Verdict | Promise<Verdict> {
  const { credentials, password } = guarded;
  if (password !== undefined) return checkPassword(guarded, parts, password);
  if (credentials === undefined || credentials === 'malformed') return admitCaller(guarded, parts, BAD);
  const found = parts.authenticate(credentials);
  if (!(found instanceof Promise)) return admitCaller(guarded, parts, found);
  // A database that hangs counts as one that is away (H6).
  return within(found, parts.lookupMs, () => UNAVAILABLE).then((known) => admitCaller(guarded, parts, known));
}

/** A store that is away says so in time by itself (N7); the hash may take longer than a look into it. */
async function checkPassword(
  guarded: GuardedRequest,
  parts: GuardParts,
  password: Parameters<SignIn>[0],
): Promise<Verdict> {
  const { response, remote } = guarded.received;
  const found = await parts.signIn(password, { remote, signal: closingSignal(response) });
  if (found.ok) return admitCaller(guarded, parts, found);
  if (found.failure === 'unavailable') return admitCaller(guarded, parts, UNAVAILABLE);
  if (found.failure !== 'wrong') return refuse(refusals.tooOften(found.failure.retryAfter));
  return refuseBad(guarded, parts, refusals.wrongPassword(guarded.received.request));
}

/**
 * Who brings a good credential is let in, whatever others at the same address tried: behind a proxy everyone has one address.
 * Only those wait that brought a bad one.
 */
function admitCaller(guarded: GuardedRequest, parts: GuardParts, found: Authentication): Verdict | Promise<Verdict> {
  if (found.ok) {
    guarded.caller = found.value;
    return PASS;
  }
  const { request, path } = guarded.received;
  const isPublic = parts.hasPublicIndex && isIndex(path);
  // A credential that comes is always checked: a bad one is refused here, too.
  if (isPublic && found.failure === 'missing') return PASS;
  const refusal = refusals.notAuthenticated(found.failure, request, path, parts.oauth?.protection);
  return found.failure === 'bad' ? refuseBad(guarded, parts, refusal) : refuse(refusal);
}

function refuseBad(
  { received }: GuardedRequest,
  { rate }: GuardParts,
  refusal: refusals.Refusal,
): Verdict | Promise<Verdict> {
  return andThen(rate.noteBad(received), (wait) =>
    refuse(wait === undefined ? refusal : refusals.tooManyGuesses(wait)),
  );
}
