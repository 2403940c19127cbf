// The dashboard's files as answers to anybody: held in memory, compared by their tags. They hold no data of anyone.
import type { IncomingMessage } from 'node:http';
import { extname } from 'node:path';
import { etagOf, hasTag } from '../message/etag.ts';
import type { PublicRoute } from './public-routes.ts';
import type { ReceivedRequest } from './received-request.ts';

/** By their path in an address: `/index.html`, `/assets/…`. */
export type WebFiles = ReadonlyMap<string, Buffer>;

export interface WebPages {
  /** Each file under its own address. */
  readonly files: ReadonlyMap<string, PublicRoute>;
  /** What every address shows that is a page's: which one, the script in it finds out. */
  readonly page: PublicRoute;
}

/** `undefined`: there is no dashboard. */
export function createWebPages(files: WebFiles): WebPages | undefined {
  const index = files.get('/index.html');
  if (index === undefined) return undefined;
  const routes = [...files].map(([path, bytes]) => [path, fileRoute(path, bytes)] as const);
  return { files: new Map(routes), page: fileRoute('/index.html', index) };
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
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
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
const OF_PROGRAMS = /^\/(?:api|mcp|health|ready|metrics|\.well-known|assets)(?:\/|$)/;

/** A person's browser that goes to an address of ours. */
export function isPageVisit(path: string, { method, headers }: IncomingMessage): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  return headers.accept?.includes('text/html') === true && !OF_PROGRAMS.test(path);
}
