// Tokens of an issuer that the operator named (O6): JWTs, checked with the keys that it publishes, by asymmetric algorithms
// alone. Roles come from a claim; scopes restrict where the token has any of ours.
import { createHash } from 'node:crypto';
import { createRemoteJWKSet, customFetch, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { keptPromise } from '../async/kept-promise.ts';
import { isAgentName, toScopes } from '../identity/agents.ts';
import type { Authentication } from '../identity/authentication.ts';
import { agentCaller, EVERY_SKILL } from '../identity/caller.ts';
import { toOAuthScopes } from '../identity/oauth.ts';
import { toOneLine } from '../text/one-line.ts';
import { isRecord } from '../values/is-record.ts';
import { fail, ok } from '../values/result.ts';

export interface IssuerParts {
  readonly issuer: string;
  readonly audience: string;
  readonly roleClaim: string;
}

const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];
const LEEWAY_SECONDS = 60;
const MOST_NAME = 64;
/** As OpenID Connect limits it. */
const MOST_SUBJECT = 255;
const MOST_ROLES = 100;
/** A look takes less than a request may wait (H6). */
const FETCH_MS = 1_200;
const COOL_DOWN_MS = 30_000;
const KEYS_MS = 600_000;
const MOST_BYTES = 262_144;

const BAD: Authentication = fail('bad');
const AWAY: Authentication = fail('issuer-away');

/** Never rejects. */
export function createIssuerTokens(parts: IssuerParts): (token: string) => Promise<Authentication> {
  const keys = keptPromise(() => openKeys(parts.issuer));
  return async (token) => {
    const found = await keys.get().catch(() => undefined);
    if (found === undefined) return AWAY;
    try {
      const { payload } = await jwtVerify(token, found, {
        issuer: parts.issuer,
        audience: parts.audience,
        algorithms: ALGORITHMS,
        clockTolerance: LEEWAY_SECONDS,
        requiredClaims: ['exp', 'sub'],
      });
      return toCaller(payload, parts);
    } catch (error) {
      // What the token is not, or has not, is its fault; that its keys cannot be had is not.
      const isBad =
        error instanceof errors.JOSEError &&
        !(error instanceof errors.JWKSTimeout) &&
        error.code !== 'ERR_JOSE_GENERIC';
      return isBad ? BAD : AWAY;
    }
  };
}

async function openKeys(issuer: string): Promise<JWTVerifyGetKey> {
  const metadata = await findMetadata(issuer);
  if (metadata.issuer !== issuer || typeof metadata.jwks_uri !== 'string')
    throw new Error('The issuer does not describe itself');
  return createRemoteJWKSet(new URL(metadata.jwks_uri), {
    timeoutDuration: FETCH_MS,
    cooldownDuration: COOL_DOWN_MS,
    cacheMaxAge: KEYS_MS,
    [customFetch]: (url, options) => fetchSmall(url, options),
  });
}

/** RFC 8414 puts its path before that of the issuer, OpenID Connect behind it. */
async function findMetadata(issuer: string): Promise<Readonly<Record<string, unknown>>> {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  const places = [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
  ];
  for (const place of places) {
    const answer = await fetchSmall(place, { signal: AbortSignal.timeout(FETCH_MS) });
    const value: unknown = answer.ok ? await answer.json() : undefined;
    if (isRecord(value)) return value;
  }
  throw new Error('The issuer does not describe itself');
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

/** An agent in the roles of the claim. `*` opens everything: no issuer may say it. */
function toCaller(payload: JWTPayload, { roleClaim }: IssuerParts): Authentication {
  // What the types promise of them is not checked where they are verified.
  const { sub, exp }: { readonly sub?: unknown; readonly exp?: unknown } = payload;
  if (typeof sub !== 'string' || sub.length > MOST_SUBJECT || !Number.isFinite(exp)) return BAD;
  const name = nameOf(sub);
  if (name === '') return BAD;
  const roles = textsIn(payload[roleClaim]).filter((role) => role !== EVERY_SKILL && isAgentName(role));
  const given = [...textsIn(payload.scope), ...textsIn(payload.scp)];
  const scopes = toOAuthScopes(given);
  const client = nameOf(String(payload.client_id ?? payload.azp ?? 'another issuer'));
  return ok({
    ...agentCaller(name, roles.slice(0, MOST_ROLES), toScopes(scopes)),
    // Another than an agent of ours that bears its name.
    via: { client, clientId: client, person: `issuer:${name}`, scopes: scopes.length === 0 ? undefined : scopes },
  });
}

const MARK_LENGTH = 12;

/** One safe line. What had to be changed for that is marked, so that no two are called the same. */
function nameOf(text: string): string {
  const line = toOneLine(text, MOST_NAME);
  if (line === text || line === '') return line;
  const mark = createHash('sha256').update(text).digest('hex').slice(0, MARK_LENGTH);
  return `${toOneLine(text, MOST_NAME - MARK_LENGTH - 1)}~${mark}`;
}

/** A list, or words with blanks between them. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return value.split(/[ ,]+/).filter(Boolean);
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}
