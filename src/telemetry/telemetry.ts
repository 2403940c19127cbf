// Telemetry of one server as OpenTelemetry wants it: spans and metrics, sent to a collector in the background.
// Loaded only where a collector was named; nothing of it delays or fails a request (F13).
import { randomUUID } from 'node:crypto';
import { keptPromise } from '../async/kept-promise.ts';
import { doneWithin } from '../async/within.ts';
import type { Attributes, RequestTrace, ResumeSpan } from '../values/trace.ts';
import { type AwayNotes, createSender, type Send, type TelemetryLog } from './collector.ts';
import { encodeMetrics, encodeSpans, type Source } from './otlp-json.ts';
import { createObserver, type Received } from './request-trace.ts';
import { createServerMetrics, type ServerMetrics } from './server-metrics.ts';
import { resumedSpan, type TakeSpan } from './span.ts';
import { createSpanQueue, type SpanQueue } from './span-queue.ts';
import { parseTraceContext } from './trace-context.ts';
import { parseVariables, type SignalOptions, type TelemetryOptions, type Variables } from './variables.ts';

export interface Telemetry {
  /** For every request, when it has come. */
  readonly observe: (received: Received) => RequestTrace;
  /** For work that goes on after its request, or in another process than that. */
  readonly resume: ResumeSpan;
  readonly countInvocation: (skill: string, outcome: string) => void;
  readonly countLoad: (skill: string, surface: string) => void;
  readonly noteSession: (ended: { readonly seconds: number; readonly version: string | undefined }) => void;
  /** Spans, and rounds of metrics, that were not sent and never will be. */
  readonly dropped: () => number;
  /** Sends what is there, as far as the time allows. Never rejects. */
  readonly close: () => Promise<void>;
}

export interface TelemetryParts {
  readonly version: string;
  readonly log: TelemetryLog;
}

/** A stop has ten seconds for everything (F11). */
const CLOSE_MS = 1_500;

/** `undefined`: nothing that was asked for can be sent. Told either way. */
export function openTelemetry(variables: Variables, { version, log }: TelemetryParts): Telemetry | undefined {
  const { options, problems } = parseVariables(variables);
  for (const message of problems) log({ level: 'warn', message });
  if (options.traces === undefined && options.metrics === undefined) return undefined;
  const stop = new AbortController();
  const away: AwayNotes = new Set();
  const source: Source = { version, resource: resourceOf(options.resource, version) };
  const sender = (what: string, signal: SignalOptions | undefined): Send | undefined =>
    signal && createSender({ ...signal, what, log, away, stop: stop.signal });
  const metrics = createServerMetrics();
  const queue = openQueue(options, source, sender('traces', options.traces));
  const rounds = openRounds(options, source, metrics, sender('metrics', options.metrics));
  const take: TakeSpan | undefined = queue && ((span) => queue.take(span));
  const observe = createObserver({ metrics, sampler: options.sampler, take });
  const closed = keptPromise(async () => {
    const sent = Promise.all([queue?.flush(), rounds.close()]);
    if (!(await doneWithin(sent, CLOSE_MS))) stop.abort();
    await sent;
    queue?.close();
  });
  return {
    observe,
    resume: ({ traceparent, tracestate }) => {
      const context = parseTraceContext(traceparent, tracestate);
      return take && context && resumedSpan(context, take);
    },
    countInvocation: (skill, outcome) =>
      metrics.invocations.add({ 'repertoire.skill': skill, 'repertoire.outcome': outcome }),
    countLoad: (skill, surface) => metrics.loads.add({ 'repertoire.skill': skill, 'repertoire.surface': surface }),
    noteSession: ({ seconds, version: protocol }) => metrics.sessions.record(seconds, sessionAttributes(protocol)),
    dropped: () => (queue?.dropped ?? 0) + rounds.dropped(),
    close: closed.get,
  };
}

const sessionAttributes = (version: string | undefined): Attributes => ({
  'mcp.protocol.version': version,
  'network.protocol.name': 'http',
  'network.transport': 'tcp',
});

/** What the operator says of the service comes before what it says of itself. */
const resourceOf = (given: Attributes, version: string): Attributes => ({
  'service.name': 'repertoire',
  'service.version': version,
  'service.instance.id': randomUUID(),
  'telemetry.sdk.name': 'repertoire',
  'telemetry.sdk.language': 'nodejs',
  'telemetry.sdk.version': version,
  ...given,
});

function openQueue({ batch }: TelemetryOptions, source: Source, send: Send | undefined): SpanQueue | undefined {
  return send && createSpanQueue({ ...batch, send, encode: (spans) => encodeSpans(spans, source) });
}

interface Rounds {
  readonly dropped: () => number;
  /** With a last round. */
  readonly close: () => Promise<void>;
}

const NO_ROUNDS: Rounds = { dropped: () => 0, close: async () => undefined };

/** A round that is still on its way when the next is due is enough: it counts since the start. */
function openRounds(
  { metricsEveryMs, metricsWithinMs }: TelemetryOptions,
  source: Source,
  metrics: ServerMetrics,
  send: Send | undefined,
): Rounds {
  if (send === undefined) return NO_ROUNDS;
  const startMs = Date.now();
  let dropped = 0;
  let going: Promise<void> | undefined;
  const round = async (): Promise<void> => {
    const body = encodeMetrics(metrics.read(), source, { startMs, endMs: Date.now() });
    if (!(await send(body, metricsWithinMs))) dropped += 1;
    going = undefined;
  };
  const timer = setInterval(() => {
    going ??= round();
  }, metricsEveryMs).unref();
  return {
    dropped: () => dropped,
    close: async () => {
      clearInterval(timer);
      await going;
      await round();
    },
  };
}
