// The page at `/`: what this server is and how to call it. Static, without a script.
import { createHash } from 'node:crypto';

export interface Page {
  readonly html: string;
  readonly contentSecurityPolicy: string;
}

/** `origin`: as the client knows this server; its Host has been checked. */
export function homePage(origin: string, version: string): Page {
  const [where, which] = [asHtml(origin), asHtml(version)];
  const html = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Repertoire</title>
<style>${STYLE}</style>
<main>
<h1>Repertoire <small>${which}</small></h1>
<p>This server has skills for agents: documents to read and typed skills to invoke.</p>
<h2>Connect an agent</h2>
<p>Streamable HTTP, with a token as bearer:</p>
<pre>${where}/mcp</pre>
<h2>Call it yourself</h2>
<p><code>repertoire token</code> shows the operator's token; <code>repertoire agent add NAME</code> makes one for an agent.</p>
<pre>curl -H "Authorization: Bearer $TOKEN" ${where}/api/documents</pre>
<h2>Routes</h2>
<table>
${ROUTES.map(([route, gives]) => `<tr><td><code>${route}</code><td>${gives}`).join('\n')}
</table>
</main>
</html>
`;
  return { html, contentSecurityPolicy: POLICY };
}

const ROUTES = [
  ['POST /mcp', 'everything, over MCP'],
  ['GET /api/documents', 'the document skills'],
  ['GET /api/search?q=', 'the best skills for some words'],
  ['GET /api/typed-skills', 'the typed skills'],
  ['POST /api/typed-skills/{name}/invoke', 'runs one'],
  ['GET /api/invocations', 'what ran'],
  ['GET /api/openapi.json', 'the whole API, described'],
  ['GET /health', 'whether the server is alive, without a token'],
  ['GET /ready', 'whether it has all it needs, without a token'],
  ['GET /metrics', 'figures for Prometheus'],
] as const;

const STYLE = [
  ':root{color-scheme:light dark}',
  'body{font:16px/1.5 system-ui,sans-serif;margin:0}',
  'main{max-width:44rem;margin:3rem auto;padding:0 1rem}',
  'small{font-weight:normal;opacity:.6}',
  'h2{font-size:1.1rem;margin-top:2rem}',
  'pre{padding:.75rem 1rem;overflow-x:auto;border:1px solid #8884;border-radius:6px}',
  'table{border-collapse:collapse}',
  'td{padding:.2rem 1.5rem .2rem 0;vertical-align:top}',
].join('');

/** This one style, by its digest, and nothing else. */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const asHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
