// What a request must look like before its sender is looked up: Host, Origin, target, method, kind and size of body. Pure.
import type { IncomingMessage } from 'node:http';
import { type HostCheck, isSameOrigin } from './host-header.ts';
import { hasBody, MCP_PATH } from './received-request.ts';
import {
  ENCODED,
  FOREIGN_HOST,
  FOREIGN_ORIGIN,
  NO_BODY_EXPECTED,
  NO_HOST,
  NO_PATH,
  NO_UPGRADE,
  NOT_A_FORM,
  NOT_JSON,
  type Refusal,
  TWO_CREDENTIALS,
  TWO_HOSTS,
  tooLarge,
  tooManyHeaders,
  UNKNOWN_EXPECTATION,
  wrongMethod,
} from './refusals.ts';

/** Three times as many as browsers and several proxies send together. */
const MOST_HEADERS = 200;
const TOO_MANY_HEADERS = tooManyHeaders(MOST_HEADERS);

/**
 * For the parser, which drops what comes beyond this without a word: one more than is taken, so that a request from which
 * something may have been dropped is always one that is refused.
 */
export const HEADERS_PARSED = MOST_HEADERS + 1;

/** Before anything else: of the headers that were dropped one may have said that a proxy passed the request on (H5). */
export const headersRefusal = ({ rawHeaders }: IncomingMessage): Refusal | undefined =>
  rawHeaders.length > 2 * MOST_HEADERS ? TOO_MANY_HEADERS : undefined;

/** Whether it was meant for us, and not sent by a page of another origin (H4). */
export function senderRefusal({ headers, rawHeaders }: IncomingMessage, hosts: HostCheck): Refusal | undefined {
  const { host, origin } = headers;
  if (host === undefined) return NO_HOST;
  if (!hosts.allows(host)) return FOREIGN_HOST;
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

/** Browsers say so themselves, and no page can change it: a page of another site sent this, or led here. */
export const isCrossSite = ({ headers }: IncomingMessage): boolean => headers['sec-fetch-site'] === 'cross-site';

/** A link that was followed. */
export const isNavigation = ({ method, headers }: IncomingMessage): boolean =>
  method === 'GET' && headers['sec-fetch-mode'] === 'navigate';

/** In a part of another page: no one sees where they are. */
export const isFramed = ({ headers }: IncomingMessage): boolean =>
  (headers['sec-fetch-dest'] ?? 'document') !== 'document';

/** What a path takes that is not as all others are. */
interface OwnShape {
  readonly isForm?: boolean;
  /** Asked only for a method that no path takes. */
  readonly methodsOf?: () => string | undefined;
}

/** Why it cannot be used; `undefined` when it can. */
export function shapeRefusal(
  request: IncomingMessage,
  path: string,
  maxBodyBytes: number,
  { isForm = false, methodsOf = () => undefined }: OwnShape = {},
): Refusal | undefined {
  return (
    targetRefusal(request, path) ??
    expectationRefusal(request) ??
    methodRefusal(request, path, methodsOf) ??
    (hasBody(request) || request.headers['content-type'] !== undefined
      ? bodyRefusal(request, maxBodyBytes, isForm)
      : undefined)
  );
}

/** Proxies and foreign protocols are not ours: only a path of this server. */
function targetRefusal({ headers }: IncomingMessage, path: string): Refusal | undefined {
  if (!path.startsWith('/')) return NO_PATH;
  const { upgrade } = headers;
  // A client that merely offers HTTP/2 goes on without it.
  return upgrade === undefined || upgrade.toLowerCase() === 'h2c' ? undefined : NO_UPGRADE;
}

/** As Node finds it, which then asks for our go-ahead. An older client means nothing by it. */
const CONTINUE = /(?:^|\W)100-continue(?:\W|$)/i;

const expectationRefusal = ({ headers: { expect }, httpVersion }: IncomingMessage): Refusal | undefined =>
  expect === undefined || httpVersion === '1.0' || CONTINUE.test(expect) ? undefined : UNKNOWN_EXPECTATION;

const METHODS = new Set(['GET', 'HEAD', 'POST']);
const MCP_METHODS = new Set(['GET', 'POST', 'DELETE']);
/** Which of them a route has is the API's matter. */
const API_METHODS = new Set(['GET', 'HEAD', 'POST', 'DELETE']);
/** The only routes that something is put to (L1). */
const LIBRARY_METHODS = new Set([...API_METHODS, 'PUT']);

const apiMethods = (path: string) => (path.startsWith('/api/library/') ? LIBRARY_METHODS : API_METHODS);

/** What no path takes. Which of the others a path of OAuth's takes is asked after where the request comes from. */
function methodRefusal({ method = '' }: IncomingMessage, path: string, own: () => string | undefined) {
  const usual = path === MCP_PATH ? MCP_METHODS : path.startsWith('/api/') ? apiMethods(path) : METHODS;
  return usual.has(method) ? undefined : wrongMethod(method, own() ?? [...usual].join(', '));
}

function bodyRefusal(request: IncomingMessage, maxBodyBytes: number, isForm: boolean): Refusal | undefined {
  const { headers, method } = request;
  if (method !== 'POST' && method !== 'PUT') return hasBody(request) ? NO_BODY_EXPECTED : undefined;
  if (isForm && !isFormType(headers['content-type'])) return NOT_A_FORM;
  if (!isForm && !isJson(headers['content-type'])) return NOT_JSON;
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') return ENCODED;
  if ((headers['transfer-encoding'] ?? 'chunked').toLowerCase() !== 'chunked') return ENCODED;
  return Number(headers['content-length'] ?? 0) > maxBodyBytes ? tooLarge(maxBodyBytes) : undefined;
}

/** `application/json`, in UTF-8 where it says in what. A form of another site cannot send this without asking first. */
const JSON_TYPE = /^application\/json[ \t]*(?:;[ \t]*charset[ \t]*=[ \t]*"?utf-?8"?[ \t]*)?;?$/i;

const isJson = (type: string | undefined): boolean =>
  type === 'application/json' || (type !== undefined && JSON_TYPE.test(type));

/** In UTF-8 where it says in what. */
const FORM_TYPE = /^application\/x-www-form-urlencoded[ \t]*(?:;[ \t]*charset[ \t]*=[ \t]*"?utf-?8"?[ \t]*)?;?$/i;

/** What OAuth's own requests and the consent page are sent as, and nothing else is (O3). */
const isFormType = (type: string | undefined): boolean => type !== undefined && FORM_TYPE.test(type);
