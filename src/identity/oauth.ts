// Clients that people let in by OAuth, and what is asked of a store that keeps them (O4, O8). Implemented in store/.
import { SCOPES } from './agents.ts';
import type { Scope } from './caller.ts';

/** What a token of a client may be used for (O5): reading documents, invoking typed skills, and what N6 has. */
export type OAuthScope = 'skills:read' | 'skills:invoke' | Scope;

export const OAUTH_SCOPES: readonly OAuthScope[] = ['skills:read', 'skills:invoke', ...SCOPES];

/** Those that we know, once each, in our order. */
export const toOAuthScopes = (names: readonly unknown[]): readonly OAuthScope[] =>
  OAUTH_SCOPES.filter((scope) => names.includes(scope));

export interface OAuthClient {
  readonly id: string;
  /** `dynamic`: it registered itself. `document`: its id is the address of its description. */
  readonly kind: 'dynamic' | 'document';
  /** As it calls itself: one safe line. */
  readonly name: string;
  readonly redirectUris: readonly string[];
}

/** Who allowed it. `key`: see `operatorKeyOf`. */
export type Grantor =
  | { readonly kind: 'operator'; readonly key: string }
  | { readonly kind: 'user'; readonly userId: string };

/** One consent, and all that came of it: a family of tokens. */
export interface Grant {
  readonly id: string;
  readonly client: OAuthClient;
  readonly grantor: Grantor;
  readonly scopes: readonly OAuthScope[];
  readonly resource: string;
  readonly isRevoked: boolean;
}

export interface NewConsent {
  readonly client: OAuthClient;
  readonly grantor: Grantor;
  readonly scopes: readonly OAuthScope[];
  readonly resource: string;
  readonly code: { readonly digest: string; readonly redirectUri: string; readonly challenge: string };
  readonly at: Date;
  readonly codeExpiresAt: Date;
  /** For the trail. */
  readonly actor: string;
}

export interface StoredCode {
  readonly grant: Grant;
  readonly redirectUri: string;
  readonly challenge: string;
  readonly expiresAt: Date;
  readonly isUsed: boolean;
}

export interface StoredToken {
  readonly grant: Grant;
  readonly scopes: readonly OAuthScope[];
  readonly expiresAt: Date;
  readonly isUsed: boolean;
}

interface NewToken {
  readonly digest: string;
  readonly expiresAt: Date;
  /** A refresh token keeps all that was allowed, whatever the access token beside it was asked for (RFC 6749, 6). */
  readonly scopes: readonly OAuthScope[];
}

/** What follows a code or a refresh token. */
export interface NewTokens {
  readonly access: NewToken;
  readonly refresh: NewToken;
  readonly at: Date;
}

/** A client with what one person allowed it. */
export interface ConnectedClient {
  /** Names the client in addresses and commands. */
  readonly ref: string;
  readonly client: OAuthClient;
  /** Of a person; absent: the operator. */
  readonly email: string | undefined;
  readonly operatorKey: string | undefined;
  readonly scopes: readonly OAuthScope[];
  readonly createdAt: Date;
  readonly lastUsedAt: Date | undefined;
}

/** Its promises reject with StoreUnavailable when the store cannot be used. */
export interface OAuthStore {
  /** `busy`: too many came from there within the hour, or there are too many in all (O2). */
  register(client: OAuthClient, peer: string, at: Date): Promise<'added' | 'busy'>;
  /** One that has waited for a consent for an hour is none, also before it is deleted. */
  findClient(id: string, at: Date): Promise<OAuthClient | undefined>;
  consent(consent: NewConsent): Promise<void>;
  findCode(digest: string): Promise<StoredCode | undefined>;
  /** `used`: it was before. Then everything that came of it is revoked. */
  redeem(codeDigest: string, tokens: NewTokens): Promise<'redeemed' | 'used'>;
  findGrant(id: string): Promise<Grant | undefined>;
  findToken(kind: 'access' | 'refresh', digest: string): Promise<StoredToken | undefined>;
  /** `used`: it was before. Then its family is revoked. */
  rotate(refreshDigest: string, tokens: NewTokens): Promise<'rotated' | 'used'>;
  /** All that came of one consent. */
  revokeGrant(grant: Pick<Grant, 'id' | 'client'>, at: Date, actor: string, reason: string): Promise<void>;
  endAccessToken(digest: string): Promise<void>;
  /** What an operator allowed whose token is no more: it could not be used anyway, and is listed no longer. */
  endGrantsOf(operatorKey: string, at: Date): Promise<void>;
  /** Those that may still be used, by name. */
  list(now: Date): Promise<readonly ConnectedClient[]>;
  /** With all that people allowed it. False: there is none. */
  revokeClient(ref: string, actor: string): Promise<boolean>;
  /** Never throws, never waits: written behind the answer, and forgotten where it cannot be written. */
  noteUse(grantId: string, at: Date): void;
}
