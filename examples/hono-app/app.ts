// The app: a route of its own, document skills, typed skills, and MCP. Everything it needs is handed in.
import {
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  originValidationResponse,
} from '@modelcontextprotocol/server';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { replyOf } from './failure-reply.ts';
import { agentCaller, type Repertoire } from './repertoire.ts';
import type { Stock } from './stock.ts';

interface AppParts {
  readonly repertoire: Repertoire;
  readonly stock: Stock;
  readonly mcp: { readonly fetch: (request: Request) => Promise<Response> };
}

export function createApp({ repertoire, stock, mcp }: AppParts): Hono {
  const app = new Hono();
  // A page in a browser must not reach a server on the same machine by a name of its own.
  app.use(async (c, next) => refuseStrangers(c.req.raw) ?? (await next()));
  app.use(bodyLimit({ maxSize: 1024 * 1024 }));
  app.get('/articles', (c) => c.json(Object.fromEntries(stock)));
  app.get('/skills', (c) => c.json(listSkills(repertoire)));
  app.get('/skills/:name', (c) => {
    const skill = repertoire.loadByName(c.req.param('name'));
    if (skill === undefined) return c.json({ error: 'There is no such skill' }, 404);
    return c.body(repertoire.textOf(skill), 200, { 'Content-Type': 'text/markdown; charset=utf-8' });
  });
  app.get('/search', async (c) => {
    const hits = await repertoire.search(c.req.query('q') ?? '');
    return c.json({ results: hits.map(({ kind, name, description, score }) => ({ kind, name, description, score })) });
  });
  app.post('/typed/:name', async (c) => replyOf(await invoke(repertoire, c.req.param('name'), c.req.raw)));
  app.all('/mcp', (c) => mcp.fetch(c.req.raw));
  return app;
}

const refuseStrangers = (request: Request): Response | undefined =>
  hostHeaderValidationResponse(request, localhostAllowedHostnames()) ??
  originValidationResponse(request, localhostAllowedOrigins());

function listSkills({ snapshot, typedSkills }: Repertoire) {
  return {
    documents: snapshot.skills.map(({ name, description, uri }) => ({ name, description, uri })),
    typed: typedSkills.map(({ name, description, input }) => ({ name, description, input_schema: input.json })),
    problems: snapshot.problems.map(({ path, message, fix }) => ({ path, message, fix })),
  };
}

/** No caller has proved who it is, so each is an agent without a role. Left out, it would be the operator, who may do all. */
const VISITOR = agentCaller('visitor', []);

async function invoke(repertoire: Repertoire, name: string, request: Request) {
  // What is no JSON is no object: the check of the skill's input says so.
  const input: unknown = await request.json().catch(() => null);
  const correlationId = request.headers.get('X-Correlation-Id') ?? undefined;
  return await repertoire.invoke({ name, input, caller: VISITOR, correlationId, signal: request.signal });
}
