// What `serve` adds to the skills: who may call, the HTTP server with its API, its MCP endpoint and its metrics.
// Loaded only when skills are served over HTTP.
import { monotonicMs } from '../async/monotonic-clock.ts';
import type { Authenticate } from '../identity/authentication.ts';
import { createAuthenticator } from '../identity/authenticator.ts';
import { createDashboardSessions, type DashboardSessions } from '../identity/dashboard-sessions.ts';
import { createRevocableAgents, type RevocableAgents } from '../identity/revocable-agents.ts';
import { createSeenClients, type SeenClients } from '../identity/seen-clients.ts';
import { randomText } from '../identity/token.ts';
import type { FileNote, LoadNote, NoteFile, NoteLoad } from '../repertoire/load-log.ts';
import type { Repertoire } from '../repertoire/repertoire.ts';
import { parseTrustedProxies } from '../settings/trusted-proxies.ts';
import type { RuntimeLog } from '../skills/record/runtime-log.ts';
import type { WebFolder } from '../surfaces/answers/web-folder.ts';
import { type Api, createApi } from '../surfaces/http/api.ts';
import { createMetrics, type Metrics } from '../surfaces/http/metrics/metrics.ts';
import { counter, type Family, gauge } from '../surfaces/http/metrics/prometheus.ts';
import { createLoadEvents, type LoadEvents } from '../surfaces/http/routes/events.ts';
import type { ListenWords } from '../surfaces/http/server/listen.ts';
import { type HttpServer, startHttpServer } from '../surfaces/http/server/server.ts';
import { watchTable } from '../surfaces/mcp/watched-table.ts';
import { createMcpEndpoint } from '../surfaces/mcp/wire/http.ts';
import type { MethodTable } from '../surfaces/mcp/wire/method.ts';
import { createFunctionTools } from '../surfaces/openai/function-tools.ts';
import type { IpRange } from '../values/ip-address.ts';
import { fail, ok, type Result } from '../values/result.ts';
import { createHostGuide, type Launch } from './host-guide.ts';
import { openOperatorToken, type Store } from './store.ts';
import type { TypedSkills } from './typed-skills.ts';
import { watchStore } from './watch-store.ts';

export interface HttpOptions {
  readonly version: string;
  readonly log: RuntimeLog;
  readonly web: WebFolder;
  readonly listenWords?: ListenWords | undefined;
  /** Absent in a program that starts the server itself. */
  readonly launch?: Launch | undefined;
}

/** What is served. */
interface HttpSkills {
  readonly repertoire: Repertoire;
  readonly methods: MethodTable;
  readonly typed: TypedSkills;
  /** Loads that could not be recorded. */
  readonly lostLoads: () => number;
}

interface OpenHttp {
  readonly url: string;
  /** Absent where none can be kept and none is needed (`--no-auth`). */
  readonly operatorToken: string | undefined;
  /** Lets running requests end. */
  close(): Promise<void>;
}

export interface Http {
  /** Counts the loads and shows them live. */
  readonly noteLoad: NoteLoad;
  /** Shows live that another file of a skill was read. */
  readonly noteFile: NoteFile;
  readonly open: (skills: HttpSkills) => Promise<Result<OpenHttp, string>>;
}

/** In two steps, because the skills tell it of loads: it is there before them, and opens the port after them. */
export function createHttp(options: HttpOptions): Http {
  const clients = createSeenClients({ now: () => new Date() });
  const parts = { ...options, metrics: createMetrics(), loads: createLoadEvents(), clients };
  const show = (note: LoadNote | FileNote): void => {
    parts.loads.note(note);
    const { caller, client, surface, skillName } = note;
    if (caller !== undefined && surface !== 'api') clients.noteRead(caller, client, skillName);
  };
  return {
    noteLoad: (note) => {
      parts.metrics.countLoad(note);
      show(note);
    },
    noteFile: show,
    open: (skills) => open(skills, parts),
  };
}

interface Parts extends HttpOptions {
  readonly metrics: Metrics;
  readonly loads: LoadEvents;
  readonly clients: SeenClients;
}

async function open(skills: HttpSkills, parts: Parts): Promise<Result<OpenHttp, string>> {
  const { settings, store } = skills.typed;
  // Only where it is needed: other commands would load what reads addresses for nothing.
  const trustedProxies = parseTrustedProxies(settings.http.trustProxy);
  if (!trustedProxies.ok) return fail(`Cannot trust a proxy: what names it ${trustedProxies.failure}`);
  const identities = await openIdentities(skills.typed, parts.log);
  if (!identities.ok) return identities;
  const server = await listen(skills, identities.value, trustedProxies.value, parts);
  if (!server.ok) return server;
  const unwatch = settings.isLogged ? watchStore(store.health, parts.log) : () => undefined;
  const close = async (): Promise<void> => {
    try {
      await server.value.close();
    } finally {
      unwatch();
    }
  };
  return ok({ url: server.value.url, operatorToken: identities.value.operatorToken, close });
}

/** Who may call the server, and the token of its operator (H5). */
interface Identities extends Pick<OpenHttp, 'operatorToken'> {
  readonly agents: RevocableAgents;
  readonly authenticate: Authenticate;
  readonly sessions: DashboardSessions;
}

async function openIdentities(
  { settings, store, userTokens }: TypedSkills,
  log: RuntimeLog,
): Promise<Result<Identities, string>> {
  const { http } = settings;
  const opened = await openOperatorToken(settings);
  if (!opened.ok && !http.noAuth) return opened;
  const warning = opened.ok ? opened.value.warning : opened.failure;
  if (warning !== undefined) log({ level: 'warn', message: warning });
  const operatorToken = opened.ok ? opened.value.token : undefined;
  const agents = createRevocableAgents(store.agents);
  const authenticate = createAuthenticator({
    operatorToken,
    agents,
    verifyUser: userTokens.verify,
    users: store.users,
    noAuth: http.noAuth,
    now: () => new Date(),
    monotonicMs,
  });
  // What replicas have in common without asking the store: a session is good while it is away, too (H6).
  const secret = http.signingSecret ?? operatorToken ?? randomText();
  const sessions = createDashboardSessions({ secret, now: () => new Date() });
  return ok({ agents, authenticate, sessions, operatorToken });
}

/** Of one agent or user (H5). */
const REQUESTS_PER_MINUTE = 600;

function listen(
  skills: HttpSkills,
  identities: Identities,
  trustedProxies: readonly IpRange[],
  parts: Parts,
): Promise<Result<HttpServer, string>> {
  const { log, web, metrics, listenWords, clients } = parts;
  const { agents, authenticate, sessions } = identities;
  const { host, port, allowHosts } = skills.typed.settings.http;
  const mcp = createMcpEndpoint(watchTable(skills.methods, clients), { log, onHandshake: clients.noteHandshake });
  return startHttpServer({
    host,
    port,
    listenWords,
    allowHosts,
    trustedProxies,
    authenticate,
    onRevoked: agents.onRevoked,
    sessions,
    mcp,
    api: createServerApi(skills, identities, { ...parts, mcpSessions: () => mcp.sessions }),
    requestsPerMinute: REQUESTS_PER_MINUTE,
    log,
    webFiles: web.readPages(),
    onRequest: metrics.countRequest,
  });
}

function createServerApi(
  { repertoire, typed, lostLoads }: HttpSkills,
  { agents, sessions }: Identities,
  { version, log, metrics, loads, clients, launch, mcpSessions }: Parts & { readonly mcpSessions: () => number },
): Api {
  const { runtime, store, settings } = typed;
  const functionTools = createFunctionTools(repertoire, {
    onError: (error) => log({ level: 'error', message: 'A function tool failed', error: String(error) }),
  });
  const gauges = () => [
    gauge('repertoire_mcp_sessions', 'Sessions of 2025-era MCP clients.', mcpSessions()),
    counter('repertoire_loads_lost_total', 'Loads that could not be recorded.', lostLoads()),
    ...poolFamilies(store.connections()),
  ];
  const logs = settings.isLogged ? store : undefined;
  const authentication = settings.http.noAuth ? 'off' : 'on';
  return createApi({
    repertoire,
    runtime,
    store: logs,
    // Also with --no-log: tasks, users and agents are kept there.
    health: store.health,
    overview: logs?.overview,
    agents,
    clients,
    guide: createHostGuide(launch, authentication),
    authentication,
    sessions,
    loads,
    functionTools,
    metrics,
    gauges,
    version,
    log,
  });
}

/** SQLite has none. */
function poolFamilies(connections: ReturnType<Store['connections']>): readonly Family[] {
  if (connections === undefined) return [];
  return [
    gauge('repertoire_store_connections', 'Connections to PostgreSQL.', connections.open),
    gauge('repertoire_store_connections_idle', 'Of them, those that wait for work.', connections.idle),
    gauge('repertoire_store_waiting', 'Statements that wait for a connection.', connections.waiting),
  ];
}
