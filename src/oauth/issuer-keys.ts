// The keys of another issuer (O6): found by what it says of itself, fetched with the first token, and again when a token names
// one that is not among them.
import {
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  errors,
  type JSONWebKeySet,
  type JWTVerifyGetKey,
} from 'jose';
import { monotonicMs } from '../async/monotonic-clock.ts';
import { createLocalWindow } from '../limits/rate-window.ts';
import { isRecord } from '../values/is-record.ts';

/** Longer than a request waits (see `createForeignTokens`): what comes later is there for the next one. */
const FETCH_MS = 5_000;
const COOL_DOWN_MS = 30_000;
const KEYS_MS = 600_000;
const MOST_BYTES = 262_144;
/** Keys that are rotated are seen at once, and after five seconds where made-up keys have used that up. */
const EARLY = { key: 'early', perMinute: 6 };
const EARLY_MS = 5_000;
/** Anyone can send what looks like a token: an issuer that is away is not asked again for each of them. */
const REST_MS = 1_000;

type FetchKeys = (options: RequestInit) => Promise<Response>;

export function createIssuerKeys(issuer: string): JWTVerifyGetKey {
  const fetchKeys = withRests(createKeysFetch(issuer));
  let fetchedMs = Number.NEGATIVE_INFINITY;
  const ageMs = () => monotonicMs() - fetchedMs;
  // The address is the issuer's: where the keys are is found with each fetch.
  const keys = createRemoteJWKSet(new URL(issuer), {
    timeoutDuration: FETCH_MS,
    cooldownDuration: COOL_DOWN_MS,
    // It goes by a clock that may be set back: see below.
    cacheMaxAge: Number.POSITIVE_INFINITY,
    [customFetch]: async (_issuer, options) => {
      const answer = await fetchKeys(options);
      fetchedMs = monotonicMs();
      return answer;
    },
  });
  const early = createLocalWindow(monotonicMs);
  const mayAskEarly = () => keys.reloading || early.take([EARLY]) === undefined || ageMs() >= EARLY_MS;
  return async (header, token) => {
    // Before they are fetched: a key that is not among those that have just come is asked for no second time.
    const wasAskedLately = keys.coolingDown;
    if (ageMs() >= KEYS_MS) await keys.reload();
    try {
      return await keys(header, token);
    } catch (error) {
      const isUnknown = error instanceof errors.JWKSNoMatchingKey && wasAskedLately;
      if (!isUnknown || !mayAskEarly()) throw error;
      await keys.reload();
      return keys(header, token);
    }
  };
}

/** For a second after a failure it fails in the same way, and does nothing. */
function withRests(fetchKeys: FetchKeys): FetchKeys {
  let failed: { readonly error: unknown; readonly atMs: number } | undefined;
  return async (options) => {
    if (failed !== undefined && monotonicMs() - failed.atMs < REST_MS) throw failed.error;
    try {
      return await fetchKeys(options);
    } catch (error) {
      failed = { error, atMs: monotonicMs() };
      throw error;
    }
  };
}

/** Where they are is asked each time: an issuer may publish them elsewhere, and leave the old ones where they were. */
function createKeysFetch(issuer: string): FetchKeys {
  let place: URL | undefined;
  return async (options) => {
    place = await findKeysUrl(issuer).catch((error: unknown) => {
      if (place === undefined) throw error;
      return place;
    });
    return fetchKeySet(place, options);
  };
}

/** Rejects where the answer is no key set. */
async function fetchKeySet({ href }: URL, options: RequestInit): Promise<Response> {
  const answer = await fetchSmall(href, options);
  if (answer.status !== 200) throw new errors.JWKSInvalid('The issuer answered without its keys');
  // It throws where it is none.
  createLocalJWKSet((await answer.clone().json()) as JSONWebKeySet);
  return answer;
}

/** RFC 8414 puts its path before that of the issuer, OpenID Connect behind it. */
async function findKeysUrl(issuer: string): Promise<URL> {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  const places = [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
  ];
  for (const place of places) {
    const url = await readKeysUrl(place, issuer).catch(() => undefined); // An issuer that knows one place alone may answer anything at the other.
    if (url !== undefined) return url;
  }
  throw new Error('The issuer does not describe itself');
}

async function readKeysUrl(place: string, issuer: string): Promise<URL | undefined> {
  const answer = await fetchSmall(place, { signal: AbortSignal.timeout(FETCH_MS) });
  const value: unknown = answer.ok ? await answer.json() : undefined;
  if (!isRecord(value) || value.issuer !== issuer || typeof value.jwks_uri !== 'string') return undefined;
  const url = new URL(value.jwks_uri);
  // One who could change the keys on their way could sign anything.
  return url.protocol === 'https:' || url.protocol === new URL(issuer).protocol ? url : undefined;
}

/** No redirect, and no more than a description needs. */
async function fetchSmall(url: string, options: RequestInit): Promise<Response> {
  const answer = await fetch(url, { ...options, redirect: 'error' });
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of answer.body ?? []) {
    bytes += piece.length;
    if (bytes > MOST_BYTES) throw new Error('The answer of the issuer is too long');
    pieces.push(piece);
  }
  return new Response(Buffer.concat(pieces), { status: answer.status, headers: answer.headers });
}
