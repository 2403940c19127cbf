// The grants of the authorization server, on @jmondi/oauth2-server: it checks requests, binds codes to clients and addresses,
// checks PKCE and makes the answers. What it does not promise is kept here and in the store: codes and refresh tokens that two
// replicas get at once are used once, and one that is used again takes everything along that came of it (O4).
import {
  AuthorizationServer,
  DateInterval,
  type OAuthClient as LibraryClient,
  type OAuthAuthCode,
  OAuthException,
  type OAuthToken,
} from '@jmondi/oauth2-server';
import type { Caller } from '../identity/caller.ts';
import {
  type Grant,
  type NewTokens,
  type OAuthClient,
  type OAuthScope,
  type OAuthStore,
  toOAuthScopes,
} from '../identity/oauth.ts';
import { type PeopleStore, personCaller } from '../identity/people.ts';
import { CODE, createAccessToken, createRefreshToken, digestOf, REFRESH_TOKEN } from '../identity/token.ts';
import { OAuthError } from './oauth-error.ts';
import type { Parameters } from './parameters.ts';

export const CODE_SECONDS = 60;
const ACCESS_SECONDS = 3_600;
const REFRESH_SECONDS = 30 * 86_400;

export interface GrantParts {
  readonly store: Pick<OAuthStore, 'findClient' | 'findCode' | 'redeem' | 'findToken' | 'rotate' | 'revokeGrant'>;
  /** Who allowed it, as they are now. */
  readonly findPerson: PeopleStore['find'];
  readonly now: () => Date;
  /** What grants of the operator are bound to now (see `operatorKeyOf`); absent: there is no operator. */
  readonly operatorKey: () => string | undefined;
  /** Whether a token for this resource is one for us. */
  readonly isOwnResource: (resource: string) => boolean;
  /** Something was revoked, because it came twice. */
  readonly onRevoked: () => void;
}

/** What `/oauth/token` answers with. */
export interface TokenAnswer {
  readonly access_token: string;
  readonly token_type: 'Bearer';
  readonly expires_in: number;
  readonly refresh_token: string;
  readonly scope: string;
}

const GRANT_TYPES = ['authorization_code', 'refresh_token'];

/** Throws an OAuthError. */
export async function answerTokenRequest(
  form: Parameters,
  authorization: string | undefined,
  parts: GrantParts,
): Promise<TokenAnswer> {
  const type = form.get('grant_type');
  if (type === undefined) throw new OAuthError('invalid_request', 'grant_type is missing');
  if (!GRANT_TYPES.includes(type))
    throw new OAuthError('unsupported_grant_type', 'use authorization_code or refresh_token');
  const own = type === 'refresh_token' ? ['refresh_token'] : ['code', 'redirect_uri', 'code_verifier'];
  const wanted = authorization === undefined ? [...own, 'client_id'] : own;
  for (const name of wanted) if (!form.has(name)) throw new OAuthError('invalid_request', `${name} is missing`);
  // The library takes it for none, and would make a token that opens nothing.
  if (form.get('scope')?.trim() === '') throw new OAuthError('invalid_scope', 'the scope names none');
  const server = createGrants(form, parts);
  const headers = authorization === undefined ? {} : { authorization };
  try {
    const { body } = await server.respondToAccessTokenRequest({ headers, query: {}, body: Object.fromEntries(form) });
    return body as TokenAnswer; // As `makeBearerTokenResponse` of the library makes it; our tokens are in it.
  } catch (error) {
    throw inOurWords(error);
  }
}

/** The library calls most faults of a code `invalid_request`; what is missing was found above. */
function inOurWords(error: unknown): unknown {
  if (!(error instanceof OAuthException)) return error;
  if (String(error.errorType) === 'invalid_client') return new OAuthError('invalid_client', 'the client is not known');
  if (String(error.errorType) === 'invalid_scope')
    return new OAuthError('invalid_scope', 'the scope goes beyond what was allowed');
  return new OAuthError('invalid_grant', 'the code or token is not good, or not for this client, address or verifier');
}

/** One for each request: what it has found so far is kept in it. */
function createGrants(form: Parameters, parts: GrantParts): AuthorizationServer {
  const request: RequestState = { form, parts, refreshDigest: undefined, allowed: [], left: [] };
  const scopes = {
    getAllByIdentifiers: async (names: string[]) => toOAuthScopes(names).map((name) => ({ name })),
    finalize: async (asked: { name: string }[]) => named(withinGranted(request, toOAuthScopes(asked.map(nameOf)))),
  };
  const clients = {
    getByIdentifier: async (id: string) => {
      const client = await parts.store.findClient(id, parts.now());
      if (client === undefined) throw new OAuthError('invalid_client', 'the client is not known');
      return libraryClient(client);
    },
    isClientValid: async () => true,
  };
  const server = new AuthorizationServer(clients, tokenRepository(request), scopes, OPAQUE, OPTIONS);
  const hour = new DateInterval(`${ACCESS_SECONDS}s`);
  server.enableGrantTypes(
    [{ grant: 'authorization_code', authCodeRepository: codeRepository(request), userRepository: USERS }, hour],
    ['refresh_token', hour],
  );
  // The library switches it on by itself.
  delete server.enabledGrantTypes.client_credentials;
  return server;
}

const OPTIONS = {
  requiresPKCE: true,
  requiresS256: true,
  useOpaqueAuthorizationCodes: true,
  useOpaqueRefreshTokens: true,
};

/** Where the library would sign a JWT, its id goes out: tokens are looked up, so that they can be revoked. */
const OPAQUE = {
  sign: async (payload: unknown) => String((payload as { readonly jti?: unknown }).jti),
  verify: () => Promise.reject(new Error('There are no signed tokens here')),
  decode: () => null,
};

/** Who allowed it is kept with the grant. */
const USERS = { getUserByCredentials: async (id: string | number) => ({ id }) };

interface RequestState {
  readonly form: Parameters;
  readonly parts: GrantParts;
  refreshDigest: string | undefined;
  /** With the code, or with the first refresh token. */
  allowed: readonly OAuthScope[];
  /** Of what the grant has, what its person has now. */
  left: readonly OAuthScope[];
}

const libraryClient = ({ id, name, redirectUris }: OAuthClient): LibraryClient => ({
  id,
  name,
  redirectUris: [...redirectUris],
  allowedGrants: ['authorization_code', 'refresh_token'],
  scopes: [],
});

const named = (scopes: readonly OAuthScope[]) => scopes.map((name) => ({ name }));
const nameOf = ({ name }: { readonly name: string }) => name;

const invalidGrant = () => new OAuthError('invalid_grant', 'the code or token is not good');

/** Revoked, or the operator who allowed it has another token by now, or this server goes by another name. */
const isOver = ({ isRevoked, grantor, resource }: Grant, { operatorKey, isOwnResource }: GrantParts): boolean =>
  isRevoked || !isOwnResource(resource) || (grantor.kind === 'operator' && grantor.key !== operatorKey());

/** A scope that the person has lost since they allowed it is not in the next access token, and comes back with them (O4, O5). */
async function stillTheirs({ grantor, scopes }: Grant, { findPerson }: GrantParts): Promise<readonly OAuthScope[]> {
  if (grantor.kind === 'operator') return scopes;
  const person = await findPerson(grantor.userId);
  if (person === undefined) throw invalidGrant();
  return scopes.filter((scope) => mayGrant(personCaller(person), scope));
}

function withinGranted({ allowed, left }: RequestState, asked: readonly OAuthScope[]): readonly OAuthScope[] {
  if (!asked.every((scope) => allowed.includes(scope)))
    throw new OAuthError('invalid_scope', 'the scope goes beyond what was allowed');
  const granted = asked.filter((scope) => left.includes(scope));
  if (granted.length === 0) throw new OAuthError('invalid_scope', 'the person has none of the scopes any more');
  return granted;
}

/** Reading and invoking are everyone's, within what they may see and invoke; the rest is what they were granted (N6). */
export const mayGrant = ({ kind, scopes }: Caller, scope: OAuthScope): boolean =>
  kind === 'operator' || scope === 'skills:read' || scope === 'skills:invoke' || scopes.includes(scope);

/** RFC 8707: what a token is asked for must be what was allowed. */
function checkResource({ form }: RequestState, resource: string): void {
  const asked = form.get('resource');
  if (asked !== undefined && asked !== resource)
    throw new OAuthError('invalid_target', 'the resource is another than the one that was allowed');
}

function codeRepository(request: RequestState) {
  const { store, now, onRevoked } = request.parts;
  return {
    getByIdentifier: async (code: string): Promise<OAuthAuthCode> => {
      const found = CODE.test(code) ? await store.findCode(digestOf(code)) : undefined;
      if (found === undefined) throw invalidGrant();
      const { grant, redirectUri, challenge, expiresAt, isUsed } = found;
      if (isUsed) {
        await store.revokeGrant(grant, now(), 'oauth', 'a code was used twice');
        onRevoked();
      }
      // Here: the library rounds to seconds.
      if (isUsed || isOver(grant, request.parts) || expiresAt <= now()) throw invalidGrant();
      checkResource(request, grant.resource);
      request.allowed = grant.scopes;
      request.left = await stillTheirs(grant, request.parts);
      return {
        code,
        redirectUri,
        codeChallenge: challenge,
        codeChallengeMethod: 'S256',
        expiresAt,
        user: { id: grant.id },
        client: libraryClient(grant.client),
        scopes: named(grant.scopes),
      };
    },
    // Looked at above; and written with the tokens, in one transaction.
    isRevoked: async () => false,
    revoke: async () => undefined,
    issueAuthCode: () => Promise.reject(new Error('Codes are made with the consent')),
    persist: async () => undefined,
  };
}

function tokenRepository(request: RequestState) {
  const at = request.parts.now();
  let refreshToken = '';
  return {
    issueToken: async (client: LibraryClient, scopes: { name: string }[]): Promise<OAuthToken> => {
      const accessTokenExpiresAt = new Date(at.getTime() + ACCESS_SECONDS * 1_000);
      return { accessToken: createAccessToken(), accessTokenExpiresAt, client, scopes };
    },
    persist: async (token: OAuthToken) => {
      refreshToken = createRefreshToken();
      const refreshEnds = new Date(at.getTime() + REFRESH_SECONDS * 1_000);
      const scopes = toOAuthScopes(token.scopes.map(nameOf));
      const tokens: NewTokens = {
        access: { digest: digestOf(token.accessToken), expiresAt: token.accessTokenExpiresAt, scopes },
        refresh: { digest: digestOf(refreshToken), expiresAt: refreshEnds, scopes: request.allowed },
        at,
      };
      await keep(request, tokens);
    },
    issueRefreshToken: async (token: OAuthToken): Promise<OAuthToken> => ({ ...token, refreshToken }),
    getByRefreshToken: async (token: string): Promise<OAuthToken> => findRefresh(request, token),
    isRefreshTokenRevoked: async () => false,
    // With the new ones, in one transaction: see `keep`.
    revoke: async () => undefined,
    revokeDescendantsOf: async () => undefined,
  };
}

async function keep({ form, parts, refreshDigest }: RequestState, tokens: NewTokens): Promise<void> {
  const done =
    refreshDigest === undefined
      ? await parts.store.redeem(digestOf(form.get('code') ?? ''), tokens)
      : await parts.store.rotate(refreshDigest, tokens);
  if (done !== 'used') return;
  parts.onRevoked();
  throw invalidGrant();
}

async function findRefresh(request: RequestState, token: string): Promise<OAuthToken> {
  const { store, now, onRevoked } = request.parts;
  const digest = digestOf(token);
  const found = REFRESH_TOKEN.test(token) ? await store.findToken('refresh', digest) : undefined;
  if (found === undefined) throw invalidGrant();
  const { grant, scopes, expiresAt, isUsed } = found;
  if (isUsed) {
    await store.revokeGrant(grant, now(), 'oauth', 'a refresh token was used twice');
    onRevoked();
  }
  if (isUsed || isOver(grant, request.parts) || expiresAt <= now()) throw invalidGrant();
  checkResource(request, grant.resource);
  request.refreshDigest = digest;
  request.allowed = scopes;
  request.left = await stillTheirs(grant, request.parts);
  const client = libraryClient(grant.client);
  return {
    accessToken: '',
    accessTokenExpiresAt: expiresAt,
    refreshToken: token,
    refreshTokenExpiresAt: expiresAt,
    client,
    scopes: named(scopes),
  };
}
