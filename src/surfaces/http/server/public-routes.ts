// What is answered to anybody, before a credential is looked at: alive or not, what this is, what to bring, the dashboard.
import type { IncomingMessage } from 'node:http';
import { homePage } from './home-page.ts';
import type { ReceivedRequest } from './received-request.ts';
import { createWebPages, isPageVisit, type WebFiles } from './web-pages.ts';
import { originOf, RESOURCE_OF, resourceMetadata } from './well-known.ts';

/** Answers a GET or HEAD of a public path. */
export type PublicRoute = (received: ReceivedRequest) => void;

const HEALTHY = Buffer.from('{"status":"ok"}');

export type FindPublicRoute = (path: string, request: IncomingMessage) => PublicRoute | undefined;

/** `files`: the dashboard's; without them there is a page that says what this is. */
export function createPublicRoutes(version: string, files: WebFiles): FindPublicRoute {
  const web = createWebPages(files);
  const routes = new Map<string, PublicRoute>([
    ...(web?.files ?? []),
    ['/health', ({ response }) => sendJson(response, HEALTHY)],
    ['/', web?.page ?? (({ request, response }) => sendPage(response, homePage(originOf(request), version)))],
    ...[...RESOURCE_OF].map(
      ([path, resource]) =>
        [path, ({ request, response }) => sendJson(response, Buffer.from(resourceMetadata(request, resource)))] as [
          string,
          PublicRoute,
        ],
    ),
  ]);
  return (path, request) => routes.get(path) ?? (web && isPageVisit(path, request) ? web.page : undefined);
}

function sendJson(response: ReceivedRequest['response'], bytes: Buffer): void {
  response.writeHead(200, { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': bytes.length });
  response.end(bytes);
}

function sendPage(
  response: ReceivedRequest['response'],
  { html, contentSecurityPolicy }: ReturnType<typeof homePage>,
): void {
  const bytes = Buffer.from(html);
  response.writeHead(200, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': bytes.length,
    'Content-Security-Policy': contentSecurityPolicy,
  });
  response.end(bytes);
}
