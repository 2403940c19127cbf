// Who may call a server, and what it hears of them from other processes while it runs (H5, N3).
import { monotonicMs } from '../async/monotonic-clock.ts';
import type { AgentStore } from '../identity/agents.ts';
import type { Authenticate, SignIn } from '../identity/authentication.ts';
import { createAuthenticator } from '../identity/authenticator.ts';
import { ofThisOperator } from '../identity/connected-clients.ts';
import { createDashboardSessions, type DashboardSessions } from '../identity/dashboard-sessions.ts';
import { createIdentityNews, type IdentityNews } from '../identity/identity-news.ts';
import type { OAuthStore } from '../identity/oauth.ts';
import { createRevocableAgents } from '../identity/revocable-agents.ts';
import { randomText } from '../identity/token.ts';
import type { Settings } from '../settings/config.ts';
import type { OAuthSettings } from '../settings/oauth-settings.ts';
import type { RuntimeLog } from '../skills/record/runtime-log.ts';
import type { OAuthDoor } from '../surfaces/http/server/oauth-door.ts';
import { ok, type Result } from '../values/result.ts';
import type { createDoor } from './oauth.ts';
import { createSignIn } from './sign-in.ts';
import { openOperatorToken, type Store, watchOperatorToken } from './store.ts';
import type { TypedSkills } from './typed-skills.ts';

/** Who may call the server, and the token of its operator (H5). */
export interface Identities {
  /** As it was at the start. Absent where none can be kept and none is needed (`--no-auth`). */
  readonly operatorToken: string | undefined;
  readonly agents: AgentStore;
  /** That people let in by OAuth. */
  readonly oauthClients: Pick<OAuthStore, 'list' | 'revokeClient'>;
  readonly authenticate: Authenticate;
  /** Of people, with email and password (N6). */
  readonly signIn: SignIn;
  readonly sessions: DashboardSessions;
  /** Absent: no host signs in by OAuth. */
  readonly door: OAuthDoor | undefined;
  /** What all processes on the store hear of them. */
  readonly news: IdentityNews;
  readonly close: () => void;
}

export async function openIdentities(
  { settings, store, userTokens, checkTokensWith, passwords }: TypedSkills,
  log: RuntimeLog,
): Promise<Result<Identities, string>> {
  const { http } = settings;
  const { oauth } = http;
  const opened = await openOperatorToken(settings);
  if (!opened.ok && !http.noAuth) return opened;
  const warning = opened.ok ? opened.value.warning : opened.failure;
  if (warning !== undefined) log({ level: 'warn', message: warning });
  const operatorToken = opened.ok ? opened.value.token : undefined;
  let validToken = operatorToken;
  const news = createIdentityNews(store.bus);
  const agents = createRevocableAgents(store.agents, news);
  const { authenticate, verifyGranted } = createAuthenticator({
    operatorToken: () => validToken,
    agents,
    verifyUser: userTokens.verify,
    people: store.people,
    news,
    ...(oauth && (await oauthParts(oauth, store))),
    noAuth: http.noAuth,
    now: () => new Date(),
    monotonicMs,
  });
  checkTokensWith(verifyGranted);
  // What replicas have in common without asking the store: a session is good while it is away, too (H6).
  const secret = http.signingSecret ?? operatorToken ?? randomText();
  const sessions = createDashboardSessions({ secret, now: () => new Date() });
  const rotate = (token: string) => {
    validToken = token;
    if (http.signingSecret === undefined) sessions.replaceSecret(token);
    news.tellOperator();
    log({ level: 'info', message: 'The operator token was rotated: the old one is refused from now on' });
  };
  const unwatch =
    operatorToken === undefined ? () => undefined : await watchToken(settings, operatorToken, rotate, log);
  const close = () => {
    unwatch();
    news.close();
  };
  const signIn = createSignIn({ check: passwords.check, authenticate, now: () => new Date() });
  const door = oauth && (await openDoor(oauth, { store, news, operatorToken: () => validToken, signIn, authenticate }));
  return ok({
    agents,
    oauthClients: revocableClients(store, news, () => validToken),
    authenticate,
    signIn,
    sessions,
    door,
    operatorToken,
    news,
    close,
  });
}

const watchToken = (settings: Settings, token: string, onRotated: (token: string) => void, log: RuntimeLog) =>
  watchOperatorToken(settings, { token, onRotated, onProblem: (message) => log({ level: 'warn', message }) });

/** What is revoked through this process holds in it at once. */
const revocableClients = (
  { oauth }: Store,
  news: IdentityNews,
  operatorToken: () => string | undefined,
): Identities['oauthClients'] => ({
  list: async (now) => ofThisOperator(await oauth.list(now), operatorToken()),
  revokeClient: async (ref, actor) => {
    const isRevoked = await oauth.revokeClient(ref, actor);
    if (isRevoked) news.tellOAuth({ grantId: undefined, clientId: undefined });
    return isRevoked;
  },
});

/** Loaded only where hosts sign in by OAuth. */
async function oauthParts(settings: OAuthSettings, { oauth }: Store) {
  const { createForeignTokens, createResourceCheck } = await import('./oauth.ts');
  const own = settings.issuer === undefined ? { oauth, isOwnResource: createResourceCheck(settings) } : undefined;
  return { oauth: own, verifyForeign: createForeignTokens(settings) };
}

const openDoor = async (...parts: Parameters<typeof createDoor>): Promise<OAuthDoor> =>
  (await import('./oauth.ts')).createDoor(...parts);
