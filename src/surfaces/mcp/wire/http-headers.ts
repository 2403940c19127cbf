// The headers of MCP over HTTP: what they must say about the body (2026-07-28), and which form of answer they accept.
import type { IncomingHttpHeaders } from 'node:http';
import { isRecord } from '../../../values/is-record.ts';
import type { JsonObject } from '../../../values/json-object.ts';
import { quote, type Request, rpcCode } from './json-rpc.ts';
import type { RpcError } from './method.ts';
import { MODERN_VERSION, metaKey } from './modern-era.ts';

/** One JSON object, a stream of events, or whichever suits the answer. */
export type AnswerForm = 'either' | 'json' | 'stream';

/** What both generations of the SDK send. */
const USUAL_ACCEPT = 'application/json, text/event-stream';

/** The forms that a client can read; undefined: neither. Clients must name both, but real ones name one or none. */
export function answerForm({ accept }: IncomingHttpHeaders): AnswerForm | undefined {
  if (accept === undefined || accept === USUAL_ACCEPT || accept.trim() === '') return 'either';
  const ranges = new Set(accept.toLowerCase().split(',').filter(isWanted).map(mediaRange));
  const json = ['application/json', 'application/*', '*/*'].some((range) => ranges.has(range));
  const stream = ['text/event-stream', 'text/*', '*/*'].some((range) => ranges.has(range));
  if (json) return stream ? 'either' : 'json';
  return stream ? 'stream' : undefined;
}

const isWanted = (range: string): boolean => !/;\s*q=0(?:\.0*)?\s*(?:;|$)/.test(range);

const mediaRange = (range: string): string => (range.split(';', 1)[0] ?? '').trim();

/** A header that came twice is joined by Node, and then equals nothing. */
export function headerOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}

export const protocolVersionOf = (headers: IncomingHttpHeaders): string | undefined =>
  headerOf(headers, 'mcp-protocol-version');

/** Whether the headers alone say that a request is of the stateless era. */
export const namesModern = (headers: IncomingHttpHeaders): boolean => protocolVersionOf(headers) === MODERN_VERSION;

/** Before the version itself is judged: the header must name the one that the body names. */
export function versionHeaderProblem(headers: IncomingHttpHeaders, { params }: Request): RpcError | undefined {
  const claimed = isRecord(params._meta) ? params._meta[metaKey.protocolVersion] : undefined;
  // A claim that is no version is a bad envelope: the era's rules say so.
  if (typeof claimed !== 'string') return undefined;
  return compare('MCP-Protocol-Version', protocolVersionOf(headers), claimed);
}

/** A proxy that routes by the headers and a server that reads the body must see the same request. */
export function routingHeaderProblem(headers: IncomingHttpHeaders, { method, params }: Request): RpcError | undefined {
  const problem = compare('Mcp-Method', headerOf(headers, 'mcp-method'), method);
  return problem ?? nameHeaderProblem(headerOf(headers, 'mcp-name'), method, params);
}

/** The field that `Mcp-Name` repeats, by method. */
const namedBy: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
  ['tasks/get', 'taskId'],
  ['tasks/update', 'taskId'],
  ['tasks/cancel', 'taskId'],
]);

function nameHeaderProblem(header: string | undefined, method: string, params: JsonObject): RpcError | undefined {
  const field = namedBy.get(method);
  if (field === undefined) return undefined;
  const name = params[field];
  // A missing name is the method's to refuse.
  if (typeof name !== 'string') return undefined;
  if (header === undefined) return mismatch('the header Mcp-Name is required');
  const decoded = decodeHeaderValue(header);
  if (decoded === undefined) return mismatch('the header Mcp-Name is neither plain ASCII nor valid Base64');
  return compare('Mcp-Name', decoded, name);
}

function compare(header: string, value: string | undefined, inBody: string): RpcError | undefined {
  if (value === inBody) return undefined;
  if (value === undefined) return mismatch(`the header ${header} is required`);
  return mismatch(`the header ${header} says "${quote(value)}", the body "${quote(inBody)}"`);
}

const mismatch = (reason: string): RpcError => ({
  code: rpcCode.headerMismatch,
  message: `Header mismatch: ${reason}`,
});

const ENCODED = /^=\?base64\?(.*)\?=$/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const NOT_PLAIN = /[^\t\x20-\x7e]/;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Plain ASCII as it is, `=?base64?…?=` as the UTF-8 text inside; undefined for anything else. */
export function decodeHeaderValue(value: string): string | undefined {
  if (NOT_PLAIN.test(value)) return undefined;
  const encoded = ENCODED.exec(value)?.[1];
  if (encoded === undefined) return value;
  if (!BASE64.test(encoded)) return undefined;
  try {
    return utf8.decode(Buffer.from(encoded, 'base64'));
  } catch (error) {
    if (error instanceof TypeError) return undefined; // How a fatal decoder says "not UTF-8".
    throw error;
  }
}
