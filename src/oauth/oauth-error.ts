// What can be wrong with a request to the authorization server, by the names that RFC 6749, 7591 and 8707 give it.

export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'invalid_target'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'request_not_supported'
  | 'consent_required'
  | 'access_denied'
  | 'temporarily_unavailable'
  | 'invalid_redirect_uri'
  | 'invalid_client_metadata';

/** Thrown inside the authorization server and answered at its edge: calls of the OAuth library are in between. */
export class OAuthError extends Error {
  readonly code: OAuthErrorCode;

  /** `message`: a sentence for the developer of the client. */
  constructor(code: OAuthErrorCode, message: string) {
    super(message);
    this.name = 'OAuthError';
    this.code = code;
  }
}

export const STATUS = {
  invalid_request: 400,
  invalid_client: 401,
  invalid_grant: 400,
  invalid_scope: 400,
  invalid_target: 400,
  unsupported_grant_type: 400,
  unsupported_response_type: 400,
  request_not_supported: 400,
  consent_required: 400,
  access_denied: 403,
  temporarily_unavailable: 503,
  invalid_redirect_uri: 400,
  invalid_client_metadata: 400,
} as const satisfies Record<OAuthErrorCode, number>;
