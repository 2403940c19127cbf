// What a client says of itself, in a registration (RFC 7591) or in a document at its address, as a client (O2, O9). Pure.
import type { OAuthClient } from '../identity/oauth.ts';
import { toOneLine } from '../text/one-line.ts';
import { isRecord } from '../values/is-record.ts';
import { OAuthError } from './oauth-error.ts';
import { redirectUriFault } from './redirect-uris.ts';

const MOST_NAME = 80;
const MOST_URIS = 20;

/** Throws an OAuthError. `schemes`: those of programs that the operator listed. */
export function readClientMetadata(
  value: unknown,
  schemes: readonly string[],
): Pick<OAuthClient, 'name' | 'redirectUris'> {
  if (!isRecord(value)) throw new OAuthError('invalid_client_metadata', 'the description must be a JSON object');
  const { redirect_uris: uris, client_name: name } = value;
  if (!Array.isArray(uris) || uris.length === 0 || uris.length > MOST_URIS)
    throw new OAuthError('invalid_redirect_uri', `redirect_uris must be a list of 1 to ${MOST_URIS} addresses`);
  for (const uri of uris) {
    const fault = redirectUriFault(uri, schemes);
    if (fault !== undefined) throw new OAuthError('invalid_redirect_uri', `redirect_uris: one ${fault}`);
  }
  if (name !== undefined && typeof name !== 'string')
    throw new OAuthError('invalid_client_metadata', 'client_name must be a text');
  checkKinds(value);
  return { name: toOneLine(name ?? '', MOST_NAME) || 'A client without a name', redirectUris: uris as string[] }; // Each was looked at.
}

const OURS = {
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
} as const;

/** What we do not do may be named beside what we do. */
function checkKinds(value: Readonly<Record<string, unknown>>): void {
  for (const [field, known] of Object.entries(OURS)) {
    const given = value[field];
    if (given === undefined) continue;
    if (!Array.isArray(given) || !given.includes(known[0]))
      throw new OAuthError('invalid_client_metadata', `${field} must have ${known[0]}`);
  }
}

/** What a registration is answered with: a client without a secret, whatever it asked for (RFC 7591, 3.2.1). */
export const registrationAnswer = ({ id, name, redirectUris }: OAuthClient, at: Date) => ({
  client_id: id,
  client_id_issued_at: Math.floor(at.getTime() / 1_000),
  client_name: name,
  redirect_uris: redirectUris,
  grant_types: OURS.grant_types,
  response_types: OURS.response_types,
  token_endpoint_auth_method: 'none',
});
