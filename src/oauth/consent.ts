// The consent (O3): the page is shown, the person signs in on it afresh and decides, and the browser goes back to the client
// with a code or with a no. The dashboard's session is not looked at.
import type { Authenticate, SignIn } from '../identity/authentication.ts';
import type { Caller } from '../identity/caller.ts';
import type { Grantor, OAuthStore } from '../identity/oauth.ts';
import { createCode, digestOf } from '../identity/token.ts';
import { actorOf } from '../identity/trail.ts';
import { StoreUnavailable } from '../skills/record/invocation-log.ts';
import {
  type AuthorizationRequest,
  type Destination,
  type FindClient,
  findDestination,
  readAuthorizationRequest,
} from './authorization-request.ts';
import { consentPage, faultPage } from './consent-page.ts';
import { createBrowserId, isBrowserId, openTicket, sealTicket } from './consent-ticket.ts';
import { CODE_SECONDS, mayGrant } from './grants.ts';
import { OAuthError, type OAuthErrorCode } from './oauth-error.ts';
import type { OAuthReply, OAuthRequest } from './oauth-server.ts';
import { type Parameters, readParameters } from './parameters.ts';
import { withParameters } from './redirect-uris.ts';

export interface ConsentParts {
  readonly store: Pick<OAuthStore, 'consent' | 'findClient'>;
  readonly findClient: FindClient;
  readonly signIn: SignIn;
  readonly authenticate: Authenticate;
  readonly operatorKey: () => string | undefined;
  /** Whether a token for this resource is one for us. */
  readonly isOwnResource: (resource: string) => boolean;
  /** What tickets are sealed with. */
  readonly key: () => Promise<string>;
  readonly now: () => Date;
}

const MCP_PATH = '/mcp';
const CONNECT_AGAIN = 'connect again from the client';
const NOT_PUBLIC =
  'this server is asked by a name that others can reach; its operator has to start it with --public-url https://… and that name';

export async function showConsent(asked: OAuthRequest, parts: ConsentParts): Promise<OAuthReply> {
  const parameters = readParameters(asked.query);
  const own = `${asked.origin}${MCP_PATH}`;
  // The page would lead to tokens that open nothing.
  if (!parts.isOwnResource(own)) throw new OAuthError('invalid_target', NOT_PUBLIC);
  const destination = await findDestination(parameters, asked.peer, parts.findClient);
  try {
    const request = readAuthorizationRequest(parameters, destination, own);
    return await page(asked, parts, { request });
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    return goBack(destination, asked.origin, { error: error.code, error_description: error.message });
  }
}

interface Shown {
  readonly request: AuthorizationRequest;
  readonly fault?: string;
  readonly email?: string | undefined;
}

async function page(asked: OAuthRequest, parts: ConsentParts, shown: Shown, status = 200): Promise<OAuthReply> {
  // Kept where the browser has one: pages in several tabs are good at once.
  const browserId = browserIdIn(asked) ?? createBrowserId();
  const ticket = sealTicket(shown.request, browserId, await parts.key(), parts.now());
  const { html, policy } = consentPage({ ...shown, ticket });
  return {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policy,
      // With `no-referrer` a browser would not say where the form comes from.
      'Referrer-Policy': 'same-origin',
      'Set-Cookie': cookieOf(asked, browserId),
    },
    body: html,
  };
}

/** Cookies do not know ports: two servers on one machine would take each other's. */
const cookieName = ({ origin }: OAuthRequest): string => {
  const { port } = new URL(origin);
  return port === '' ? 'repertoire_consent' : `repertoire_consent_${port}`;
};

/** `Lax`: a client at another site leads here, and the pages in other tabs are to stay good. No form of another site sends it. */
function cookieOf(asked: OAuthRequest, value: string): string {
  const secure = asked.origin.startsWith('https:') ? '; Secure' : '';
  return `${cookieName(asked)}=${value}; HttpOnly; SameSite=Lax; Path=/oauth; Max-Age=600${secure}`;
}

function browserIdIn(asked: OAuthRequest): string | undefined {
  const cookies = String(asked.headers.cookie ?? '').split(';');
  const own = cookies.map((each) => each.trim().split('=')).filter(([name]) => name === cookieName(asked));
  const [value] = own.map(([, each = '']) => each).filter(isBrowserId);
  // Two: which of them is ours cannot be told.
  return own.length === 1 ? value : undefined;
}

/** Throws an OAuthError where the form is none of ours. */
export async function decide(asked: OAuthRequest, parts: ConsentParts): Promise<OAuthReply> {
  if (asked.method !== 'POST') return noPage();
  const form = readParameters(asked.body);
  const request = openTicket(form.get('ticket') ?? '', browserIdIn(asked), await parts.key(), parts.now());
  if (request === undefined)
    throw new OAuthError('invalid_request', `this page has expired, or another browser was shown it; ${CONNECT_AGAIN}`);
  const decision = form.get('decision');
  if (decision === 'deny') return goBack(request, asked.origin, { error: 'access_denied' });
  if (decision !== 'allow') throw new OAuthError('invalid_request', 'neither Allow nor Deny was chosen');
  const signedIn = await signInWith(form, asked, parts);
  if ('caller' in signedIn) return allow(request, signedIn.caller, asked, parts);
  const wait = signedIn.isBadCredential && (await asked.noteBad());
  const { fault, status, headers } = wait ? tooManyTries(wait) : signedIn;
  const again = await page(asked, parts, { request, fault, email: form.get('email') }, status);
  return { ...again, headers: { ...again.headers, ...headers } };
}

/** After a wrong password the page stands at this address, and may be opened anew. */
function noPage(): OAuthReply {
  const { html, policy } = faultPage(`this is no page of its own; ${CONNECT_AGAIN}`, 'invalid_request');
  const headers = { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': policy, Allow: 'POST' };
  return { status: 405, headers, body: html };
}

interface NotSignedIn {
  readonly fault: string;
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly isBadCredential?: true;
}

const WRONG = { status: 401, isBadCredential: true } as const;

async function signInWith(
  form: Parameters,
  { remote, signal }: OAuthRequest,
  { signIn, authenticate }: ConsentParts,
): Promise<{ readonly caller: Caller } | NotSignedIn> {
  const [token, email, password] = ['token', 'email', 'password'].map((name) => form.get(name));
  if (token !== undefined) {
    const found = await authenticate({ token: token.trim(), claimedAgent: undefined, remote, isOfSession: true });
    // An agent's token, or a user's, decides nothing here.
    if (found.ok && found.value.kind === 'operator') return { caller: found.value };
    if (!found.ok && found.failure === 'unavailable') throw new StoreUnavailable('The store is away');
    return { fault: 'This is not the token of the operator.', ...WRONG };
  }
  if (email === undefined || password === undefined)
    return { fault: 'Sign in with your email and password, or with the operator token.', status: 400 };
  const found = await signIn({ email, password: password.normalize('NFC') }, { remote, signal });
  if (found.ok) return { caller: found.value };
  if (found.failure === 'unavailable') throw new StoreUnavailable('The store is away');
  if (found.failure === 'wrong') return { fault: 'The email or the password is wrong.', ...WRONG };
  return tooManyTries(found.failure.retryAfter);
}

const tooManyTries = (seconds: number): NotSignedIn => ({
  fault: `There were too many tries. Wait ${seconds} seconds, then try again.`,
  status: 429,
  headers: { 'Retry-After': String(seconds) },
});

async function allow(
  request: AuthorizationRequest,
  caller: Caller,
  { origin }: OAuthRequest,
  parts: ConsentParts,
): Promise<OAuthReply> {
  const { client, redirectUri, challenge, resource } = request;
  // It may have been taken out while the page was open.
  if (client.kind === 'dynamic' && (await parts.store.findClient(client.id, parts.now())) === undefined)
    throw new OAuthError('invalid_client', `the client was revoked while this page was open; ${CONNECT_AGAIN}`);
  const grantor = grantorOf(caller, parts.operatorKey());
  const scopes = request.scopes.filter((scope) => mayGrant(caller, scope));
  if (scopes.length === 0)
    return goBack(request, origin, { error: 'invalid_scope', error_description: 'the person has none of the scopes' });
  const code = createCode();
  const at = parts.now();
  await parts.store.consent({
    client,
    grantor,
    scopes,
    resource,
    code: { digest: digestOf(code), redirectUri, challenge },
    at,
    codeExpiresAt: new Date(at.getTime() + CODE_SECONDS * 1_000),
    actor: actorOf(caller),
  });
  return goBack(request, origin, { code });
}

function grantorOf({ kind, name }: Caller, operatorKey: string | undefined): Grantor {
  if (kind === 'user') return { kind: 'user', userId: name };
  if (operatorKey === undefined) throw new OAuthError('access_denied', 'this server has no operator token');
  return { kind: 'operator', key: operatorKey };
}

interface Told {
  readonly code?: string;
  readonly error?: OAuthErrorCode;
  readonly error_description?: string;
}

/** With who sends it (RFC 9207), so that a client of several servers cannot be misled. */
const goBack = ({ redirectUri, state }: Destination, issuer: string, told: Told): OAuthReply => ({
  status: 303,
  headers: {
    Location: withParameters(redirectUri, { ...told, state, iss: issuer }),
    'Content-Type': 'text/plain; charset=utf-8',
  },
  body: '',
});
