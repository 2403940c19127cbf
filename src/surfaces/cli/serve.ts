// `repertoire serve`: the skills over HTTP for one person or a team, until a signal comes. Runs also while the store is away (H6).

import type { NoteLoad } from '../../repertoire/load-log.ts';
import type { RuntimeLog } from '../../skills/record/runtime-log.ts';
import { type Identities, startIdentities, type TypedSkills } from '../../start.ts';
import type { Result } from '../../values/result.ts';
import { openWebFolder, type WebFolder } from '../answers/web-folder.ts';
import { type Api, createApi } from '../http/api.ts';
import { createMetrics, type Metrics } from '../http/metrics/metrics.ts';
import type { Family } from '../http/metrics/prometheus.ts';
import { counter, gauge } from '../http/metrics/prometheus.ts';
import { createLoadEvents, type LoadEvents } from '../http/routes/load-events.ts';
import { isLoopbackHost } from '../http/server/host-header.ts';
import { type HttpServer, startHttpServer } from '../http/server/server.ts';
import type { SkillsApp } from '../mcp/methods/skills-app.ts';
import { createMcpEndpoint } from '../mcp/wire/http.ts';
import { createFunctionTools } from '../openai/function-tools.ts';
import { findAddressFault } from './address-fault.ts';
import { badRootText, findBadRoots } from './bad-roots.ts';
import type { CommandContext, ExitCode } from './command.ts';
import { type LogEvent, openStandardErrorLog } from './event-log.ts';
import { type ServedSkills, startServedSkills } from './served-skills.ts';
import { tellServing } from './tell-serving.ts';
import { watchStore } from './watch-store.ts';

/** Of one agent or user (H5). */
const REQUESTS_PER_MINUTE = 600;

export async function run(context: CommandContext): Promise<ExitCode> {
  const { host, noAuth } = context.settings.http;
  if (noAuth && !isLoopbackHost(host)) return refuse(context, NO_AUTH_BEYOND, 2);
  const fault = findAddressFault(context);
  if (fault !== undefined) return refuse(context, fault.sentence, fault.code);
  const signal = context.stopSignal();
  const log = openStandardErrorLog(context.errors.isTerminal);
  const metrics = createMetrics();
  const loads = createLoadEvents();
  const web = openWebFolder(context.webDirectory);
  const served = await startSkills(context, log, web, (note) => {
    metrics.countLoad(note);
    loads.note(note);
  });
  if (!served.ok) return refuse(context, served.failure, 1);
  const { typed } = served.value;
  try {
    const identities = await startIdentities(typed.settings, typed, log);
    if (!identities.ok) return refuse(context, identities.failure, 1);
    const server = await listen(context, served.value, { log, metrics, loads, web, ...identities.value });
    if (!server.ok) return refuse(context, server.failure, 1);
    tellBadRoots(served.value, log);
    const leave = typed.settings.isLogged ? watchStore(typed.store.health, log) : () => undefined;
    try {
      await serveUntil(signal, server.value, () =>
        tellServing(context, served.value, serving(server.value, identities.value)),
      );
    } finally {
      leave();
    }
  } finally {
    await served.value.close();
  }
  return 0;
}

const NO_AUTH_BEYOND =
  'Option --no-auth does not go with an address that others can reach: leave one of the two out, or use --host 127.0.0.1';

function refuse({ errors }: CommandContext, sentence: string, code: ExitCode): ExitCode {
  errors.write(`${sentence}\n`);
  return code;
}

const serving = ({ url }: HttpServer, { operatorToken }: Identities) => ({ url, operatorToken });

type ServedTyped = ServedSkills & { readonly typed: TypedSkills };

async function startSkills(
  context: CommandContext,
  log: (event: LogEvent) => void,
  app: SkillsApp,
  onLoad: NoteLoad,
): Promise<Result<ServedTyped, string>> {
  const served = await startServedSkills(context.settings, {
    version: context.version,
    log,
    early: false,
    withTyped: true,
    hasBuiltin: true,
    hostsAreHere: isLoopbackHost(context.settings.http.host),
    app,
    onLoad,
  });
  // With `withTyped` there are typed skills, be it none.
  return served as Result<ServedTyped, string>;
}

interface ServerParts extends Pick<Identities, 'authenticate' | 'sessions'> {
  readonly log: RuntimeLog;
  readonly metrics: Metrics;
  readonly loads: LoadEvents;
  readonly web: WebFolder;
}

function listen(
  { version }: CommandContext,
  served: ServedTyped,
  parts: ServerParts,
): Promise<Result<HttpServer, string>> {
  const { log, metrics, web, authenticate, sessions } = parts;
  const { settings } = served.typed;
  const mcp = createMcpEndpoint(served.table, { log });
  const api = createServerApi(version, served, { ...parts, mcpSessions: () => mcp.sessions });
  const { host, port, allowHosts } = settings.http;
  return startHttpServer({
    host,
    port,
    allowHosts,
    authenticate,
    sessions,
    mcp,
    api,
    requestsPerMinute: REQUESTS_PER_MINUTE,
    log,
    webFiles: web.readPages(),
    onRequest: metrics.countRequest,
  });
}

function createServerApi(
  version: string,
  { repertoire, typed, lostLoads }: ServedTyped,
  { log, metrics, loads, sessions, mcpSessions }: ServerParts & { readonly mcpSessions: () => number },
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
  return createApi({
    repertoire,
    runtime,
    store: logs,
    // Also with --no-log: tasks, users and agents are kept there.
    health: store.health,
    overview: logs?.overview,
    agents: store.agents,
    authentication: settings.http.noAuth ? 'off' : 'on',
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
function poolFamilies(connections: Connections | undefined): readonly Family[] {
  if (connections === undefined) return [];
  return [
    gauge('repertoire_store_connections', 'Connections to PostgreSQL.', connections.open),
    gauge('repertoire_store_connections_idle', 'Of them, those that wait for work.', connections.idle),
    gauge('repertoire_store_waiting', 'Statements that wait for a connection.', connections.waiting),
  ];
}

type Connections = NonNullable<ReturnType<TypedSkills['store']['connections']>>;

/** They are looked for again: whoever makes one later need not start the server anew. */
function tellBadRoots({ catalog, typed }: ServedTyped, log: (event: LogEvent) => void): void {
  for (const root of findBadRoots(catalog, typed.settings)) log({ level: 'warn', message: badRootText(root) });
}

async function serveUntil(signal: AbortSignal, server: HttpServer, tell: () => Promise<void>): Promise<void> {
  const stopped = new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
  await tell();
  await stopped;
  await server.close();
}
