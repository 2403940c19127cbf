// A request for a consent, checked (O2, O4). What is wrong with the client or its address is shown to the person; everything
// else is told to the client, at the address that it registered. Pure, but for looking up the client.
import { type OAuthClient, type OAuthScope, toOAuthScopes } from '../identity/oauth.ts';
import { OAuthError } from './oauth-error.ts';
import { needed, type Parameters } from './parameters.ts';
import { isRegistered } from './redirect-uris.ts';

export interface AuthorizationRequest {
  readonly client: OAuthClient;
  readonly redirectUri: string;
  readonly state: string | undefined;
  readonly scopes: readonly OAuthScope[];
  readonly challenge: string;
  readonly resource: string;
}

/** Where the answer to a request goes, once that is known. */
export type Destination = Pick<AuthorizationRequest, 'client' | 'redirectUri' | 'state'>;

/** `peer`: the network of who asks. */
export type FindClient = (id: string, peer: string) => Promise<OAuthClient>;

const DEFAULT_SCOPES: readonly OAuthScope[] = ['skills:read', 'skills:invoke'];
const CHALLENGE = /^[\w-]{43}$/;
const MOST_STATE = 4_096;

/** Throws an OAuthError that is for the person alone. */
export async function findDestination(
  parameters: Parameters,
  peer: string,
  findClient: FindClient,
): Promise<Destination> {
  const client = await findClient(needed(parameters, 'client_id'), peer);
  const redirectUri = needed(parameters, 'redirect_uri');
  if (!isRegistered(redirectUri, client.redirectUris))
    throw new OAuthError('invalid_request', 'redirect_uri is none of those that the client registered');
  const state = parameters.get('state');
  return { client, redirectUri, state: (state?.length ?? 0) > MOST_STATE ? undefined : state };
}

/** Throws an OAuthError that is for the client. `own`: the resource that tokens are for. */
export function readAuthorizationRequest(
  parameters: Parameters,
  destination: Destination,
  own: string,
): AuthorizationRequest {
  const { state } = destination;
  if (parameters.has('request') || parameters.has('request_uri'))
    throw new OAuthError('request_not_supported', 'send the parameters themselves');
  if (needed(parameters, 'response_type') !== 'code')
    throw new OAuthError('unsupported_response_type', 'use response_type=code');
  if ((parameters.get('response_mode') ?? 'query') !== 'query')
    throw new OAuthError('invalid_request', 'response_mode must be query');
  if (parameters.get('prompt')?.split(' ').includes('none'))
    throw new OAuthError('consent_required', 'a consent is always asked for');
  if (state !== parameters.get('state')) throw new OAuthError('invalid_request', 'state is too long');
  // Without a method it would mean `plain`: PKCE is S256 alone.
  if (needed(parameters, 'code_challenge_method') !== 'S256')
    throw new OAuthError('invalid_request', 'code_challenge_method must be S256');
  const challenge = needed(parameters, 'code_challenge');
  if (!CHALLENGE.test(challenge))
    throw new OAuthError('invalid_request', 'code_challenge must be a SHA-256 in base64url');
  const resource = parameters.get('resource') ?? own;
  if (resource !== own) throw new OAuthError('invalid_target', `resource must be ${own}`);
  return { ...destination, scopes: readScopes(parameters.get('scope')), challenge, resource };
}

/** What we do not know is not granted; something must be left. */
function readScopes(scope: string | undefined): readonly OAuthScope[] {
  if (scope === undefined) return DEFAULT_SCOPES;
  const scopes = toOAuthScopes(scope.split(' '));
  if (scopes.length === 0) throw new OAuthError('invalid_scope', 'none of the scopes is known here');
  return scopes;
}
