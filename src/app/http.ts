// What `serve` adds to the skills: who may call, the HTTP server with its API, its MCP endpoint and its metrics.
// Loaded only when skills are served over HTTP.
import { createPeers } from '../async/peers.ts';
import { createSeenClients, type SeenClients } from '../identity/seen-clients.ts';
import { shareClients } from '../identity/share-clients.ts';
import type { SourceBook } from '../operations/sources.ts';
import type { FileNote, LoadNote, NoteFile, NoteLoad } from '../repertoire/load-log.ts';
import type { Repertoire } from '../repertoire/repertoire.ts';
import { parseTrustedProxies } from '../settings/trusted-proxies.ts';
import type { RuntimeLog } from '../skills/record/runtime-log.ts';
import type { WebFolder } from '../surfaces/answers/web-folder.ts';
import { type Api, createApi } from '../surfaces/http/api.ts';
import { createMetrics, type Metrics } from '../surfaces/http/metrics/metrics.ts';
import { counter, type Family, gauge } from '../surfaces/http/metrics/prometheus.ts';
import { createLoadEvents, type LoadEvents, type Replicas } from '../surfaces/http/routes/events.ts';
import { isLoopbackHost } from '../surfaces/http/server/host-header.ts';
import type { ListenWords } from '../surfaces/http/server/listen.ts';
import { type HttpServer, startHttpServer } from '../surfaces/http/server/server.ts';
import { watchTable } from '../surfaces/mcp/watched-table.ts';
import { createMcpEndpoint } from '../surfaces/mcp/wire/http.ts';
import type { MethodTable } from '../surfaces/mcp/wire/method.ts';
import type { SharedOptions } from '../surfaces/mcp/wire/shared-sessions.ts';
import { createServedFunctions } from '../surfaces/openai/served-functions.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import type { IpRange } from '../values/ip-address.ts';
import { fail, ok, type Result } from '../values/result.ts';
import { createHostGuide, type Launch } from './host-guide.ts';
import { type Identities, openIdentities } from './identities.ts';
import type { Store } from './store.ts';
import { openServerTelemetry, telemetryFamilies } from './telemetry.ts';
import type { TypedSkills } from './typed-skills.ts';
import { createUpkeepPort } from './upkeep.ts';
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
  /** Looks what of the library is current now. */
  readonly refreshLibrary?: (() => void) | undefined;
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
  /** Sends the telemetry that is left. May be begun while the rest is closed, and is short. */
  readonly flush: () => Promise<void>;
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
  let telemetry: Telemetry | undefined;
  return {
    noteLoad: (note) => {
      parts.metrics.countLoad(note);
      telemetry?.countLoad(note.skillName, note.surface);
      show(note);
    },
    noteFile: show,
    open: async (skills) => {
      const { settings, runtime, runs } = skills.typed;
      telemetry = await openServerTelemetry(settings, runtime, options);
      if (telemetry !== undefined) runs?.traceWith(telemetry.resume);
      return open(skills, { ...parts, telemetry });
    },
    flush: async () => telemetry?.close(),
  };
}

interface Parts extends HttpOptions {
  readonly metrics: Metrics;
  readonly loads: LoadEvents;
  readonly clients: SeenClients;
  /** Absent: none is sent. */
  readonly telemetry: Telemetry | undefined;
}

interface ServerParts extends Parts {
  readonly replicas: Replicas;
}

async function open(skills: HttpSkills, parts: Parts): Promise<Result<OpenHttp, string>> {
  const { settings, store } = skills.typed;
  // Only where it is needed: other commands would load what reads addresses for nothing.
  const trustedProxies = parseTrustedProxies(settings.http.trustProxy);
  if (!trustedProxies.ok) return fail(`Cannot trust a proxy: what names it ${trustedProxies.failure}`);
  warnOfOwnKey(settings, parts.log);
  // Before all that listens: it asks for others as soon as anything can be heard.
  const replicas = joinReplicas(store, parts.clients);
  const identities = await openIdentities(skills.typed, parts.log);
  if (!identities.ok) {
    replicas.close();
    return identities;
  }
  const leave = () => {
    identities.value.close();
    replicas.close();
  };
  // Another agent has the name: what its predecessor did is not its own. This process has forgotten it already.
  identities.value.news.onAgent((name, change, isOwn) => {
    if (change === 'added' && !isOwn) parts.clients.forgetAgent(name);
  });
  const server = await listen(skills, identities.value, trustedProxies.value, { ...parts, replicas });
  if (!server.ok) {
    leave();
    return server;
  }
  const unwatch = settings.isLogged ? watchStore(store.health, parts.log) : () => undefined;
  const close = async (): Promise<void> => {
    try {
      // Those that wait for a run are told where to look: it goes on without them.
      skills.typed.runs?.release();
      await server.value.close();
    } finally {
      // Nothing comes in any more; what is left goes out while the rest is closed.
      void parts.telemetry?.close();
      unwatch();
      leave();
    }
  };
  return ok({ url: server.value.url, operatorToken: identities.value.operatorToken, close });
}

const OWN_KEY =
  'The trail is keyed with a file in this data directory: set REPERTOIRE_SECRET to the same value on every server that uses this database, or none can verify what another has entered';

/** Where there may be other servers on the same store (L5). */
function warnOfOwnKey({ storePlace, http }: TypedSkills['settings'], log: RuntimeLog): void {
  if (storePlace.kind !== 'postgres' || http.signingSecret !== undefined || isLoopbackHost(http.host)) return;
  log({ level: 'warn', message: OWN_KEY });
}

/** What the replicas on one store have in common while they run (N3). */
function joinReplicas({ bus }: Store, clients: SeenClients): Replicas & { readonly close: () => void } {
  const peers = createPeers(bus);
  const stopSharing = shareClients(clients, { bus, peers });
  const close = () => {
    stopSharing();
    peers.close();
  };
  return { bus, peers, close };
}

/** Of one agent or user (H5). */
const REQUESTS_PER_MINUTE = 600;

function listen(
  skills: HttpSkills,
  identities: Identities,
  trustedProxies: readonly IpRange[],
  parts: ServerParts,
): Promise<Result<HttpServer, string>> {
  const { log, web, metrics, listenWords, clients, telemetry } = parts;
  const { authenticate, signIn, sessions, news, door } = identities;
  const { host, port, allowHosts, publicIndex } = skills.typed.settings.http;
  const mcp = createMcpEndpoint(watchTable(skills.methods, clients), {
    log,
    onHandshake: clients.noteHandshake,
    shared: sharedSessions(skills.typed.store),
    onSessionEnd: telemetry?.noteSession,
  });
  return startHttpServer({
    host,
    port,
    listenWords,
    allowHosts,
    trustedProxies,
    authenticate,
    signIn,
    onNews: news.onAny,
    sessions,
    oauth: door,
    mcp,
    api: createServerApi(skills, identities, { ...parts, mcpSessions: () => mcp.sessions }),
    requestsPerMinute: REQUESTS_PER_MINUTE,
    window: skills.typed.counting.window,
    hasPublicIndex: publicIndex,
    log,
    webFiles: web.readPages(),
    onRequest: metrics.countRequest,
    observe: telemetry?.observe,
  });
}

/** Of the replicas of one PostgreSQL (N2). A SQLite file has one server: its sessions need not be kept. */
const sharedSessions = ({ kind, sessions, bus }: Store): SharedOptions | undefined =>
  kind === 'postgres' ? { kept: sessions, bus } : undefined;

function createServerApi(
  { repertoire, typed, lostLoads, refreshLibrary }: HttpSkills,
  { agents, oauthClients, sessions }: Identities,
  parts: ServerParts & { readonly mcpSessions: () => number },
): Api {
  const { version, log, metrics, loads, clients, replicas, launch, mcpSessions, telemetry } = parts;
  const { runtime, runs, store, settings, counting } = typed;
  const functionTools = createServedFunctions(repertoire, {
    runs,
    onError: (error) => log({ level: 'error', message: 'A function tool failed', error: String(error) }),
  });
  const gauges = () => [
    gauge('repertoire_mcp_sessions', 'Sessions of 2025-era MCP clients that this replica knows.', mcpSessions()),
    counter('repertoire_loads_lost_total', 'Loads of this replica that could not be recorded.', lostLoads()),
    gauge(
      'repertoire_limits_shared',
      'Limits are counted over all replicas (1) or in this process alone (0).',
      Number(counting.isShared()),
    ),
    ...poolFamilies(store.connections()),
    ...busFamilies(store.bus.counts()),
    ...telemetryFamilies(telemetry),
  ];
  const logs = settings.isLogged ? store : undefined;
  const authentication = settings.http.noAuth ? 'off' : 'on';
  return createApi({
    repertoire,
    runtime,
    runs,
    store: logs,
    // Also with --no-log: tasks, users and agents are kept there.
    health: store.health,
    overview: logs?.overview,
    agents,
    oauthClients,
    people: store.people,
    documentRoles: settings.visible.flatMap(({ roles }) => roles),
    trail: store.trail,
    library: store.library,
    refreshLibrary,
    sources: openSourceBook(settings),
    upkeep: createUpkeepPort(settings, isLoopbackHost(settings.http.host)),
    clients,
    guide: createHostGuide(launch, authentication),
    authentication,
    sessions,
    loads,
    replicas,
    functionTools,
    metrics,
    gauges,
    version,
    log,
  });
}

/** Loaded when a page or a program asks: most servers have no sources. */
function openSourceBook({ rootRequest: { project, variables }, dataDirectory }: TypedSkills['settings']): SourceBook {
  let opened: Promise<SourceBook> | undefined;
  const book = () => {
    opened ??= import('../sources/source-book.ts').then(({ createSourceBook }) =>
      createSourceBook({ project, variables, dataDirectory }),
    );
    return opened;
  };
  return {
    list: async () => (await book()).list(),
    findNewer: async (named) => (await book()).findNewer(named),
  };
}

/** SQLite has none. */
function poolFamilies(connections: ReturnType<Store['connections']>): readonly Family[] {
  if (connections === undefined) return [];
  return [
    gauge('repertoire_store_connections', 'Connections of this replica to PostgreSQL.', connections.open),
    gauge('repertoire_store_connections_idle', 'Of them, those that wait for work.', connections.idle),
    gauge('repertoire_store_waiting', 'Statements of this replica that wait for a connection.', connections.waiting),
  ];
}

/** What the replicas tell each other (N3). */
const busFamilies = ({ sent, received, gaps }: BusCounts): readonly Family[] => [
  counter('repertoire_bus_sent_total', 'Messages of this replica to the others on its store.', sent),
  counter('repertoire_bus_received_total', 'Messages of others that this replica heard.', received),
  counter('repertoire_bus_gaps_total', 'Times that this replica may have missed messages and looked again.', gaps),
];

type BusCounts = ReturnType<Store['bus']['counts']>;
