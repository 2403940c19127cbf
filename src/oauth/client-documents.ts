// Clients whose id is the address of their description (O9). It is fetched over https from the open net alone: the name is
// resolved once, every address that it has is looked at, and the connection goes to one of exactly those. No redirect is
// followed, and little is read.
import { lookup as systemLookup } from 'node:dns';
import { type ClientRequest, request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { createBoundedMap } from '../async/bounded-map.ts';
import type { OAuthClient } from '../identity/oauth.ts';
import { readClientMetadata } from './client-registration.ts';
import { OAuthError } from './oauth-error.ts';
import { isPublicAddress } from './public-address.ts';

export interface DocumentParts {
  /** Schemes of programs that the operator listed, for redirect URIs. */
  readonly schemes: readonly string[];
  /** `--allow-loopback-clients`: http on this machine, too, for tests. */
  readonly allowLoopback: boolean;
  readonly monotonicMs: () => number;
  /** For tests; the system's when absent. */
  readonly resolve?: typeof systemLookup;
}

const LIMIT_MS = 5_000;
const MOST_BYTES = 65_536;
const MOST_ID = 1_024;
/** How long a description is used before it is fetched again, and how long a bad one is not fetched again. */
const GOOD_MS = 5 * 60_000;
const BAD_MS = 5_000;
const MOST_KEPT = 1_000;
/** Anyone can make us ask: so many at once, of one network and in all, and no more. */
const MOST_OF_ONE = 4;
const MOST_AT_ONCE = 32;

interface Kept {
  readonly found: Promise<OAuthClient>;
  until: number;
}

/** Looks like the address of a description: whether it is a good one is another question. */
export const isDocumentId = (id: string): boolean => /^https?:\/\//i.test(id);

/** Rejects with an OAuthError. `peer`: the network of who asks. */
export function createClientDocuments(parts: DocumentParts): (id: string, peer: string) => Promise<OAuthClient> {
  const kept = createBoundedMap<string, Kept>({ most: MOST_KEPT });
  const running: string[] = [];
  return (id, peer) => {
    const fault = documentIdFault(id, parts.allowLoopback);
    if (fault !== undefined) return Promise.reject(new OAuthError('invalid_client', `client_id ${fault}`));
    const known = kept.get(id);
    if (known !== undefined && parts.monotonicMs() < known.until) return known.found;
    if (running.length >= MOST_AT_ONCE || running.filter((each) => each === peer).length >= MOST_OF_ONE)
      return Promise.reject(new OAuthError('temporarily_unavailable', 'too many clients are being looked up'));
    running.push(peer);
    const found = loadDocument(new URL(id), parts).finally(() => {
      running.splice(running.indexOf(peer), 1);
    });
    const entry: Kept = { found, until: parts.monotonicMs() + GOOD_MS };
    found.catch(() => {
      entry.until = parts.monotonicMs() + BAD_MS;
    });
    kept.set(id, entry);
    return found;
  };
}

/** Ends the sentence "client_id …". */
export function documentIdFault(id: string, allowLoopback: boolean): string | undefined {
  if (id.length > MOST_ID || !URL.canParse(id)) return 'is no address';
  const url = new URL(id);
  // Spelt in one way only: what is compared is what is fetched.
  if (url.href !== id || id.includes('#')) return 'must be an address in its plain spelling, without a fragment';
  if (url.username !== '' || url.password !== '') return 'must not have a user or a password';
  if (url.pathname === '/') return 'must have a path';
  if (url.protocol === 'https:') return undefined;
  return allowLoopback && isLoopbackUrl(url) ? undefined : 'must be an https address';
}

const isLoopbackUrl = ({ protocol, hostname }: URL): boolean =>
  protocol === 'http:' && /^(?:127\.0\.0\.1|\[::1\]|localhost)$/.test(hostname);

async function loadDocument(url: URL, parts: DocumentParts): Promise<OAuthClient> {
  const text = await download(url, parts);
  const value = parseJson(text);
  const said = (value as { readonly client_id?: unknown } | undefined)?.client_id;
  if (said !== url.href)
    throw new OAuthError('invalid_client', 'the description of the client names another client_id than its address');
  if (hasSecret(value as Readonly<Record<string, unknown>>))
    // It has a client_id.
    throw new OAuthError('invalid_client', 'a client that is described at an address has no secret');
  return { id: url.href, kind: 'document', ...readClientMetadata(value, parts.schemes) };
}

/** Everyone can read it. */
const hasSecret = ({ client_secret: secret, token_endpoint_auth_method: method }: Readonly<Record<string, unknown>>) =>
  secret !== undefined || (typeof method === 'string' && method.startsWith('client_secret'));

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError)
      throw new OAuthError('invalid_client', 'the description of the client is no JSON');
    throw error;
  }
}

function download(url: URL, { allowLoopback, resolve = systemLookup }: DocumentParts): Promise<string> {
  const isLoopback = allowLoopback && isLoopbackUrl(url);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  // An address is never looked up: it is looked at here.
  if (!isLoopback && isIP(host) !== 0 && !isPublicAddress(host)) return Promise.reject(cannotFetch());
  const signal = AbortSignal.timeout(LIMIT_MS);
  const headers = { Accept: 'application/json', 'User-Agent': 'repertoire' };
  const options = {
    method: 'GET',
    agent: false,
    signal,
    headers,
    lookup: isLoopback ? onlyLoopback : onlyPublic(resolve),
  };
  return new Promise((done, refuse) => {
    const asked = (isLoopback ? plainRequest : secureRequest)(url, options);
    asked.once('error', () => refuse(cannotFetch()));
    asked.once('response', (response) => {
      const type = String(response.headers['content-type'] ?? '');
      if (response.statusCode !== 200 || !/^application\/(?:[\w.+-]+\+)?json\b/i.test(type))
        return giveUp(asked, () => refuse(cannotFetch()));
      const pieces: Buffer[] = [];
      let bytes = 0;
      response.on('data', (piece: Buffer) => {
        bytes += piece.length;
        if (bytes > MOST_BYTES) giveUp(asked, () => refuse(cannotFetch()));
        else pieces.push(piece);
      });
      response.once('error', () => refuse(cannotFetch()));
      response.once('end', () => done(Buffer.concat(pieces).toString()));
    });
    asked.end();
  });
}

function giveUp(asked: ClientRequest, refuse: () => void): void {
  refuse();
  asked.destroy();
}

/** One sentence whatever the reason: what answers inside is not told to the outside. */
const cannotFetch = () =>
  new OAuthError(
    'invalid_client',
    'the description of the client cannot be fetched; this server must reach its address by https',
  );

/** Every address must be of the open net: with one that is not, the name is none that may be asked. */
const onlyPublic =
  (resolve: typeof systemLookup): LookupFunction =>
  (hostname, options, callback) =>
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      const found = addresses ?? [];
      if (error !== null || found.length === 0 || !found.every(({ address }) => isPublicAddress(address)))
        return callback(error ?? new Error('No address of the open net'), '', 4);
      if (options.all === true) return callback(null, found);
      const [{ address, family }] = found as [(typeof found)[number]]; // There is one, see above.
      callback(null, address, family);
    });

const onlyLoopback: LookupFunction = (hostname, options, callback) => {
  const address = hostname === '::1' ? '::1' : '127.0.0.1';
  const family = address === '::1' ? 6 : 4;
  if (options.all === true) callback(null, [{ address, family }]);
  else callback(null, address, family);
};
