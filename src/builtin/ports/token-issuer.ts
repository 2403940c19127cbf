// What the built-in skills need to issue and verify the tokens of users (B2). Implemented in identity/.
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
  /** Rejects with StoreUnavailable when the signing key cannot be had now. */
  issue(owner: TokenOwner, expiresInSeconds: number): Promise<IssuedToken>;
  /** `bad`: not a valid token of ours, whatever is wrong with it. `unavailable`: the key cannot be had now. */
  verify(token: string): Promise<Result<VerifiedToken, 'bad' | 'unavailable'>>;
}
