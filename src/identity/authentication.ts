// How a request proves who sent it, as types: the surface reads the credential, an `Authenticate` says whose it is (H5).
import type { Result } from '../values/result.ts';
import type { Caller } from './caller.ts';

export interface Credentials {
  /** What came as a bearer token, or sealed in the dashboard's cookie; absent: none came. */
  readonly token: string | undefined;
  /** `X-Invoking-Agent`: believed only where no credential is asked for (`--no-auth`). */
  readonly claimedAgent: string | undefined;
  /** From beyond this machine, or passed on by a proxy: such a request always needs a token. */
  readonly remote: boolean;
  /** No request came: it is looked whether a credential from before is still good. That is no use of it. */
  readonly isRecheck?: true;
}

/** `missing`: none came. `bad`: one came that is none of ours, has expired or was revoked. `unavailable`: cannot be told now. */
export type AuthenticationFailure = 'missing' | 'bad' | 'unavailable';

export type Authentication = Result<Caller, AuthenticationFailure>;

/** At once for a caller that is known already: this runs before every request. Never rejects. */
export type Authenticate = (credentials: Credentials) => Authentication | Promise<Authentication>;
