// `repertoire serve`: the skills over HTTP for one person or a team, until a signal comes. Runs also while the store is away (H6).
import type { RuntimeLog } from '../execution/runtime-log.ts';
import type { Authenticate } from '../identity/authentication.ts';
import type { Result } from '../result.ts';
import { isLoopbackHost } from '../serve/http/allowed-hosts.ts';
import { createApi } from '../serve/http/app.ts';
import { createMetrics, type Metrics } from '../serve/http/metrics.ts';
import { type HttpServer, startHttpServer } from '../serve/http/server.ts';
import { createMcpEndpoint } from '../serve/mcp/wire/http.ts';
import { createFunctionTools } from '../serve/openai/function-tools.ts';
import { type Identities, startIdentities, type TypedSkills } from '../start.ts';
import type { CommandContext, ExitCode } from './command.ts';
import { type LogEvent, openStandardErrorLog } from './event-log.ts';

import { type ServedSkills, startServedSkills } from './served-skills.ts';
import { tellServing } from './tell-serving.ts';

/** Of one agent or user, unless the configuration says otherwise (H5). */
const REQUESTS_PER_MINUTE = 600;

export async function run(context: CommandContext): Promise<ExitCode> {
  const { host, noAuth } = context.settings.http;
  if (noAuth && !isLoopbackHost(host)) return refuse(context, NO_AUTH_BEYOND, 2);
  const signal = context.stopSignal();
  const log = openStandardErrorLog(context.errors.isTerminal);
  const metrics = createMetrics();
  const served = await startSkills(context, log, metrics);
  if (!served.ok) return refuse(context, served.failure, 1);
  const { typed } = served.value;
  try {
    const identities = await startIdentities(typed.settings, typed, log);
    if (!identities.ok) return refuse(context, identities.failure, 1);
    const server = await listen(context, served.value, { log, metrics, authenticate: identities.value.authenticate });
    if (!server.ok) return refuse(context, server.failure, 1);
    await serveUntil(signal, server.value, () =>
      tellServing(context, served.value, serving(server.value, identities.value)),
    );
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
  metrics: Metrics,
): Promise<Result<ServedTyped, string>> {
  const served = await startServedSkills(context.settings, {
    version: context.version,
    log,
    early: false,
    withTyped: true,
    hasBuiltin: true,
    hostsAreHere: isLoopbackHost(context.settings.http.host),
    onLoad: metrics.countLoad,
  });
  // With `withTyped` there are typed skills, be it none.
  return served as Result<ServedTyped, string>;
}

interface ServerParts {
  readonly log: RuntimeLog;
  readonly metrics: Metrics;
  readonly authenticate: Authenticate;
}

function listen(
  { version }: CommandContext,
  { repertoire, table, typed, lostLoads }: ServedTyped,
  { log, metrics, authenticate }: ServerParts,
): Promise<Result<HttpServer, string>> {
  const { runtime, store, settings, callerPerMinute = REQUESTS_PER_MINUTE } = typed;
  const mcp = createMcpEndpoint(table, { log });
  const functionTools = createFunctionTools(repertoire, {
    runtime,
    onError: (error) => log({ level: 'error', message: 'A function tool failed', error: String(error) }),
  });
  const gauges = () => [
    single('gauge', 'repertoire_mcp_sessions', 'Sessions of 2025-era MCP clients.', mcp.sessions),
    single('counter', 'repertoire_loads_lost_total', 'Loads that could not be recorded.', lostLoads()),
  ];
  const logs = settings.isLogged ? store : undefined;
  const api = createApi({
    repertoire,
    runtime,
    store: logs,
    // Also with --no-log: tasks, users and agents are kept there.
    health: store.health,
    functionTools,
    metrics,
    gauges,
    version,
    log,
  });
  const { host, port, allowHosts } = settings.http;
  return startHttpServer({
    host,
    port,
    allowHosts,
    authenticate,
    mcp,
    api,
    requestsPerMinute: callerPerMinute,
    log,
    version,
    onRequest: (_method, _route, status) => metrics.countRequest(status),
  });
}

const single = (type: 'gauge' | 'counter', name: string, help: string, value: number) => ({
  name,
  help,
  type,
  samples: [{ value }],
});

async function serveUntil(signal: AbortSignal, server: HttpServer, tell: () => Promise<void>): Promise<void> {
  const stopped = new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
  await tell();
  await stopped;
  await server.close();
}
