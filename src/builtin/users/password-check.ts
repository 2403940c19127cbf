// Whether an email and a password belong together: one check, and one count of tries, for `credential_validation` and for
// signing in (B4, N6). Says neither by its answer nor by its time which of the two is wrong.
import { within } from '../../async/within.ts';
import type { PasswordTries } from '../../limits/password-tries.ts';
import { StoreUnavailable } from '../../skills/record/invocation-log.ts';
import type { UserStore } from '../ports/user-store.ts';
import { createPasswords, type Passwords } from './passwords.ts';

/** Whose they are. `wrong`: of no user. Else the seconds to wait: there were too many tries for this email. */
type CheckedPassword = { readonly userId: string } | 'wrong' | { readonly retryAfter: number };

/** Rejects with StoreUnavailable when the store cannot be used. */
export type CheckPassword = (email: string, password: string, signal: AbortSignal) => Promise<CheckedPassword>;

export interface PasswordParts {
  readonly passwords: Passwords;
  readonly check: CheckPassword;
}

/** All who check passwords of one store get the same one: it counts the tries. */
export function createPasswordParts(
  users: Pick<UserStore, 'findPassword'>,
  tries: PasswordTries,
  monotonicMs: () => number,
): PasswordParts {
  const passwords = createPasswords();
  return { passwords, check: createPasswordCheck({ users, passwords, tries, monotonicMs }) };
}

/** Counting the try and finding the user together: with what is done around them, a hanging store is told within 2 s (F1, N7). */
const CHECK_MS = 1_500;

interface CheckPorts {
  readonly users: Pick<UserStore, 'findPassword'>;
  readonly passwords: Pick<Passwords, 'matches'>;
  readonly tries: PasswordTries;
  readonly monotonicMs: () => number;
}

const createPasswordCheck =
  ({ users, passwords, tries, monotonicMs }: CheckPorts): CheckPassword =>
  async (email, password, signal) => {
    const deadlineMs = monotonicMs() + CHECK_MS;
    // Before it counts: what cannot be checked while the store is away is no try (N7).
    const stored = await within(users.findPassword(email), CHECK_MS, () => {
      throw tooLate();
    });
    const taken = await tries.take(email, Math.max(0, deadlineMs - monotonicMs()));
    if (taken === 'unanswered') throw tooLate();
    if (taken !== undefined) return { retryAfter: taken };
    const isRight = await passwords.matches(password, stored?.passwordHash, signal);
    return isRight && stored !== undefined ? { userId: stored.userId } : 'wrong';
  };

const tooLate = () =>
  new StoreUnavailable('Cannot check the password: the store takes too long to answer; try again in a moment');
