// What clients learn of the authorization server (RFC 8414). Pure.
import { OAUTH_SCOPES } from '../identity/oauth.ts';

export const AUTHORIZE_PATH = '/oauth/authorize';
export const CONSENT_PATH = '/oauth/consent';
export const TOKEN_PATH = '/oauth/token';
export const REVOKE_PATH = '/oauth/revoke';
export const REGISTER_PATH = '/oauth/register';
export const METADATA_PATH = '/.well-known/oauth-authorization-server';

/** What each path takes. */
export const METHODS = {
  [METADATA_PATH]: ['GET', 'HEAD'],
  [AUTHORIZE_PATH]: ['GET', 'HEAD'],
  // GET is answered, too: with a page that says what to do.
  [CONSENT_PATH]: ['GET', 'HEAD', 'POST'],
  [TOKEN_PATH]: ['POST'],
  [REVOKE_PATH]: ['POST'],
  [REGISTER_PATH]: ['POST'],
} as const;

export const serverMetadata = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}${AUTHORIZE_PATH}`,
  token_endpoint: `${issuer}${TOKEN_PATH}`,
  revocation_endpoint: `${issuer}${REVOKE_PATH}`,
  registration_endpoint: `${issuer}${REGISTER_PATH}`,
  scopes_supported: OAUTH_SCOPES,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_methods_supported: ['none'],
  revocation_endpoint_auth_methods_supported: ['none'],
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: true,
});
