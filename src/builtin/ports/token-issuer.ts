// What the built-in skills need to issue and verify the tokens of users (B2). Implemented in identity/.
import type { Caller } from '../../identity/caller.ts';
import type { Result } from '../../values/result.ts';

interface TokenOwner {
  readonly userId: string;
  readonly email: string;
  readonly scopes: readonly string[];
}

interface IssuedToken {
  readonly token: string;
  readonly expiresAt: Date;
}

interface VerifiedToken extends TokenOwner {
  readonly expiresAt: Date;
}

export interface TokenIssuer {
  /**
   * `issuer`: no more of what the user was granted comes with it than they have themselves (N6). Rejects with
   * StoreUnavailable when the signing key cannot be had now.
   */
  issue(owner: TokenOwner & { readonly issuer: Caller }, expiresInSeconds: number): Promise<IssuedToken>;
  /** `bad`: not a valid token of ours, whatever is wrong with it. `unavailable`: the key cannot be had now. */
  verify(token: string): Promise<Result<VerifiedToken, 'bad' | 'unavailable'>>;
}
