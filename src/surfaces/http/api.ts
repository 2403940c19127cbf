// The JSON API: finds the route of a request, checks what came with it, and sends what its handler answers (H2, H3).

import { monotonicMs } from '../../async/monotonic-clock.ts';
import type { AgentStore } from '../../identity/agents.ts';
import type { DashboardSessions } from '../../identity/dashboard-sessions.ts';
import type { OAuthStore } from '../../identity/oauth.ts';
import type { PeopleStore } from '../../identity/people.ts';
import type { SeenClients } from '../../identity/seen-clients.ts';
import { actorOf, type Trail } from '../../identity/trail.ts';
import type { Library } from '../../library/library.ts';
import { findAccessFault } from '../../operations/access.ts';
import type { HostGuide } from '../../operations/connect.ts';
import { limitLibrary, limitTrail } from '../../operations/limited-library.ts';
import { limitLogs } from '../../operations/limited-logs.ts';
import { limitRuns } from '../../operations/limited-runs.ts';
import type { Logs } from '../../operations/log.ts';
import { createSkillFindings, type SkillFindings } from '../../operations/skill-findings.ts';
import type { SourceBook } from '../../operations/sources.ts';
import type { UpkeepPort } from '../../operations/upkeep.ts';
import type { Repertoire } from '../../repertoire/repertoire.ts';
import type { Runs } from '../../skills/durable/runs.ts';
import { describeError } from '../../skills/record/describe-error.ts';
import type { OverviewLog } from '../../skills/record/overview-log.ts';
import type { RuntimeLog } from '../../skills/record/runtime-log.ts';
import type { Runtime } from '../../skills/run/runtime.ts';
import { withoutCredentials } from '../../text/credentials.ts';
import { echoText } from '../../text/list-text.ts';
import type { JsonObject } from '../../values/json-object.ts';
import type { FunctionTools } from '../openai/function-tools.ts';
import { READY_PATH, ROUTES } from './contract/routes.ts';
import type { AdmittedRequest } from './message/admitted-request.ts';
import { createFewLines, type SayFew } from './message/few-lines.ts';
import { invalid, notFound, type Reply, refuse, send } from './message/reply.ts';
import type { Metrics } from './metrics/metrics.ts';
import type { Family } from './metrics/prometheus.ts';
import { createQueryReader, type QueryReader } from './query.ts';
import { createRouter, type Router } from './router.ts';
import { documentHandlers } from './routes/documents.ts';
import { eventHandlers, type LoadEvents, type Replicas } from './routes/events.ts';
import { fileHandlers } from './routes/files.ts';
import type { Handler, Handlers } from './routes/handler.ts';
import { metricsHandlers } from './routes/metrics.ts';
import { openAiHandlers } from './routes/openai.ts';
import { operationHandlers } from './routes/operations.ts';
import { overviewHandlers } from './routes/overview.ts';
import { createReadiness, type ReadinessParts, serviceHandlers } from './routes/service.ts';
import { sessionHandlers } from './routes/session.ts';
import { skillIndexHandlers } from './routes/skill-index.ts';

export interface ApiParts {
  readonly repertoire: Repertoire;
  readonly runtime: Runtime;
  /** `undefined` with `--no-log`. */
  readonly runs?: Runs | undefined;
  /** `undefined` with `--no-log`. */
  readonly store: (Logs & { readonly health: NonNullable<ReadinessParts['health']> }) | undefined;
  /** Of a store that is not the log's: with `--no-log` typed skills may still need one. */
  readonly health?: ReadinessParts['health'];
  /** `undefined` with `--no-log`. */
  readonly overview: OverviewLog | undefined;
  readonly agents: AgentStore;
  /** That people let in by OAuth. */
  readonly oauthClients: Pick<OAuthStore, 'list' | 'revokeClient'>;
  readonly people: PeopleStore;
  /** Roles that document skills are limited to (N4). */
  readonly documentRoles?: readonly string[];
  readonly trail: Pick<Trail, 'list'>;
  readonly library: Library;
  /** Looks what of it is current now. */
  readonly refreshLibrary?: (() => void) | undefined;
  /** Where pinned skills come from. */
  readonly sources: SourceBook;
  readonly upkeep: UpkeepPort;
  /** Those that came over MCP. */
  readonly clients: SeenClients;
  /** What pages say about starting this program, and connecting hosts to it. */
  readonly guide: HostGuide;
  /** off: a caller without a credential is the operator (`--no-auth`). */
  readonly authentication: 'on' | 'off';
  readonly sessions: DashboardSessions;
  readonly loads: Pick<LoadEvents, 'subscribe'>;
  /** For events of other replicas. */
  readonly replicas?: Replicas;
  readonly functionTools: FunctionTools;
  readonly metrics: Metrics;
  /** Further families for `/metrics`: sessions, connections, the store's pool. */
  readonly gauges?: () => readonly Family[];
  readonly version: string;
  readonly log: RuntimeLog;
  readonly now?: () => Date;
}

export interface Api {
  /** Answers now or later; never throws. */
  handle(admitted: AdmittedRequest): void;
  /** What a route takes; absent: the path has none. */
  methodsOf(path: string): string | undefined;
  /** Ends the streams, which would never end by themselves. */
  close(): void;
}

export function createApi(parts: ApiParts): Api {
  const { close, handlers } = createHandlers(parts);
  const table: Table = { route: createRouter(), queryOf: createQueryReader(), handlers };
  const { repertoire, log } = parts;
  parts.runtime.subscribe(parts.metrics.countInvocation);
  const failed = (admitted: AdmittedRequest, error: unknown) => {
    const { correlationId: correlation_id, path } = admitted;
    log({
      level: 'error',
      message: `Cannot answer ${echoText(path, 200)}`,
      correlation_id,
      error: describeError(error),
    });
    send(admitted, INTERNAL);
  };
  const say = createFewLines(log, monotonicMs);
  const deliver = (admitted: AdmittedRequest, reply: Reply) => {
    noteRefusal(admitted, reply, say);
    send(admitted, reply);
  };
  const answer = (admitted: AdmittedRequest) => {
    try {
      const reply = replyTo(admitted, table);
      // At once where everything is known: a promise costs as much as a prepared answer.
      if (!(reply instanceof Promise)) deliver(admitted, reply);
      else reply.then((later) => deliver(admitted, later)).catch((error: unknown) => failed(admitted, error));
    } catch (error) {
      failed(admitted, error);
    }
  };
  return {
    methodsOf: (path) => {
      const match = table.route('', path);
      return match.kind === 'wrong method' ? match.allow : undefined;
    },
    handle: (admitted) => {
      if (repertoire.isWhole || admitted.path === READY_PATH) answer(admitted);
      // Lookups wait until every skill is known.
      else
        repertoire.whole().then(
          () => answer(admitted),
          (error: unknown) => failed(admitted, error),
        );
    },
    close,
  };
}

/** Who tried to change what they may not, or what is not there for them, is recorded: an approval above all. So is a look at others' runs. */
function noteRefusal({ request, path, caller, correlationId }: AdmittedRequest, reply: Reply, say: SayFew): void {
  const isLook = request.method === 'GET' || request.method === 'HEAD';
  if (!('code' in reply) || (isLook && !path.startsWith(ONE_INVOCATION))) return;
  if (reply.code !== 'UNAUTHORIZED' && reply.code !== 'NOT_FOUND') return;
  say(`Refused a request: ${reply.code}`, () => ({
    method: request.method,
    path: withoutCredentials(echoText(path, 200)),
    actor: actorOf(caller),
    ...reply.parameters,
    correlation_id: correlationId,
  }));
}

const ONE_INVOCATION = '/api/invocations/';

const INTERNAL = refuse('INTERNAL_ERROR', {});

function createHandlers(parts: ApiParts): { readonly handlers: Table['handlers']; readonly close: () => void } {
  const { repertoire, runtime, store, functionTools, version, log, now = () => new Date(), gauges = () => [] } = parts;
  const { agents, oauthClients, people, trail, library, refreshLibrary, sources, upkeep, clients, guide, runs } = parts;
  const onError = (error: unknown) =>
    log({ level: 'error', message: 'Cannot look at the store', error: describeError(error) });
  const readiness = createReadiness({ repertoire, health: parts.health ?? store?.health, monotonicMs, onError });
  const findingsOf = new WeakMap<Repertoire, SkillFindings>();
  const findingsIn = (view: Repertoire) => {
    const known = findingsOf.get(view) ?? createSkillFindings(view);
    findingsOf.set(view, known);
    return known;
  };
  const { close, ...events } = eventHandlers({ ...parts, now });
  const own: Handlers = {
    ...documentHandlers(repertoire, findingsIn),
    ...fileHandlers(repertoire),
    ...skillIndexHandlers(repertoire),
    ...openAiHandlers(functionTools),
    ...metricsHandlers({ ...parts, gauges }),
    ...serviceHandlers(readiness, version),
    ...sessionHandlers({ ...parts, now }),
    ...overviewHandlers({ ...parts, readiness, now, monotonicMs }),
    ...events,
  };
  const ports = {
    ...{
      runtime,
      runs,
      agents,
      oauthClients,
      people,
      documentRoles: parts.documentRoles ?? [],
      trail,
      clients,
      guide,
      now,
      library,
      refreshLibrary,
      sources,
      upkeep,
    },
  };
  const ofOperations = operationHandlers(repertoire, (view) => {
    const shown = { ...ports, repertoire: view, findings: findingsIn(view), logs: store };
    return view === repertoire
      ? () => shown
      : (caller) => ({
          ...shown,
          logs: store && limitLogs(store, { view, all: repertoire }, caller),
          runs: runs && limitRuns(runs, caller),
          library: limitLibrary(library, repertoire, caller),
          trail: limitTrail(trail, view),
        });
  });
  // Each takes what the fields of its own route give, and that is what was read.
  return { handlers: new Map([...Object.entries(own), ...ofOperations]) as Table['handlers'], close };
}

interface Table {
  readonly route: Router;
  readonly queryOf: QueryReader;
  /** By the id of the route. */
  readonly handlers: ReadonlyMap<string, Handler<JsonObject>>;
}

function replyTo(admitted: AdmittedRequest, { route, queryOf, handlers }: Table): Reply | Promise<Reply> {
  const { request, path, caller } = admitted;
  const match = route(request.method ?? '', path);
  admitted.trace?.answeredBy(match.kind === 'route' ? ROUTES.get(match.id)?.path : undefined);
  if (match.kind === 'unknown') return notFound(`route ${echoText(path, 200)}`);
  if (match.kind === 'bad encoding') return invalid('path: is not percent-encoded UTF-8');
  if (match.kind === 'wrong method') return wrongMethod(match.allow);
  const [described, handle] = [ROUTES.get(match.id), handlers.get(match.id)];
  if (described === undefined || handle === undefined) throw new Error(`The route ${match.id} has no handler`);
  const reason = findAccessFault(described.access, caller);
  if (reason !== undefined) return refuse('UNAUTHORIZED', { reason });
  const query = queryOf(match.id, request.url ?? '');
  return query.ok ? handle({ admitted, parts: match.parts, query: query.value }) : invalid(query.failure);
}

const wrongMethod = (allow: string): Reply =>
  refuse('VALIDATION_ERROR', { details: `this route takes ${allow}` }, { status: 405, headers: { Allow: allow } });
