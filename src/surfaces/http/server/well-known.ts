// The description of this server as a protected resource (RFC 9728): where a client without a credential learns what to bring.
import type { IncomingMessage } from 'node:http';
import type { Scope } from '../../../identity/caller.ts';
import { isHttps } from '../message/dashboard-session.ts';
import { MCP_PATH } from './received-request.ts';

const ROOT = '/.well-known/oauth-protected-resource';

/** Each description's path, and the resource it is of: the well-known path stands before the resource's own. */
export const RESOURCE_OF: ReadonlyMap<string, string> = new Map([
  [ROOT, ''],
  [`${ROOT}${MCP_PATH}`, MCP_PATH],
]);

const SCOPES: readonly Scope[] = ['log:read'];

export const resourceMetadata = (request: IncomingMessage, resourcePath: string): string =>
  JSON.stringify({
    resource: `${originOf(request)}${resourcePath}`,
    resource_name: 'Repertoire',
    bearer_methods_supported: ['header'],
    scopes_supported: SCOPES,
  });

/** What a 401 says about how to do better. `isBad`: a credential came, and is none. */
export function challengeFor(request: IncomingMessage, path: string, isBad: boolean): string {
  const metadata = `${originOf(request)}${ROOT}${path === MCP_PATH ? MCP_PATH : ''}`;
  return `Bearer resource_metadata="${metadata}"${isBad ? ', error="invalid_token"' : ''}`;
}

/** As the client knows this server. Its Host has been checked, so that it holds nothing but a name and a port. */
const originOf = (request: IncomingMessage): string =>
  `${isHttps(request) ? 'https' : 'http'}://${request.headers.host}`;
