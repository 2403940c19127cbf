// How a request proves who sent it, as types: the surface reads the credential, an `Authenticate` says whose it is (H5).
import type { Result } from '../values/result.ts';
import type { Caller } from './caller.ts';

export interface Credentials {
  /** What came as a bearer token, or sealed in the dashboard's cookie; absent: none came. */
  readonly token: string | undefined;
  /** It did not come as a bearer token, but in a body or sealed in a cookie: tokens of OAuth clients are none there (O5). */
  readonly isOfSession?: true;
  /** Of a person who signed in with email and password, sealed in the dashboard's cookie in place of a token (N6). */
  readonly signedIn?: SignedIn | undefined;
  /** `X-Invoking-Agent`: believed only where no credential is asked for (`--no-auth`). */
  readonly claimedAgent: string | undefined;
  /** From beyond this machine, or passed on by a proxy: such a request always needs a token. */
  readonly remote: boolean;
  /** No request came: it is looked whether a credential from before is still good. That is no use of it. */
  readonly isRecheck?: true;
}

export interface SignedIn {
  readonly userId: string;
  readonly at: Date;
}

/**
 * `missing`: none came. `bad`: one came that is none of ours, has expired or was revoked. `unavailable`: cannot be told now,
 * because the store is away. `issuer-away`: nor can this, because the keys of the issuer cannot be had (O6).
 */
export type AuthenticationFailure = 'missing' | 'bad' | 'unavailable' | 'issuer-away';

export type Authentication = Result<Caller, AuthenticationFailure>;

/**
 * Whose email and password these are. `wrong`: of no user, or the password is another; which is not told. `retryAfter`:
 * seconds to wait, after too many tries. Never rejects.
 */
export type SignIn = (
  given: { readonly email: string; readonly password: string },
  from: { readonly remote: boolean; readonly signal: AbortSignal },
) => Promise<Result<Caller, 'wrong' | 'unavailable' | { readonly retryAfter: number }>>;

/** At once for a caller that is known already: this runs before every request. Never rejects. */
export type Authenticate = (credentials: Credentials) => Authentication | Promise<Authentication>;
