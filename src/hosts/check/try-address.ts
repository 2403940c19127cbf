// Talks to the server at an address as a host would: asks for its tools, and who it takes the token's owner for.
import { scrubShapes } from '../../text/credentials.ts';
import { toOneLine } from '../../text/one-line.ts';
import { codeOf } from '../../values/error-code.ts';
import { isRecord } from '../../values/is-record.ts';
import { fail, ok, type Result } from '../../values/result.ts';
import type { Attempt, Obstacle } from './attempt.ts';
import { findAnswer, meetServer, notMcp, PROTOCOL_VERSION, type ServerLine, saidText } from './meet-server.ts';
import type { AddressTarget } from './read-target.ts';

export interface AddressPlace {
  readonly version: string;
  readonly limitMs: number;
}

export async function tryAddress(target: AddressTarget, { version, limitMs }: AddressPlace): Promise<Attempt> {
  const visit = openVisit(target, AbortSignal.timeout(limitMs), limitMs);
  const met = await meetServer(visit.line, version);
  await visit.leave();
  if (!met.ok || met.value.name !== 'repertoire') return met;
  return ok({ ...met.value, caller: await visit.findCaller() });
}

export interface FoundAddress {
  /** The given address, or the one that was meant. */
  readonly url: string;
  readonly attempt: Attempt;
}

/** The address of a server is not yet that of its endpoint: where nothing is behind the one, the other is tried. */
export async function findAddress(target: AddressTarget, place: AddressPlace): Promise<FoundAddress> {
  const [first = target.url, ...others] = likelyAddresses(target.url);
  const attempt = await tryAddress({ ...target, url: first }, place);
  if (attempt.ok || attempt.failure.cause !== 'no-endpoint') return { url: first, attempt };
  for (const url of others) {
    const other = await tryAddress({ ...target, url }, place);
    if (other.ok || other.failure.cause !== 'no-endpoint') return { url, attempt: other };
  }
  return { url: first, attempt };
}

/** Likeliest first. `/mcp` is where `repertoire serve` has it. */
export function likelyAddresses(given: string): readonly string[] {
  const at = (path: string) => Object.assign(new URL(given), { pathname: path }).href;
  const { pathname } = new URL(given);
  const path = pathname.replace(/\/+$/, '');
  if (path === '') return [at('/mcp'), given];
  if (path.endsWith('/mcp')) return path === pathname ? [given] : [at(path), given];
  return [given, at(`${path}/mcp`)];
}

interface Visit {
  readonly line: ServerLine;
  /** Ends the session, if there is one. */
  leave(): Promise<void>;
  findCaller(): Promise<string | undefined>;
}

function openVisit({ url, headers, unset }: AddressTarget, signal: AbortSignal, limitMs: number): Visit {
  let session: Readonly<Record<string, string>> = {};
  let lastId = 0;
  // Redirects are not followed: a token goes to the address that was named, and to no other.
  const request = (to: string | URL, init: RequestInit, added: AddressTarget['headers'] = {}) =>
    fetch(to, { ...init, headers: { ...headers, ...added }, redirect: 'manual', signal });
  const post = (message: object) =>
    request(
      url,
      { method: 'POST', body: JSON.stringify({ jsonrpc: '2.0', ...message }) },
      { ...session, 'Content-Type': 'application/json', Accept: ACCEPT },
    );
  const reach = async <T>(work: () => Promise<Result<T, Obstacle>>): Promise<Result<T, Obstacle>> => {
    try {
      return await work();
    } catch (error) {
      return fail(explain(error, url, limitMs));
    }
  };
  /** The metadata of the endpoint names who gives tokens away (RFC 9728). */
  const offersSignIn = async (): Promise<boolean> => {
    const { origin, pathname } = new URL(url);
    const asked = await reach(async () =>
      ok(await issuersIn(await request(`${origin}/.well-known/oauth-protected-resource${pathname}`, {}))),
    );
    return asked.ok && asked.value;
  };
  return {
    line: {
      request: (method, params) =>
        reach(async () => {
          lastId += 1;
          const response = await post({ id: lastId, method, params });
          if (response.status === 401 && !hasCredential(headers) && unset === undefined && (await offersSignIn()))
            return fail(signInNeeded);
          if (response.status !== 200) return fail(await refusal(response, hasCredential(headers), unset));
          const id = response.headers.get('mcp-session-id');
          if (id !== null) session = { 'Mcp-Session-Id': id, 'MCP-Protocol-Version': PROTOCOL_VERSION };
          return readAnswer(response, lastId);
        }),
      notify: async (method) => void (await reach(async () => ok(await discard(await post({ method }))))),
    },
    leave: async () => {
      if (session['Mcp-Session-Id'] === undefined) return;
      await reach(async () => ok(await discard(await request(url, { method: 'DELETE' }, session))));
    },
    findCaller: async () => {
      const asked = await reach(async () => ok(await callerIn(await request(new URL('api/me', url), {}))));
      return asked.ok ? asked.value : undefined;
    },
  };
}

const ACCEPT = 'application/json, text/event-stream';

const hasCredential = (headers: AddressTarget['headers']): boolean =>
  Object.keys(headers).some((name) => name.toLowerCase() === 'authorization');

/** The connection is used again only when the answer was taken. */
const discard = async (response: Response): Promise<void> => void (await response.arrayBuffer());

async function callerIn(response: Response): Promise<string | undefined> {
  const me = response.ok ? parseJson((await readText(response, () => false)) ?? '') : await discard(response);
  if (!isRecord(me) || typeof me.kind !== 'string' || typeof me.name !== 'string') return undefined;
  return me.kind === 'operator' ? 'the operator' : `the ${toOneLine(me.kind, 20)} "${toOneLine(me.name, 64)}"`;
}

async function issuersIn(response: Response): Promise<boolean> {
  const metadata = response.ok ? parseJson((await readText(response, () => false)) ?? '') : await discard(response);
  return (
    isRecord(metadata) && Array.isArray(metadata.authorization_servers) && metadata.authorization_servers.length > 0
  );
}

/** More than any list of tools. */
const MOST_TEXT = 16 * 1024 * 1024;

/** `undefined`: it is too long. `isEnough`: the rest is not waited for. */
async function readText(response: Response, isEnough: (text: string) => boolean): Promise<string | undefined> {
  let text = '';
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    if (text.length > MOST_TEXT) return undefined;
    if (isEnough(text)) break;
  }
  return text;
}

async function readAnswer(response: Response, id: number): Promise<Result<unknown, Obstacle>> {
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  const messagesIn = (text: string) => (isStream ? eventsIn(text) : [parseJson(text)]);
  // A stream may stay open after the answer.
  const text = await readText(response, (soFar) => isStream && findAnswer(messagesIn(soFar), id) !== undefined);
  const answer = text === undefined ? undefined : findAnswer(messagesIn(text), id);
  return answer ?? fail(isStream ? notMcp() : noEndpoint('something else answers there'));
}

const eventsIn = (text: string): readonly unknown[] =>
  text
    .split(/\r?\n\r?\n/)
    .slice(0, -1)
    .map((event) => parseJson(event.replace(/^data: ?/gm, '').replace(/^(?:event|id|retry):.*$/gm, '')));

/** `undefined`: it is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}

const noEndpoint = (reason: string): Obstacle => ({
  cause: 'no-endpoint',
  message: `Cannot find an MCP server at the address: ${reason}`,
});

async function refusal(response: Response, hasToken: boolean, unset: string | undefined): Promise<Obstacle> {
  const { status } = response;
  if (status >= 300 && status < 400) return redirected(response);
  const said = sentenceIn(parseJson((await readText(response, (text) => text.length > 100_000)) ?? ''));
  if (status === 401) return hasToken ? rejected : tokenMissing(unset);
  if (status === 403) return { cause: 'forbidden', message: `The server refuses the request (403)${said}` };
  if (status === 429 || status >= 500)
    return { cause: 'unavailable', message: `The server cannot answer now (${status})${said}` };
  return noEndpoint(`the server answers ${status}`);
}

const rejected: Obstacle = {
  cause: 'token-rejected',
  message: 'The server rejects the token (401): it is mistyped, expired or revoked, or belongs to another server',
};

const signInNeeded: Obstacle = {
  cause: 'sign-in-needed',
  message: 'The server asks to sign in by OAuth (401), and the entry has no token',
};

const tokenMissing = (unset: string | undefined): Obstacle => ({
  cause: 'token-missing',
  message:
    unset === undefined
      ? 'The server needs a token (401), and the entry has none'
      : `The server needs a token (401): the entry takes it from ${toOneLine(unset, 80)}, which is not set here`,
});

function redirected(response: Response): Obstacle {
  const to = response.headers.get('location') ?? '';
  const target = URL.canParse(to, response.url) ? new URL(to, response.url) : undefined;
  const where = target === undefined ? '' : ` to ${scrubShapes(target.origin + target.pathname)}`;
  return { cause: 'redirected', message: `The address redirects${where}; hosts do not send a token there` };
}

/** In the form of our API, or of JSON-RPC. */
function sentenceIn(body: unknown): string {
  if (!isRecord(body)) return '';
  const text = isRecord(body.error) ? body.error.message : body.failure_message;
  return typeof text === 'string' ? `: ${saidText(text)}` : '';
}

function explain(error: unknown, url: string, limitMs: number): Obstacle {
  const { host } = new URL(url);
  const isLate = error instanceof Error && error.name === 'TimeoutError';
  if (isLate) return { cause: 'timed-out', message: `${host} did not answer within ${limitMs / 1_000} seconds` };
  const code = networkCode(error);
  if (code === undefined) throw error;
  const reason = REASONS[code];
  const cause = /CERT|SIGNATURE|TLS|EPROTO|SSL/.test(code) ? 'certificate' : 'unreachable';
  return { cause, message: `Cannot reach ${host}: ${reason ?? `the connection failed (${code})`}` };
}

/** `fetch` keeps it behind its own error; of several addresses each has its own. */
function networkCode(error: unknown): string | undefined {
  if (!(error instanceof TypeError)) return undefined;
  const { cause } = error;
  const code = codeOf(cause) ?? (cause instanceof AggregateError ? codeOf(cause.errors[0]) : undefined);
  return code ?? (cause instanceof Error ? toOneLine(cause.message, 80) : 'no connection');
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'no server is running there',
  ECONNRESET: 'the connection was closed',
  UND_ERR_SOCKET: 'the connection was closed',
  ENOTFOUND: 'there is no host of that name',
  EAI_AGAIN: 'the host name cannot be looked up now',
  EHOSTUNREACH: 'the host is unreachable',
  ENETUNREACH: 'the network is unreachable',
  // What `fetch`, and so most hosts, say of ports that other protocols have.
  'bad port': 'programs refuse to use that port; choose another',
  ETIMEDOUT: 'it does not answer',
  UND_ERR_CONNECT_TIMEOUT: 'it does not answer',
  EPROTO: 'it does not speak https; try http',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak https; try http',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is self-signed',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate cannot be verified',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
};
