// The page where a person decides whether a client may act in their name (O3): plain HTML in the look of the dashboard, without
// scripts. Everything that a client says of itself is shown as text.
import { createHash } from 'node:crypto';
import type { OAuthScope } from '../identity/oauth.ts';
import { toOneLine } from '../text/one-line.ts';
import type { AuthorizationRequest } from './authorization-request.ts';
import { destinationOf, formActionOf } from './redirect-uris.ts';

export interface Page {
  readonly html: string;
  /** Its content security policy. */
  readonly policy: string;
}

export interface ConsentPage {
  readonly request: AuthorizationRequest;
  readonly ticket: string;
  /** A sentence; absent: it is the first time that the page is shown. */
  readonly fault?: string | undefined;
  readonly email?: string | undefined;
}

const SCOPE_WORDS = {
  'skills:read': 'Read the skills that you can see',
  'skills:invoke': 'Run the typed skills that you may run, in your name',
  'log:read': 'Read the log: what every caller ran and read',
  'skills:propose': 'Propose new versions of skills',
  'skills:approve': 'Decide which versions of skills are served, and read the trail',
  'runs:approve': 'Decide on runs that wait for approval',
} as const satisfies Record<OAuthScope, string>;

export function consentPage({ request, ticket, fault, email = '' }: ConsentPage): Page {
  const { client, redirectUri, scopes } = request;
  const name = escapeHtml(client.name);
  const html = frame(
    `Allow ${client.name}?`,
    `<h1>Allow <q>${name}</q> to use your skills?</h1>
${fault === undefined ? '' : `<p class="fault" role="alert">${escapeHtml(fault)}</p>`}
<p class="who">${whoOf(request)}</p>
<p>It will be able to:</p>
<ul>${scopes.map((scope) => `<li>${escapeHtml(SCOPE_WORDS[scope])} <code>${escapeHtml(scope)}</code></li>`).join('')}</ul>
<p class="note">It gets no more than you have yourself. Afterwards the browser goes to <strong>${escapeHtml(destinationOf(redirectUri))}</strong>.</p>
<form method="post" action="/oauth/consent" autocomplete="on">
<input type="hidden" name="ticket" value="${escapeHtml(ticket)}">
<fieldset><legend>Sign in with your email and password</legend>
<label for="email">Email</label><input id="email" name="email" type="email" autocomplete="username" value="${escapeHtml(email)}">
<label for="password">Password</label><input id="password" name="password" type="password" autocomplete="current-password"></fieldset>
<fieldset><legend>or, as the operator, with your token</legend>
<label for="token">Operator token</label><input id="token" name="token" type="password" autocomplete="off" spellcheck="false"></fieldset>
<div class="buttons"><button name="decision" value="allow" class="primary">Allow</button>
<button name="decision" value="deny" formnovalidate>Deny</button></div>
</form>`,
  );
  return { html, policy: policyOf(`'self' ${formActionOf(redirectUri)}`) };
}

/** What is known of it, and how surely. */
function whoOf({ client, redirectUri }: AuthorizationRequest): string {
  if (client.kind === 'document')
    return `It is described at <strong>${escapeHtml(toOneLine(client.id, 200))}</strong>.`;
  return `It registered itself with this server: its name is not verified. Go on only if you have just connected it from <strong>${escapeHtml(destinationOf(redirectUri))}</strong>.`;
}

const CANNOT = 'Cannot sign in';

/** For what cannot be told to the client. `what`: ends the sentence "Cannot sign in: …". */
export function faultPage(what: string, code: string): Page {
  const html = frame(
    CANNOT,
    `<h1>${CANNOT}</h1><p class="fault" role="alert">${CANNOT}: ${escapeHtml(what)}.</p>
<p class="note">If connecting again does not help, send this message to the developer of the client, with the code <code>${escapeHtml(code)}</code>.</p>`,
  );
  return { html, policy: policyOf("'none'") };
}

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** The tokens of the dashboard (web/src/styles/tokens.css): a page without scripts follows the system's theme. */
const STYLE = `:root{color-scheme:light dark;--page:#f6f6f3;--surface:#fff;--line:#e3e3dd;--line-strong:#8b8b83;--ink:#1c1d21;--ink-2:#55575f;--accent:#3b4cc0;--accent-ink:#fff;--bad:#b3261e;--bad-soft:#fce9e7}
@media(prefers-color-scheme:dark){:root{--page:#131417;--surface:#1b1d21;--line:#30333a;--line-strong:#7b7f8a;--ink:#ecedf0;--ink-2:#a9adb8;--accent:#a3afff;--accent-ink:#14173a;--bad:#ff9a91;--bad-soft:#43201e}}
*{box-sizing:border-box}body{margin:0;background:var(--page);color:var(--ink);font:14px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;overflow-wrap:anywhere}
main{max-width:440px;margin:48px auto;padding:0 16px}.brand{font-weight:600;margin-bottom:16px}.card{background:var(--surface);border:1px solid var(--line);border-radius:8px;padding:16px}
h1{font-size:1.375rem;line-height:1.3;margin:0 0 12px}p{margin:0 0 12px}ul{margin:0 0 12px;padding-left:20px}.who,.note{color:var(--ink-2);font-size:13px}code{font:12px ui-monospace,Menlo,Consolas,monospace;color:var(--ink-2)}
.fault{background:var(--bad-soft);color:var(--bad);border-radius:5px;padding:8px 12px}fieldset{border:1px solid var(--line);border-radius:8px;margin:0 0 12px;padding:12px}legend{font-size:13px;color:var(--ink-2);padding:0 4px}
label{display:block;font-size:13px;margin:4px 0}input{width:100%;font:inherit;min-height:36px;padding:6px 10px;color:inherit;background:var(--page);border:1px solid var(--line-strong);border-radius:5px}
.buttons{display:flex;gap:12px}button{font:inherit;min-height:36px;padding:6px 16px;border-radius:5px;border:1px solid var(--line-strong);background:var(--surface);color:inherit;cursor:pointer}button.primary{background:var(--accent);border-color:var(--accent);color:var(--accent-ink)}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}`;

const frame = (title: string, body: string): string =>
  `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Repertoire</title><style>${STYLE}</style></head>
<body><main><div class="brand">Repertoire</div><div class="card">${body}</div></main></body></html>
`;

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** Nothing is loaded, run or framed; the form leads here, and from here to where the client was registered. */
const policyOf = (formAction: string): string =>
  `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action ${formAction}; frame-ancestors 'none'`;
