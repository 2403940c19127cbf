// What is answered without a credential: whether the server is alive, what to send, the dashboard's files. No data of anyone.
import type { IncomingMessage } from 'node:http';
import { extname } from 'node:path';
import { etagOf, hasTag } from '../message/etag.ts';
import type { ReceivedRequest } from './received-request.ts';
import { type Protection, RESOURCE_OF, resourceMetadata } from './well-known.ts';

/** Answers a GET or HEAD of a public path. */
type PublicRoute = (received: ReceivedRequest) => void;

export type FindPublicRoute = (path: string, request: IncomingMessage) => PublicRoute | undefined;

/** The dashboard's, by their path in an address: `/index.html`, `/assets/…`. Held in memory, compared by their tags. */
export type WebFiles = ReadonlyMap<string, Buffer>;

const HEALTHY = '{"status":"ok"}';
/** Only in a checkout that was not built: the package has its pages. */
const NOT_BUILT = 'The dashboard is not built here: run `npm run build`. The MCP endpoint is /mcp.\n';

export function createPublicRoutes(files: WebFiles, protection?: Protection): FindPublicRoute {
  const index = files.get('/index.html');
  // Every address of a page shows the same one: its script finds out which it is.
  const page = index && fileRoute('/index.html', index);
  const routes = new Map<string, PublicRoute>([
    ...[...files].map(([path, bytes]) => [path, fileRoute(path, bytes)] as const),
    ['/health', ({ response }) => sendText(response, JSON_TYPE, HEALTHY)],
    ['/', page ?? (({ response }) => sendText(response, TEXT_TYPE, NOT_BUILT))],
    ...[...RESOURCE_OF].map(([path, resource]) => [path, metadataRoute(resource, protection)] as const),
  ]);
  return (path, request) => routes.get(path) ?? (page && opensPage(path, request) ? page : undefined);
}

const JSON_TYPE = 'application/json; charset=utf-8';
const TEXT_TYPE = 'text/plain; charset=utf-8';

const metadataRoute =
  (resource: string, protection: Protection | undefined): PublicRoute =>
  ({ request, response }) =>
    sendText(response, JSON_TYPE, resourceMetadata(request, resource, protection));

function sendText(response: ReceivedRequest['response'], type: string, text: string): void {
  response.writeHead(200, { 'Content-Type': type, 'Content-Length': Buffer.byteLength(text) });
  response.end(text);
}

/** Only what lies here is run, shown or asked; nothing inline, no frame around it. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': JSON_TYPE,
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.txt': TEXT_TYPE,
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
};

/** Names in this folder change with what is in the file. */
const HASHED = '/assets/';

function fileRoute(path: string, bytes: Buffer): PublicRoute {
  const type = TYPES[extname(path)] ?? 'application/octet-stream';
  const etag = etagOf(bytes);
  const kept = {
    ETag: etag,
    'Cache-Control': path.startsWith(HASHED) ? 'public, max-age=31536000, immutable' : 'no-cache',
    ...(path.endsWith('.html') && { 'Content-Security-Policy': PAGE_POLICY }),
  };
  const whole = { ...kept, 'Content-Type': type, 'Content-Length': bytes.length };
  return ({ request, response }: ReceivedRequest) => {
    if (hasTag(request, etag)) return void response.writeHead(304, kept).end();
    response.writeHead(200, whole);
    response.end(bytes);
  };
}

/** Paths that belong to programs: no page is ever shown there. */
const OF_PROGRAMS = /^\/(?:api|mcp|health|ready|metrics|oauth|\.well-known|assets)(?:\/|$)/;

/** A browser that opens an address of ours. */
function opensPage(path: string, { method, headers }: IncomingMessage): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  return headers.accept?.includes('text/html') === true && !OF_PROGRAMS.test(path);
}
