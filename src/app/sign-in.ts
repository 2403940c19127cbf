// A person signs in with email and password: whose they are, and what that person may do (N6). The password goes no further.
import type { CheckPassword } from '../builtin/users/password-check.ts';
import type { Authenticate, SignIn } from '../identity/authentication.ts';
import { StoreUnavailable } from '../skills/record/invocation-log.ts';
import { fail } from '../values/result.ts';

interface SignInParts {
  readonly check: CheckPassword;
  /** As for every later request of the session. */
  readonly authenticate: Authenticate;
  readonly now: () => Date;
}

/** Each takes 19 MiB and a thread for a while: more wait in line than a person would, and the rest is sent away (F10). */
const MOST_AT_ONCE = 64;
const BUSY_SECONDS = 1;

export function createSignIn({ check, authenticate, now }: SignInParts): SignIn {
  let running = 0;
  return async ({ email, password }, { remote, signal }) => {
    if (running >= MOST_AT_ONCE) return fail({ retryAfter: BUSY_SECONDS });
    running += 1;
    try {
      const checked = await check(email, password, signal);
      if (checked === 'wrong') return fail('wrong');
      if ('retryAfter' in checked) return fail(checked);
      const signedIn = { userId: checked.userId, at: now() };
      const found = await authenticate({ token: undefined, signedIn, claimedAgent: undefined, remote });
      if (found.ok) return found;
      // Deleted in between: then it is the password of no user.
      return fail(found.failure === 'unavailable' ? 'unavailable' : 'wrong');
    } catch (error) {
      if (error instanceof StoreUnavailable || signal.aborted) return fail('unavailable');
      throw error;
    } finally {
      running -= 1;
    }
  };
}
