// What a request must look like before anybody asks who sent it: Host, Origin, target, method, kind and size of body. Pure.
import type { IncomingMessage } from 'node:http';
import { failureOf } from '../../../skills/define/failure.ts';
import { type HostCheck, isSameOrigin } from './host-header.ts';
import { hasBody, MCP_PATH } from './received-request.ts';
import type { GuardRefusal } from './refusals.ts';

/** Whether it was meant for us, and not sent by a page of somebody else (H4). */
export function doorRefusal({ headers, rawHeaders }: IncomingMessage, hosts: HostCheck): GuardRefusal | undefined {
  const { host, origin } = headers;
  if (host === undefined || !hosts.allows(host)) return FOREIGN_HOST;
  if (comesTwice('host', rawHeaders)) return TWO_HOSTS;
  if (headers.authorization !== undefined && comesTwice('authorization', rawHeaders)) return TWO_CREDENTIALS;
  return origin === undefined || isSameOrigin(origin, host) ? undefined : FOREIGN_ORIGIN;
}

/** Node keeps the first and drops the rest; a proxy before us may have gone by the last. */
function comesTwice(header: string, rawHeaders: readonly string[]): boolean {
  let times = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === header.length && name.toLowerCase() === header) times += 1;
  }
  return times > 1;
}

/** Browsers say so themselves, and no page can change it: a page of somebody else sent this, or led here. */
export const isCrossSite = ({ headers }: IncomingMessage): boolean => headers['sec-fetch-site'] === 'cross-site';

/** A link that somebody followed. */
export const isNavigation = ({ method, headers }: IncomingMessage): boolean =>
  method === 'GET' && headers['sec-fetch-mode'] === 'navigate';

/** Why it cannot be used, or nothing. */
export function shapeRefusal(request: IncomingMessage, path: string, maxBodyBytes: number): GuardRefusal | undefined {
  return (
    targetRefusal(request, path) ??
    methodRefusal(request, path) ??
    (hasBody(request) || request.headers['content-type'] !== undefined ? bodyRefusal(request, maxBodyBytes) : undefined)
  );
}

/** Proxies and foreign protocols are not ours: only a path of this server. */
function targetRefusal({ headers }: IncomingMessage, path: string): GuardRefusal | undefined {
  if (!path.startsWith('/')) return NO_PATH;
  const { upgrade } = headers;
  // A client that merely offers HTTP/2 goes on without it.
  return upgrade === undefined || upgrade.toLowerCase() === 'h2c' ? undefined : NO_UPGRADE;
}

const METHODS = new Set(['GET', 'HEAD', 'POST']);
const MCP_METHODS = new Set(['GET', 'POST', 'DELETE']);
/** Which of them a route has is the API's matter. */
const API_METHODS = new Set(['GET', 'HEAD', 'POST', 'DELETE']);

function methodRefusal({ method = '' }: IncomingMessage, path: string): GuardRefusal | undefined {
  const allowed = path === MCP_PATH ? MCP_METHODS : path.startsWith('/api/') ? API_METHODS : METHODS;
  return allowed.has(method) ? undefined : wrongMethod(method, [...allowed].join(', '));
}

function bodyRefusal(request: IncomingMessage, maxBodyBytes: number): GuardRefusal | undefined {
  const { headers, method } = request;
  if (method !== 'POST') return hasBody(request) ? NO_BODY_EXPECTED : undefined;
  if (!isJson(headers['content-type'])) return NOT_JSON;
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') return ENCODED;
  if ((headers['transfer-encoding'] ?? 'chunked').toLowerCase() !== 'chunked') return ENCODED;
  return Number(headers['content-length'] ?? 0) > maxBodyBytes ? tooLarge(maxBodyBytes) : undefined;
}

/** `application/json`, in UTF-8 where it says in what. A form of another site cannot send this without asking first. */
const JSON_TYPE = /^application\/json[ \t]*(?:;[ \t]*charset[ \t]*=[ \t]*"?utf-?8"?[ \t]*)?;?$/i;

const isJson = (type: string | undefined): boolean =>
  type === 'application/json' || (type !== undefined && JSON_TYPE.test(type));

const invalid = (status: number, details: string, headers: Readonly<Record<string, string>> = {}): GuardRefusal => ({
  code: 'VALIDATION_ERROR',
  status,
  message: failureOf('VALIDATION_ERROR', { details }).message,
  headers,
});

const foreign = (reason: string): GuardRefusal => ({
  code: 'UNAUTHORIZED',
  status: 403,
  message: failureOf('UNAUTHORIZED', { reason }).message,
});

const FOREIGN_HOST = foreign('this server does not go by that Host; allow the name with --allow-host');
const FOREIGN_ORIGIN = foreign('pages of another origin may not call this server');
export const CROSS_SITE = foreign('pages of another site may not call this server');
const TWO_CREDENTIALS = invalid(400, 'the request has two Authorization headers');
const TWO_HOSTS = invalid(400, 'the request names two Hosts');
const NO_PATH = invalid(400, 'the target of the request is no path of this server');
const NO_UPGRADE = invalid(400, 'this server does not change the protocol; ask without Upgrade');
const NO_BODY_EXPECTED = invalid(400, 'only POST may have a body');
const NOT_JSON = invalid(415, 'the body must be JSON; send Content-Type: application/json');
const ENCODED = invalid(415, 'the body must be sent as it is, without compression');

export const NO_SUCH_RESOURCE: GuardRefusal = {
  code: 'NOT_FOUND',
  status: 404,
  message: failureOf('NOT_FOUND', { resource: 'there is nothing at this path' }).message,
};

/** Whoever sends an MCP message to the address of the server itself. */
export const MCP_IS_ELSEWHERE = invalid(405, 'POST is not possible here; the MCP endpoint is /mcp', {
  Allow: 'GET, HEAD',
});

const COME_AGAIN_SECONDS = 5;

/** Others send bodies that do not end. */
export const NO_ROOM: GuardRefusal = {
  code: 'RATE_EXCEEDED',
  status: 503,
  message: `Too many unfinished bodies are waiting: try again in ${COME_AGAIN_SECONDS} seconds`,
  headers: { 'Retry-After': String(COME_AGAIN_SECONDS) },
};

export const NOT_UTF8 = invalid(400, 'the body is not UTF-8');

export const tooLarge = (maxBytes: number): GuardRefusal =>
  invalid(413, `the body is larger than ${maxBytes.toLocaleString('en')} bytes`);

export const wrongMethod = (method: string, allow: string): GuardRefusal =>
  invalid(405, `${method} is not possible here; use ${allow}`, { Allow: allow });
