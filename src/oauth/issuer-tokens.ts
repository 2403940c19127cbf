// Tokens of an issuer that the operator named (O6): JWTs, checked with the keys that it publishes, by asymmetric algorithms
// alone. Roles come from a claim; scopes restrict where the token has any of ours.
import { createHash } from 'node:crypto';
import { errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { isAgentName, toScopes } from '../identity/agents.ts';
import type { Authentication } from '../identity/authentication.ts';
import { agentCaller, EVERY_SKILL } from '../identity/caller.ts';
import { toOAuthScopes } from '../identity/oauth.ts';
import { toOneLine } from '../text/one-line.ts';
import { fail, ok } from '../values/result.ts';
import { createIssuerKeys } from './issuer-keys.ts';

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
const BAD: Authentication = fail('bad');
const AWAY: Authentication = fail('issuer-away');

/** Never rejects. */
export function createIssuerTokens(parts: IssuerParts): (token: string) => Promise<Authentication> {
  const keys = createIssuerKeys(parts.issuer);
  return async (token) => {
    try {
      return toCaller(await verify(token, keys, parts), parts);
    } catch (error) {
      return isFaultOfToken(error) ? BAD : AWAY;
    }
  };
}

async function verify(token: string, keys: JWTVerifyGetKey, { issuer, audience }: IssuerParts): Promise<JWTPayload> {
  const options = {
    issuer,
    audience,
    algorithms: ALGORITHMS,
    clockTolerance: LEEWAY_SECONDS,
    requiredClaims: ['exp', 'sub'],
  };
  try {
    return (await jwtVerify(token, keys, options)).payload;
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
    // It does not say which of them signed it.
    for await (const key of error) {
      const found = await jwtVerify(token, key, options).catch(unlessSignature);
      if (found !== undefined) return found.payload;
    }
    throw error;
  }
}

function unlessSignature(error: unknown): undefined {
  if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw error;
}

/** What the token is not, or has not, is its fault; that its keys cannot be had, or are none, is not. */
const isFaultOfToken = (error: unknown): boolean =>
  error instanceof errors.JOSEError &&
  !(error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid) &&
  error.code !== 'ERR_JOSE_GENERIC';

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
