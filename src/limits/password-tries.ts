// How often a password may be tried, by the email it is tried for: everywhere where one can be tried, all tries count together.

import { emailKeyOf } from '../text/email-key.ts';
import type { SureWindow, Wait } from './rate-window.ts';

export interface PasswordTries {
  /**
   * Counts one try, before the password is looked at. Seconds to wait, when there were too many: then it does not count, and
   * the password must not be looked at. Nor when it is `unanswered` after so many milliseconds: tries elsewhere are not known.
   */
  readonly take: (email: string, patienceMs: number) => Promise<Wait | 'unanswered'>;
}

const TRIES_PER_MINUTE = 10;

export const createPasswordTries = (window: SureWindow): PasswordTries => ({
  take: (email, patienceMs) =>
    window.takeSurely({ key: `password ${emailKeyOf(email)}`, perMinute: TRIES_PER_MINUTE }, patienceMs),
});
