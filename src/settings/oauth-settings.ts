// How hosts sign in by OAuth, as the operator asked for it (O1). Pure.

/** Options as given. */
export interface GivenOAuth {
  readonly oauth: boolean;
  readonly publicUrl: string | undefined;
  readonly issuer: string | undefined;
  readonly audience: string | undefined;
  readonly roleClaim: string | undefined;
  readonly redirectSchemes: readonly string[];
  readonly allowLoopbackClients: boolean;
}

export const NO_OAUTH: GivenOAuth = {
  oauth: false,
  publicUrl: undefined,
  issuer: undefined,
  audience: undefined,
  roleClaim: undefined,
  redirectSchemes: [],
  allowLoopbackClients: false,
};

export interface OAuthSettings {
  /** As clients call the server: `https://skills.example.com`, as it was given; absent: on this machine alone. */
  readonly publicUrl: string | undefined;
  /** Another that gives tokens away, as it was given; absent: this server itself. */
  readonly issuer:
    | { readonly url: string; readonly audience: string | undefined; readonly roleClaim: string }
    | undefined;
  /** Schemes of programs that a redirect URI may have. */
  readonly redirectSchemes: readonly string[];
  /** Descriptions of clients may come by http from this machine: for tests. */
  readonly allowLoopbackClients: boolean;
}

const ROLE_CLAIM = 'roles';

/** `undefined`: nothing of it was asked for, and nothing of it is loaded. */
export function oauthSettingsOf(given: GivenOAuth): OAuthSettings | undefined {
  const { oauth, publicUrl, issuer, audience, roleClaim = ROLE_CLAIM, redirectSchemes, allowLoopbackClients } = given;
  if (!oauth && publicUrl === undefined && issuer === undefined) return undefined;
  return {
    publicUrl,
    issuer: issuer === undefined ? undefined : { url: issuer, audience, roleClaim },
    redirectSchemes: redirectSchemes.map((scheme) => scheme.replace(/:(?:\/\/)?$/, '').toLowerCase()),
    allowLoopbackClients,
  };
}

/** Of an address that was found good: without a slash at the end. */
export const originIn = (url: string): string => new URL(url).origin;

/** Ends the sentence "… cannot be used: it …"; `undefined`: it will do. */
export function publicUrlFault(url: string): string | undefined {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !isSafe(parsed))
    return 'is not an https address; use one like https://skills.example.com';
  const isOrigin = parsed.pathname === '/' && parsed.search === '' && parsed.hash === '' && parsed.username === '';
  return isOrigin ? undefined : 'has more than a name and a port; use one like https://skills.example.com';
}

export function issuerFault(url: string): string | undefined {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !isSafe(parsed)) return 'is not an https address; use one like https://login.example.com';
  return parsed.search === '' && parsed.hash === '' && parsed.username === ''
    ? undefined
    : 'must not have a query, a fragment or a user';
}

/** https; on this machine http will do, for tests. */
const isSafe = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || (protocol === 'http:' && /^(?:127\.0\.0\.1|localhost|\[::1\])$/.test(hostname));
