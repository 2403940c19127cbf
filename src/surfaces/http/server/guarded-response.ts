// The headers that every answer of this server carries, unless a route sets its own. Never grants another origin anything.
import { type IncomingMessage, type OutgoingHttpHeader, type OutgoingHttpHeaders, ServerResponse } from 'node:http';

/** Nothing is loaded, framed or run by an answer of the API. Also what X-Frame-Options says to older browsers. */
const NOTHING = "default-src 'none'; frame-ancestors 'none'";

/** Kept by name, in lower case, because a route's own value wins. */
const DEFAULTS: ReadonlyMap<string, readonly [string, string]> = new Map([
  ['x-content-type-options', ['X-Content-Type-Options', 'nosniff']],
  ['referrer-policy', ['Referrer-Policy', 'no-referrer']],
  ['content-security-policy', ['Content-Security-Policy', NOTHING]],
  ['cross-origin-resource-policy', ['Cross-Origin-Resource-Policy', 'same-origin']],
  ['cross-origin-opener-policy', ['Cross-Origin-Opener-Policy', 'same-origin']],
  ['cache-control', ['Cache-Control', 'no-store']],
]);

const DEFAULTS_RAW: readonly string[] = [...DEFAULTS.values()].flat();

/** As text, for the few answers that are written without a response object. */
export const SECURITY_HEAD = [...DEFAULTS.values()].map(([name, value]) => `${name}: ${value}\r\n`).join('');

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[];

/**
 * Node makes one of these for each request (the `ServerResponse` option), so that no route can forget a header. A class
 * because Node asks for one. Headers go out as one flat list: `setHeader` for each would cost a tenth of a small answer.
 */
export class GuardedResponse extends ServerResponse<IncomingMessage> {
  /** Set by the guard, before anything is answered. */
  correlationId = '';
  /** The last answer on its connection: what comes after it is not looked at. */
  endsConnection = false;
  /** When the server is about to stop, a connection is not kept for another request. */
  isLast: () => boolean = never;

  override writeHead(status: number, reason?: string | Headers, headers?: Headers): this {
    const given = (typeof reason === 'string' ? headers : reason) ?? {};
    if (this.isLast()) this.shouldKeepAlive = false;
    const all = this.getHeaderNames().length > 0 ? this.#missing(given) : this.#complete(given);
    return typeof reason === 'string' ? super.writeHead(status, reason, all) : super.writeHead(status, all);
  }

  /** The usual way: everything is in `given`. */
  #complete(given: Headers): OutgoingHttpHeader[] {
    const all: OutgoingHttpHeader[] = ['X-Correlation-Id', this.correlationId];
    const own = flat(given);
    const overridden = namesIn(own);
    if (overridden === undefined) all.push(...DEFAULTS_RAW);
    else for (const [name, pair] of DEFAULTS) if (!overridden.has(name)) all.push(...pair);
    all.push(...own);
    return all;
  }

  /** Some were set one by one: what neither they nor `given` say is added. */
  #missing(given: Headers): OutgoingHttpHeader[] {
    const own = flat(given);
    const overridden = namesIn(own) ?? new Set();
    const all: OutgoingHttpHeader[] = ['X-Correlation-Id', this.correlationId];
    for (const [name, pair] of DEFAULTS) if (!overridden.has(name) && !this.hasHeader(name)) all.push(...pair);
    all.push(...own);
    return all;
  }
}

const never = (): boolean => false;

function flat(headers: Headers): OutgoingHttpHeader[] {
  if (Array.isArray(headers)) return headers;
  const list: OutgoingHttpHeader[] = [];
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined) list.push(name, value);
  }
  return list;
}

/** Which of the defaults are among them; `undefined` for none, which is the rule. */
function namesIn(list: readonly OutgoingHttpHeader[]): Set<string> | undefined {
  let found: Set<string> | undefined;
  for (let index = 0; index < list.length; index += 2) {
    const name = String(list[index]).toLowerCase();
    if (!DEFAULTS.has(name)) continue;
    found ??= new Set();
    found.add(name);
  }
  return found;
}
