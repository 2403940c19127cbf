// The authorization server as requests and answers (O2): each path, what it takes, and how a fault is told. All state is in the
// store, so that each request may come to another replica (O8). Loaded with the first such request.
import { randomUUID } from 'node:crypto';
import { keptPromise } from '../async/kept-promise.ts';
import type { Authenticate, SignIn } from '../identity/authentication.ts';
import type { OAuthClient, OAuthStore } from '../identity/oauth.ts';
import type { PeopleStore } from '../identity/people.ts';
import { randomText } from '../identity/token.ts';
import type { SecretStore } from '../identity/user-tokens.ts';
import { StoreUnavailable } from '../skills/record/invocation-log.ts';
import { createClientDocuments, isDocumentId } from './client-documents.ts';
import { readClientMetadata, registrationAnswer } from './client-registration.ts';
import { type ConsentParts, decide, showConsent } from './consent.ts';
import { faultPage } from './consent-page.ts';
import { answerTokenRequest } from './grants.ts';
import * as paths from './metadata.ts';
import { OAuthError, STATUS } from './oauth-error.ts';
import { readParameters } from './parameters.ts';
import { createRegistrations } from './registrations.ts';
import { answerRevocation } from './revocation.ts';

/** A request to one of the paths of the authorization server. */
export interface OAuthRequest {
  readonly method: string;
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
  /** Of the other end, as its network: what registrations are counted by. */
  readonly peer: string;
  readonly remote: boolean;
  /** What this server is called by who asks: `https://skills.example.com`. */
  readonly origin: string;
  readonly signal: AbortSignal;
  /** It brought a credential that is none. Seconds to wait, when there were too many before it. */
  readonly noteBad: () => Promise<number | undefined>;
}

export interface OAuthReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface OAuthServerParts {
  readonly store: OAuthStore;
  readonly secrets: SecretStore;
  readonly findPerson: PeopleStore['find'];
  readonly signIn: SignIn;
  readonly authenticate: Authenticate;
  readonly operatorKey: () => string | undefined;
  readonly schemes: readonly string[];
  readonly allowLoopbackClients: boolean;
  /** Whether a token for this resource is one for us. */
  readonly isOwnResource: (resource: string) => boolean;
  /** Something was revoked here. */
  readonly onRevoked: () => void;
  readonly now: () => Date;
  readonly monotonicMs: () => number;
}

export type AnswerOAuth = (request: OAuthRequest) => Promise<OAuthReply>;

interface Server extends OAuthServerParts {
  readonly consent: ConsentParts;
  readonly register: OAuthStore['register'];
}

export function createOAuthServer(parts: OAuthServerParts): AnswerOAuth {
  const fetchDocument = createClientDocuments({ ...parts, allowLoopback: parts.allowLoopbackClients });
  const findClient = async (id: string, peer: string): Promise<OAuthClient> => {
    const client = isDocumentId(id) ? await fetchDocument(id, peer) : await parts.store.findClient(id, parts.now());
    if (client === undefined) throw new OAuthError('invalid_client', UNKNOWN);
    return client;
  };
  // All replicas have the same.
  const key = keptPromise(() => parts.secrets.getOrAdd('oauth-consent-key', randomText));
  const consent = { ...parts, findClient, key: key.get };
  const server: Server = { ...parts, consent, register: createRegistrations(parts) };
  return async (request) => {
    const route = ROUTES[request.path as keyof typeof ROUTES];
    try {
      const reply = await route.answer(request, server);
      return route.isPage ? { ...reply, headers: { ...OF_PAGES, ...reply.headers } } : reply;
    } catch (error) {
      return answerFault(error, request, route.isPage);
    }
  };
}

const UNKNOWN =
  'this server does not know the client: it was revoked, or got no consent within an hour; connect again from the client';

const OF_PAGES = {
  // A host that opens the page in a window of its own would lose hold of that window, and never learn how it ended.
  'Cross-Origin-Opener-Policy': 'unsafe-none',
  'X-Frame-Options': 'DENY',
};

type Route = {
  /** A person sees its answer. */
  readonly isPage: boolean;
  readonly answer: (request: OAuthRequest, server: Server) => OAuthReply | Promise<OAuthReply>;
};

const ROUTES = {
  [paths.METADATA_PATH]: { isPage: false, answer: ({ origin }) => json(200, paths.serverMetadata(origin)) },
  [paths.AUTHORIZE_PATH]: { isPage: true, answer: (request, { consent }) => showConsent(request, consent) },
  [paths.CONSENT_PATH]: { isPage: true, answer: (request, { consent }) => decide(request, consent) },
  [paths.TOKEN_PATH]: { isPage: false, answer: answerToken },
  [paths.REVOKE_PATH]: { isPage: false, answer: revoke },
  [paths.REGISTER_PATH]: { isPage: false, answer: register },
} as const satisfies Record<keyof typeof paths.METHODS, Route>;

async function answerToken({ body, headers }: OAuthRequest, parts: Server): Promise<OAuthReply> {
  const { authorization } = headers;
  const given = typeof authorization === 'string' ? authorization : undefined;
  return json(200, await answerTokenRequest(readParameters(body), given, parts), { Pragma: 'no-cache' });
}

async function revoke({ body }: OAuthRequest, parts: Server): Promise<OAuthReply> {
  await answerRevocation(readParameters(body), parts);
  return json(200, {});
}

async function register({ body, peer }: OAuthRequest, server: Server): Promise<OAuthReply> {
  const at = server.now();
  const said = readClientMetadata(parseJson(body), server.schemes);
  const client: OAuthClient = { id: randomUUID(), kind: 'dynamic', ...said };
  if ((await server.register(client, peer, at)) === 'busy')
    return json(429, errorBody('temporarily_unavailable', 'too many clients were registered; try again in an hour'), {
      'Retry-After': '3600',
    });
  return json(201, registrationAnswer(client, at));
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch (error) {
    if (error instanceof SyntaxError) throw new OAuthError('invalid_client_metadata', 'the body is not valid JSON');
    throw error;
  }
}

const errorBody = (error: string, description: string) => ({ error, error_description: description });

const BASIC = 'Basic realm="Repertoire"';
const AWAY = 'the database of this server is away; try again in a moment';

/** What is no fault of the request is one of ours, and thrown on. */
function answerFault(error: unknown, { headers: given }: OAuthRequest, isPage: boolean): OAuthReply {
  const isAway = error instanceof StoreUnavailable;
  if (!isAway && !(error instanceof OAuthError)) throw error;
  const [code, sentence] = isAway ? (['temporarily_unavailable', AWAY] as const) : [error.code, error.message];
  const status = STATUS[code];
  const wait = status === 503 ? { 'Retry-After': '5' } : {};
  // RFC 6749, 5.2: a client that said who it is in a header is told so in a header.
  const challenge = status === 401 && given.authorization !== undefined && { 'WWW-Authenticate': BASIC };
  if (!isPage) return json(status, errorBody(code, sentence), { ...wait, ...challenge });
  const page = faultPage(sentence, code);
  const headers = { ...OF_PAGES, 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': page.policy };
  return { status: status === 401 ? 400 : status, headers, body: page.html };
}

const json = (status: number, value: object, headers: Readonly<Record<string, string>> = {}): OAuthReply => ({
  status,
  headers: { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store', ...headers },
  body: JSON.stringify(value),
});
