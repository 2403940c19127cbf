// Clients that people let in by OAuth, on a database (O4, O8). Whatever is done once is done once by one statement: of two
// replicas that get the same code or refresh token, one finds it unused.
import { randomUUID } from 'node:crypto';
import { askTogether } from '../async/ask-together.ts';
import { OAUTH_TOPIC } from '../identity/identity-news.ts';
import type { ConnectedClient, Grant, NewConsent, NewTokens, OAuthClient, OAuthStore } from '../identity/oauth.ts';
import type { TrailNote } from '../identity/trail.ts';
import { StoreUnavailable } from '../skills/record/invocation-log.ts';
import { isStorable } from '../text/storable-text.ts';
import { announce } from './event-table.ts';
import { type KeptClient, selectClients, selectCodes, selectGrant, selectTokens } from './oauth-reads.ts';
import { CLIENT_COLUMNS, dateOf, GRANT_COLUMNS, scopesOf, toClient, toGrant, WITH_GRANT } from './oauth-rows.ts';
import { type Dialect, plain, type Row, type Sql, type Statement, type Steps, sql } from './sql.ts';
import type { TrailWriter } from './trail-writer.ts';

/** Registrations of one address within an hour, and clients that wait for a consent, of all addresses (O2). */
const MOST_AN_HOUR = 10;
const MOST_WAITING = 10_000;
const HOUR_MS = 3_600_000;
/** A consent whose code is never used is forgotten after this long; one whose tokens have expired, too. */
const FORGET_MS = 24 * HOUR_MS;

/** Anyone can send tokens, codes and clients that look like ours: they never take up the database (F10). */
const LOOK_UPS = { most: 4_096, atOnce: 2, patienceMs: 400 } as const;

interface OAuthParts {
  /** Of this process, for what it tells the others. */
  readonly origin: string;
  readonly trail: TrailWriter;
}

interface Writing extends OAuthParts {
  readonly dialect: Dialect;
}

export function createOAuthStore(database: Sql, parts: OAuthParts): OAuthStore {
  const writing: Writing = { ...parts, dialect: database.dialect };
  const findTokens = (kind: 'access' | 'refresh') =>
    askTogether({ ask: (digests: readonly string[]) => selectTokens(database, kind, digests), ...LOOK_UPS });
  const tokens = { access: findTokens('access'), refresh: findTokens('refresh') };
  const findCode = askTogether({ ask: (digests: readonly string[]) => selectCodes(database, digests), ...LOOK_UPS });
  const findKept = askTogether({ ask: (ids: readonly string[]) => selectClients(database, ids), ...LOOK_UPS });
  return {
    register: (client, peer, at) => database.write(() => register(client, peer, at, database.dialect)),
    findClient: async (id, at) => {
      const found = id.length <= MOST_ID && isStorable(id) ? await findKept(id) : undefined;
      return found !== undefined && !isForgotten(found, at) ? found.client : undefined;
    },
    consent: (consent) => database.write(() => enterConsent(consent, writing)),
    findCode,
    redeem: (digest, next) => database.write(() => redeem(digest, next, writing)),
    findGrant: (id) => selectGrant(database, id),
    findToken: (kind, digest) => tokens[kind](digest),
    rotate: (digest, next) => database.write(() => rotate(digest, next, writing)),
    revokeGrant: (grant, at, actor, reason) => database.write(() => revokeGrant(grant, at, { actor, reason }, writing)),
    endGrantsOf: (operatorKey, at) => database.write(() => endGrantsOf(operatorKey, at)),
    endAccessToken: (digest) => database.write(() => endAccessToken(digest, writing)),
    list: (now) => listConnected(database, now),
    revokeClient: (ref, actor) => database.write(() => revokeClient(ref, actor, writing)),
    noteUse: (grantId, at) =>
      void database
        .write(() => noteUse(grantId, at))
        .catch((error: unknown) => {
          // The next use is noted again.
          if (!(error instanceof StoreUnavailable)) throw error;
        }),
  };
}

/** All who remember something of this grant, or of this client, ask again (N3). */
const tell = ({ dialect, origin }: Writing, about: { readonly grant_id: string } | { readonly client_id: string }) =>
  announce(dialect, OAUTH_TOPIC, about, origin);

function* register(client: OAuthClient, peer: string, at: Date, dialect: Dialect): Steps<'added' | 'busy'> {
  yield* dropOld(at);
  // One at a time for each address, whichever replica it comes to: the row is locked until the count is written.
  yield sql`INSERT INTO repertoire_oauth_peers (peer, at) VALUES (${peer}, ${at})
    ON CONFLICT (peer) DO UPDATE SET at = excluded.at`;
  const [own] = yield sql`SELECT COUNT(*) AS n FROM repertoire_oauth_clients
    WHERE peer = ${peer} AND created_at > ${dialect.secondsAgo(HOUR_MS / 1_000)}`;
  if (Number(own?.n) >= MOST_AN_HOUR) return 'busy';
  const [all] = yield plain('SELECT COUNT(*) AS n FROM repertoire_oauth_clients WHERE consented_at IS NULL');
  if (Number(all?.n) >= MOST_WAITING) return 'busy';
  yield insertClient(client, { peer, at, consentedAt: null });
  return 'added';
}

/** Clients that got no consent within an hour, addresses that were not heard of for as long, and what is long over. */
function* dropOld(at: Date): Steps<void> {
  const hourAgo = new Date(at.getTime() - HOUR_MS);
  yield sql`DELETE FROM repertoire_oauth_clients WHERE consented_at IS NULL AND created_at < ${hourAgo}`;
  yield sql`DELETE FROM repertoire_oauth_peers WHERE at < ${hourAgo}`;
  yield sql`DELETE FROM repertoire_oauth_tokens WHERE kind = 'access' AND expires_at < ${hourAgo}`;
  yield sql`DELETE FROM repertoire_oauth_grants WHERE expires_at < ${new Date(at.getTime() - FORGET_MS)}`;
}

interface Kept {
  readonly peer: string | null;
  readonly at: Date;
  readonly consentedAt: Date | null;
}

const insertClient = ({ id, kind, name, redirectUris }: OAuthClient, { peer, at, consentedAt }: Kept): Statement =>
  sql`INSERT INTO repertoire_oauth_clients (id, ref, kind, name, redirect_uris, peer, created_at, consented_at)
    VALUES (${id}, ${randomUUID()}, ${kind}, ${name}, ${JSON.stringify(redirectUris)}, ${peer}, ${at}, ${consentedAt})
    ON CONFLICT (id) DO UPDATE SET name = excluded.name, redirect_uris = excluded.redirect_uris,
      consented_at = excluded.consented_at`;

/** Of a client: longer than any that we know of. */
const MOST_ID = 2_048;

/** It waits for a consent for an hour, also when it is not deleted yet. */
const isForgotten = ({ createdAt, isAllowed }: KeptClient, at: Date): boolean =>
  !isAllowed && createdAt.getTime() < at.getTime() - HOUR_MS;

function* enterConsent(consent: NewConsent, { trail }: Writing): Steps<void> {
  const { client, grantor, scopes, resource, code, at, codeExpiresAt, actor } = consent;
  yield* dropOld(at);
  // Its description is read anew for every consent; of one that registered itself only the time changes.
  yield insertClient(client, { peer: null, at, consentedAt: at });
  const id = randomUUID();
  const userId = grantor.kind === 'user' ? grantor.userId : null;
  const key = grantor.kind === 'operator' ? grantor.key : null;
  yield sql`INSERT INTO repertoire_oauth_grants
      (id, client_id, user_id, operator_key, scopes, resource, created_at, expires_at)
    VALUES (${id}, ${client.id}, ${userId}, ${key}, ${JSON.stringify(scopes)}, ${resource}, ${at}, ${codeExpiresAt})`;
  yield sql`INSERT INTO repertoire_oauth_codes (digest, grant_id, redirect_uri, challenge, expires_at)
    VALUES (${code.digest}, ${id}, ${code.redirectUri}, ${code.challenge}, ${codeExpiresAt})`;
  yield* trail.append({
    actor,
    action: 'client.consent',
    subject: client.name,
    details: { client_id: client.id, scopes },
  });
}

const REUSED = { actor: 'oauth', reason: 'a code or refresh token was used twice' };

function* redeem(digest: string, tokens: NewTokens, writing: Writing): Steps<'redeemed' | 'used'> {
  const [used] = yield sql`UPDATE repertoire_oauth_codes SET used_at = ${tokens.at}
    WHERE digest = ${digest} AND used_at IS NULL RETURNING grant_id`;
  if (used !== undefined && (yield* addTokens(String(used.grant_id), tokens))) return 'redeemed';
  yield* revokeUsed(
    sql`SELECT ${GRANT_COLUMNS}, ${CLIENT_COLUMNS} FROM repertoire_oauth_codes t ${WITH_GRANT}
    WHERE t.digest = ${digest}`,
    tokens.at,
    writing,
  );
  return 'used';
}

function* rotate(digest: string, tokens: NewTokens, writing: Writing): Steps<'rotated' | 'used'> {
  const [used] = yield sql`UPDATE repertoire_oauth_tokens SET used_at = ${tokens.at}
    WHERE digest = ${digest} AND kind = 'refresh' AND used_at IS NULL RETURNING grant_id`;
  if (used !== undefined && (yield* addTokens(String(used.grant_id), tokens))) return 'rotated';
  yield* revokeUsed(
    sql`SELECT ${GRANT_COLUMNS}, ${CLIENT_COLUMNS} FROM repertoire_oauth_tokens t ${WITH_GRANT}
    WHERE t.digest = ${digest}`,
    tokens.at,
    writing,
  );
  return 'used';
}

/** False: the grant was revoked meanwhile. What has expired of it goes: a client that stays connected adds rows every hour. */
function* addTokens(grantId: string, { access, refresh, at }: NewTokens): Steps<boolean> {
  const [alive] = yield sql`UPDATE repertoire_oauth_grants SET expires_at = ${refresh.expiresAt}
    WHERE id = ${grantId} AND revoked_at IS NULL RETURNING id`;
  if (alive === undefined) return false;
  yield sql`DELETE FROM repertoire_oauth_tokens
    WHERE grant_id = ${grantId} AND expires_at < ${new Date(at.getTime() - HOUR_MS)}`;
  for (const [kind, { digest, expiresAt, scopes }] of [['access', access] as const, ['refresh', refresh] as const])
    yield sql`INSERT INTO repertoire_oauth_tokens (digest, grant_id, kind, scopes, expires_at)
      VALUES (${digest}, ${grantId}, ${kind}, ${JSON.stringify(scopes)}, ${expiresAt})`;
  return true;
}

function* revokeUsed(which: Statement, at: Date, writing: Writing): Steps<void> {
  const [row] = yield which;
  if (row !== undefined) yield* revokeGrant(toGrant(row), at, REUSED, writing);
}

function* revokeGrant(
  { id, client }: Pick<Grant, 'id' | 'client'>,
  at: Date,
  { actor, reason }: { readonly actor: string; readonly reason: string },
  writing: Writing,
): Steps<void> {
  const [revoked] = yield sql`UPDATE repertoire_oauth_grants SET revoked_at = ${at}
    WHERE id = ${id} AND revoked_at IS NULL RETURNING id`;
  if (revoked === undefined) return;
  yield* tell(writing, { grant_id: id });
  yield* writing.trail.append(revocation(client, actor, { reason }));
}

const revocation = ({ id, name }: OAuthClient, actor: string, details: object = {}): TrailNote => ({
  actor,
  action: 'client.revoke',
  subject: name,
  details: { client_id: id, ...details },
});

/** Told to no one: the key alone makes them bad. */
function* endGrantsOf(operatorKey: string, at: Date): Steps<void> {
  yield sql`UPDATE repertoire_oauth_grants SET revoked_at = ${at}
    WHERE operator_key = ${operatorKey} AND revoked_at IS NULL`;
}

function* endAccessToken(digest: string, writing: Writing): Steps<void> {
  const [ended] = yield sql`DELETE FROM repertoire_oauth_tokens
    WHERE digest = ${digest} AND kind = 'access' RETURNING grant_id`;
  if (ended !== undefined) yield* tell(writing, { grant_id: String(ended.grant_id) });
}

async function listConnected(database: Sql, now: Date): Promise<readonly ConnectedClient[]> {
  const rows = await database.read(sql`SELECT c.ref, ${CLIENT_COLUMNS}, ${GRANT_COLUMNS}, g.created_at, g.last_used_at,
      u.email FROM repertoire_oauth_grants g
    JOIN repertoire_oauth_clients c ON c.id = g.client_id LEFT JOIN repertoire_users u ON u.id = g.user_id
    WHERE g.revoked_at IS NULL AND g.expires_at > ${now}
      AND EXISTS (SELECT 1 FROM repertoire_oauth_codes k WHERE k.grant_id = g.id AND k.used_at IS NOT NULL)
    ORDER BY g.created_at`);
  const connected = rows.map(toConnected);
  return [...connected].sort((a, b) => (a.client.name < b.client.name ? -1 : a.client.name > b.client.name ? 1 : 0));
}

const toConnected = (row: Row): ConnectedClient => ({
  ref: String(row.ref),
  client: toClient(row),
  email: row.email === null ? undefined : String(row.email),
  operatorKey: row.operator_key === null ? undefined : String(row.operator_key),
  scopes: scopesOf(row.grant_scopes),
  createdAt: dateOf(row.created_at),
  lastUsedAt: row.last_used_at === null ? undefined : dateOf(row.last_used_at),
});

/** The foreign keys take grants, codes and tokens along. */
function* revokeClient(ref: string, actor: string, writing: Writing): Steps<boolean> {
  const [row] = yield sql`SELECT ${CLIENT_COLUMNS} FROM repertoire_oauth_clients c WHERE c.ref = ${ref}`;
  if (row === undefined) return false;
  const client = toClient(row);
  yield sql`DELETE FROM repertoire_oauth_clients WHERE id = ${client.id}`;
  yield* tell(writing, { client_id: client.id });
  yield* writing.trail.append(revocation(client, actor));
  return true;
}

/** Only forward in time: several servers note uses of the same grant. */
function* noteUse(grantId: string, at: Date): Steps<void> {
  yield sql`UPDATE repertoire_oauth_grants SET last_used_at = ${at}
    WHERE id = ${grantId} AND (last_used_at IS NULL OR last_used_at < ${at})`;
}
