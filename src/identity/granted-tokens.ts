// Users' tokens, each good while what it came of holds: one that a client issued ends with the consent that the client had (O4).
import { fail, type Result } from '../values/result.ts';
import type { AuthenticationFailure } from './authentication.ts';
import { grantIn } from './lent-grants.ts';
import type { UserTokens } from './user-tokens.ts';

/** `isRecheck`: what the store says now is asked for, however well it is remembered. */
export type VerifyGranted = (token: string, isRecheck: boolean) => ReturnType<UserTokens['verify']>;

/** The consent, or who gave it, while it holds. */
type FindConsent = (grantId: string, isRecheck: boolean) => Promise<Result<unknown, AuthenticationFailure>>;

export const whileGranted =
  (verify: UserTokens['verify'], findConsent: FindConsent): VerifyGranted =>
  async (token, isRecheck) => {
    const verified = await verify(token);
    const grantId = verified.ok ? grantIn(verified.value.lends) : undefined;
    if (grantId === undefined) return verified;
    const consent = await findConsent(grantId, isRecheck);
    if (consent.ok) return verified;
    return fail(consent.failure === 'unavailable' ? 'unavailable' : 'bad');
  };
