// A client gives a token back (RFC 7009): a refresh token takes everything along that came of its consent, an access token itself.
import type { OAuthStore } from '../identity/oauth.ts';
import { ACCESS_TOKEN, digestOf, REFRESH_TOKEN } from '../identity/token.ts';
import { OAuthError } from './oauth-error.ts';
import { needed, type Parameters } from './parameters.ts';

interface RevocationParts {
  readonly store: Pick<OAuthStore, 'findClient' | 'findToken' | 'revokeGrant' | 'endAccessToken'>;
  readonly now: () => Date;
  readonly onRevoked: () => void;
}

/** The same whether there is such a token or not; one of another client stays. Throws an OAuthError. */
export async function answerRevocation(form: Parameters, parts: RevocationParts): Promise<void> {
  const { store, now, onRevoked } = parts;
  const token = needed(form, 'token');
  const clientId = needed(form, 'client_id');
  if ((await store.findClient(clientId, now())) === undefined)
    throw new OAuthError('invalid_client', 'the client is not known');
  const kind = REFRESH_TOKEN.test(token) ? 'refresh' : ACCESS_TOKEN.test(token) ? 'access' : undefined;
  if (kind === undefined) return;
  const digest = digestOf(token);
  const found = await store.findToken(kind, digest);
  if (found === undefined || found.grant.client.id !== clientId) return;
  if (kind === 'access') await store.endAccessToken(digest);
  else await store.revokeGrant(found.grant, now(), `client:${found.grant.client.name}`, 'the client gave it back');
  onRevoked();
}
