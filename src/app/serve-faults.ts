// What cannot be served as it was asked for, found before anything is opened; for the command line and for programs. Pure.
// Shows no address: one may hold a password.
import { ALL_BUILTIN_NAMES } from '../builtin/builtin-names.ts';
import type { Environment, Settings } from '../settings/config.ts';
import { issuerFault, publicUrlFault } from '../settings/oauth-settings.ts';
import { isPostgresAddress } from '../settings/store-place.ts';
import { parseTrustedProxies } from '../settings/trusted-proxies.ts';
import { isLoopbackHost } from '../surfaces/http/server/host-header.ts';
import { adviceFor } from '../text/nearest.ts';
import { toOneLine } from '../text/one-line.ts';

export interface ServeFault {
  /** Where it was said: an option, or a variable of the environment. */
  readonly at:
    | 'auth'
    | 'databaseUrl'
    | 'allowHosts'
    | 'trustProxy'
    | 'builtin'
    | 'oauth'
    | 'publicUrl'
    | 'issuer'
    | 'redirectSchemes'
    | 'DATABASE_URL'
    | 'REPERTOIRE_AI_BASE_URL';
  /** What is the case and what is wanted: what follows the name of the place in a sentence. */
  readonly problem: string;
}

export interface ServeRequest {
  readonly settings: Pick<Settings, 'http' | 'storePlace' | 'builtin'>;
  readonly environment: Pick<Environment, 'variables'>;
  /** False: the address of the database comes from the environment. */
  readonly hasDatabaseUrl: boolean;
}

export const findServeFault = (request: ServeRequest): ServeFault | undefined =>
  findAuthFault(request) ??
  findDatabaseFault(request) ??
  findNameFault(request) ??
  findProxyFault(request) ??
  findOAuthFault(request) ??
  findAiFault(request) ??
  findBuiltinFault(request.settings.builtin);

function findAuthFault({ settings: { http } }: ServeRequest): ServeFault | undefined {
  if (!http.noAuth) return undefined;
  // A proxy that adds no header of its own makes everyone look local (H5).
  if (http.oauth?.publicUrl !== undefined)
    return { at: 'auth', problem: 'cannot be combined with a public address: leave one of them out' };
  if (isLoopbackHost(http.host)) return undefined;
  const problem =
    'cannot be combined with an address that others can reach: leave one of them out, or use the host 127.0.0.1';
  return { at: 'auth', problem };
}

/** Of a store that is about to be opened. */
export function findDatabaseFault({
  settings: { storePlace },
  hasDatabaseUrl,
}: Pick<ServeRequest, 'settings' | 'hasDatabaseUrl'>): ServeFault | undefined {
  if (storePlace.kind !== 'postgres' || isPostgresAddress(storePlace.url)) return undefined;
  const problem = 'is not the address of a PostgreSQL; use postgres://USER:PASSWORD@HOST/DATABASE';
  return hasDatabaseUrl ? { at: 'databaseUrl', problem } : { at: 'DATABASE_URL', problem: `${problem}, or unset it` };
}

/** A name or an address, as a Host header may hold it. */
const NAME = /^(?:\[[0-9a-f:.]{2,45}\]|[0-9a-f:]{2,45}|[a-z0-9._-]{1,253})(?::\d{1,5})?$/i;

function findNameFault({ settings: { http } }: ServeRequest): ServeFault | undefined {
  const wrong = http.allowHosts.find((name) => !NAME.test(name.trim()));
  if (wrong === undefined) return undefined;
  const host = URL.canParse(wrong) ? new URL(wrong).hostname : '';
  const example = NAME.test(host) ? host : 'skills.example.com';
  return { at: 'allowHosts', problem: `is not a name alone; write it like ${example}` };
}

function findProxyFault({ settings: { http } }: ServeRequest): ServeFault | undefined {
  const parsed = parseTrustedProxies(http.trustProxy);
  return parsed.ok ? undefined : { at: 'trustProxy', problem: parsed.failure };
}

/** O2: beyond this machine a client must know under which name the server goes, and reach it by TLS. */
function findOAuthFault({ settings: { http } }: ServeRequest): ServeFault | undefined {
  const { oauth } = http;
  if (oauth === undefined) return undefined;
  const { publicUrl, issuer, redirectSchemes } = oauth;
  const problem = publicUrl === undefined ? undefined : publicUrlFault(publicUrl);
  if (problem !== undefined) return { at: 'publicUrl', problem };
  const issuerProblem =
    issuer &&
    (issuerFault(issuer.url) ?? (issuer.audience ? undefined : 'needs an audience: name the one its tokens have'));
  if (issuerProblem !== undefined) return { at: 'issuer', problem: issuerProblem };
  const wrong = redirectSchemes.find((scheme) => !/^[a-z][a-z\d+.-]{1,40}$/.test(scheme));
  if (wrong !== undefined) return { at: 'redirectSchemes', problem: 'is not a scheme; use a word like cursor' };
  if (issuer !== undefined || publicUrl !== undefined || isLoopbackHost(http.host)) return undefined;
  return {
    at: 'oauth',
    problem:
      'cannot be used with an address that others can reach: add --public-url https://… with the one that clients use',
  };
}

function findAiFault({ environment: { variables } }: ServeRequest): ServeFault | undefined {
  const { REPERTOIRE_AI_BASE_URL: url } = variables;
  if (!url || (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol))) return undefined;
  const problem = 'is not an http or https address; use one like http://127.0.0.1:11434/v1, or unset it';
  return { at: 'REPERTOIRE_AI_BASE_URL', problem };
}

/** A mistyped name would serve nothing, and nothing would tell. */
export function findBuiltinFault(names: Settings['builtin']): ServeFault | undefined {
  if (names === undefined || names === 'all') return undefined;
  const stranger = names.find((name) => !ALL_BUILTIN_NAMES.includes(name));
  if (stranger === undefined) return undefined;
  const advice = adviceFor(stranger, ALL_BUILTIN_NAMES, 'use all, or names of');
  return { at: 'builtin', problem: `"${toOneLine(stranger, 80)}": ${advice}` };
}
