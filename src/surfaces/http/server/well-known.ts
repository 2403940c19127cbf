// The description of this server as a protected resource (RFC 9728): where a client without a credential learns what to bring.
import type { IncomingMessage } from 'node:http';
import { SCOPES } from '../../../identity/agents.ts';
import { isHttps } from '../message/dashboard-session.ts';
import { MCP_PATH } from './received-request.ts';

/** How this server is a protected resource; absent: by the tokens that its operator gives away, and nothing else (O1). */
export interface Protection {
  /** `https://skills.example.com`; absent: as the client calls it. */
  readonly publicOrigin: string | undefined;
  /** Another that gives tokens away; absent: this server itself. */
  readonly issuer: string | undefined;
  /** That there are. */
  readonly scopes: readonly string[];
  /** Asked for where nothing else is known. */
  readonly usualScopes: readonly string[];
}

const ROOT = '/.well-known/oauth-protected-resource';

/** Each description's path, and the resource it is of: the well-known path stands before the resource's own. */
export const RESOURCE_OF: ReadonlyMap<string, string> = new Map([
  [ROOT, ''],
  [`${ROOT}${MCP_PATH}`, MCP_PATH],
]);

export function resourceMetadata(
  request: IncomingMessage,
  resourcePath: string,
  protection: Protection | undefined,
): string {
  const origin = originOf(request, protection);
  const issuer = protection && (protection.issuer ?? origin);
  return JSON.stringify({
    // Tokens are for one resource: whichever description a client reads, it is the same.
    resource: `${origin}${protection === undefined ? resourcePath : MCP_PATH}`,
    resource_name: 'Repertoire',
    ...(issuer !== undefined && { authorization_servers: [issuer] }),
    bearer_methods_supported: ['header'],
    scopes_supported: protection?.scopes ?? SCOPES,
  });
}

/** What a 401 says about how to do better. `isBad`: a credential came, and is none. */
export function challengeFor(
  request: IncomingMessage,
  path: string,
  isBad: boolean,
  protection: Protection | undefined,
): string {
  const scope = protection === undefined ? '' : `, scope="${protection.usualScopes.join(' ')}"`;
  return `Bearer ${metadataParameter(request, path, protection)}${scope}${isBad ? ', error="invalid_token"' : ''}`;
}

/** What a 403 says to a client whose token is not good for what it asks (O5). */
export const scopeChallenge = (
  request: IncomingMessage,
  path: string,
  scopes: readonly string[],
  protection: Protection | undefined,
): string =>
  `Bearer error="insufficient_scope", scope="${scopes.join(' ')}", ${metadataParameter(request, path, protection)}`;

const metadataParameter = (request: IncomingMessage, path: string, protection: Protection | undefined): string =>
  `resource_metadata="${originOf(request, protection)}${ROOT}${path === MCP_PATH ? MCP_PATH : ''}"`;

/** As the client knows this server. Its Host has been checked, so that it holds nothing but a name and a port. */
export const originOf = (request: IncomingMessage, protection?: Pick<Protection, 'publicOrigin'>): string =>
  protection?.publicOrigin ?? `${isHttps(request) ? 'https' : 'http'}://${request.headers.host?.toLowerCase()}`;
