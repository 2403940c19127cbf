// Sign-in by OAuth as `serve` puts it together (O1): this server as a protected resource, and unless another issuer is named
// its own authorization server, which is loaded with its first request.
import { keptPromise } from '../async/kept-promise.ts';
import { monotonicMs } from '../async/monotonic-clock.ts';
import { within } from '../async/within.ts';
import type { Authentication } from '../identity/authentication.ts';
import type { IdentityNews } from '../identity/identity-news.ts';
import { OAUTH_SCOPES } from '../identity/oauth.ts';
import { operatorKeyOf } from '../identity/oauth-callers.ts';
import { digestOf } from '../identity/token.ts';
import * as paths from '../oauth/metadata.ts';
import type { OAuthServerParts } from '../oauth/oauth-server.ts';
import { type OAuthSettings, originIn } from '../settings/oauth-settings.ts';
import { createOAuthDoor, type OAuthDoor } from '../surfaces/http/server/oauth-door.ts';
import type { Protection } from '../surfaces/http/server/well-known.ts';
import { fail } from '../values/result.ts';
import type { Store } from './store.ts';

interface DoorParts extends Pick<OAuthServerParts, 'signIn' | 'authenticate'> {
  readonly store: Store;
  readonly news: Pick<IdentityNews, 'tellOAuth'>;
  readonly operatorToken: () => string | undefined;
}

const PATHS = {
  all: paths.METHODS,
  forms: [paths.CONSENT_PATH, paths.TOKEN_PATH, paths.REVOKE_PATH],
  page: paths.AUTHORIZE_PATH,
};
const NO_PATHS = { all: {}, forms: [], page: '' };

export function createDoor(settings: OAuthSettings, parts: DoorParts): OAuthDoor {
  const { publicUrl, issuer } = settings;
  const protection: Protection = {
    publicOrigin: publicUrl === undefined ? undefined : originIn(publicUrl),
    issuer: issuer?.url,
    scopes: OAUTH_SCOPES,
    usualScopes: ['skills:read', 'skills:invoke'],
  };
  const server = keptPromise(() => openServer(settings, parts));
  return createOAuthDoor(protection, issuer === undefined ? PATHS : NO_PATHS, async (request) =>
    (await server.get())(request),
  );
}

async function openServer(settings: OAuthSettings, { store, news, operatorToken, signIn, authenticate }: DoorParts) {
  const { createOAuthServer } = await import('../oauth/oauth-server.ts');
  return createOAuthServer({
    store: store.oauth,
    secrets: store.secrets,
    findPerson: (userId) => store.people.find(userId),
    signIn,
    authenticate,
    operatorKey: () => {
      const token = operatorToken();
      return token === undefined ? undefined : operatorKeyOf(digestOf(token));
    },
    schemes: settings.redirectSchemes,
    allowLoopbackClients: settings.allowLoopbackClients,
    isOwnResource: createResourceCheck(settings),
    // Others hear of it by the store; here it holds at once.
    onRevoked: () => news.tellOAuth({ grantId: undefined, clientId: undefined }),
    now: () => new Date(),
    monotonicMs,
  });
}

/** Tokens are for this server alone. Without a name of its own it is called as its machine is. */
export function createResourceCheck({ publicUrl }: OAuthSettings): (resource: string) => boolean {
  if (publicUrl !== undefined) {
    const own = `${originIn(publicUrl)}/mcp`;
    return (resource) => resource === own;
  }
  return (resource) => LOOPBACK.test(resource);
}

const LOOPBACK = /^http:\/\/(?:127(?:\.\d{1,3}){3}|localhost|\[::1\])(?::\d{1,5})?\/mcp$/;

/** Less than a request may wait for who calls: that the issuer is slow must not look as if the store were away. */
const ISSUER_MS = 1_200;
const ISSUER_AWAY: Authentication = fail('issuer-away');

/** Tokens of another issuer, whose keys are fetched with the first of them (O6). */
export function createForeignTokens({ issuer }: OAuthSettings) {
  if (issuer === undefined) return undefined;
  const { url, audience = '', roleClaim } = issuer;
  const opened = keptPromise(async () => {
    const { createIssuerTokens } = await import('../oauth/issuer-tokens.ts');
    return createIssuerTokens({ issuer: url, audience, roleClaim });
  });
  return (token: string): Promise<Authentication> =>
    within(
      opened.get().then((verify) => verify(token)),
      ISSUER_MS,
      () => ISSUER_AWAY,
    );
}
