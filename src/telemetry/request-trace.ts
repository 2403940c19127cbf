// One HTTP request as a span and a measurement, by the semantic conventions for HTTP; what came over MCP is its own.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Attributes, RequestTrace, Span, SpanError, TracedMessage, TracedOperation } from '../values/trace.ts';
import { beginOperation } from './mcp-operation.ts';
import type { Sampler } from './sampler.ts';
import type { ServerMetrics } from './server-metrics.ts';
import { beginServerSpan, type Moment, momentNow, newTraceId, type RunningSpan, type TakeSpan } from './span.ts';
import { tellingText } from './telling-text.ts';
import { parseTraceContext, type TraceContext } from './trace-context.ts';

/** A request as the server has received it. */
export interface Received {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Without the query, which holds what was asked for. */
  readonly path: string;
  /** Of the client, behind proxies that are trusted. */
  readonly address: string;
}

export interface TraceParts {
  readonly metrics: ServerMetrics;
  readonly sampler: Sampler;
  /** Absent: no traces are sent. */
  readonly take: TakeSpan | undefined;
}

export function createObserver(parts: TraceParts): (received: Received) => RequestTrace {
  return (received) => {
    const trace = new ObservedRequest(received, parts);
    received.response.once('close', () => trace.end());
    return trace;
  };
}

class ObservedRequest implements RequestTrace {
  readonly #received: Received;
  readonly #parts: TraceParts;
  readonly #began = momentNow();
  readonly #caller: TraceContext | undefined;
  #route: string | undefined;
  #span: RunningSpan | undefined;

  constructor(received: Received, parts: TraceParts) {
    this.#received = received;
    this.#parts = parts;
    const { traceparent, tracestate } = received.request.headers;
    this.#caller = parseTraceContext(traceparent, tracestate);
  }

  get span(): Span | undefined {
    return this.#span;
  }

  answeredBy(route: string | undefined): void {
    this.#route = route;
    this.#span ??= this.#begin(this.#caller, this.#began);
  }

  /** The trace that the message names comes before that of the connection, which is linked then. */
  begin(message: TracedMessage): TracedOperation {
    this.#route ??= this.#received.path;
    const { _meta: meta } = message.params;
    const named = parseTraceContext(fieldOf(meta, 'traceparent'), fieldOf(meta, 'tracestate'));
    const links = named !== undefined && this.#caller !== undefined ? [this.#caller] : [];
    return beginOperation(message, {
      span: this.#begin(named ?? this.#caller, momentNow(), links),
      connection: () => connectionAttributes(this.#received),
      protocolVersion: this.#received.request.httpVersion,
      durations: this.#parts.metrics.operations,
    });
  }

  end(): void {
    const { request, response, path } = this.#received;
    const seconds = (performance.now() - this.#began.monotonicMs) / 1_000;
    // A client that left before there was an answer has none.
    const status = response.headersSent ? response.statusCode : undefined;
    const error = errorOf(status);
    const common = {
      'http.request.method': methodOf(request),
      'url.scheme': 'http',
      'http.route': this.#route,
      'http.response.status_code': status,
      'network.protocol.version': request.httpVersion,
    };
    this.#parts.metrics.requests.record(seconds, { ...common, 'error.type': error?.type });
    const name = [methodOf(request) === OTHER ? 'HTTP' : methodOf(request), this.#route].filter(Boolean).join(' ');
    this.#span?.endAs(
      name,
      {
        ...common,
        'http.request.method_original': methodOf(request) === OTHER ? tellingText(request.method ?? '', 32) : undefined,
        'url.path': tellingText(path, 1_024),
        'user_agent.original': textOf(request.headers['user-agent']),
        ...connectionAttributes(this.#received),
      },
      error,
    );
  }

  #begin(parent: TraceContext | undefined, began: Moment, links?: readonly TraceContext[]): RunningSpan | undefined {
    const { take, sampler } = this.#parts;
    if (take === undefined) return undefined;
    const traceId = parent?.traceId ?? newTraceId();
    if (!sampler(traceId, parent)) return undefined;
    return beginServerSpan({ traceId, parent, began, take, ...(links && { links }) });
  }
}

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;

const KNOWN_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const OTHER = '_OTHER';

const methodOf = ({ method = '' }: IncomingMessage): string => (KNOWN_METHODS.has(method) ? method : OTHER);

/** What a client did wrong is no fault of the server. */
function errorOf(status: number | undefined): SpanError | undefined {
  if (status === undefined) return { type: 'client_gone' };
  return status >= 500 ? { type: String(status) } : undefined;
}

function connectionAttributes({ request: { headers, socket }, address }: Received): Attributes {
  const [, host, port] = /^(\[[^\]]*\]|[^:]*)(?::(\d{1,5}))?$/.exec(headers.host ?? '') ?? [];
  return {
    'client.address': address === '' ? undefined : address,
    'client.port': address === socket.remoteAddress ? socket.remotePort : undefined,
    'server.address': host ? tellingText(host.replace(/^\[|\]$/g, '')) : undefined,
    'server.port': port === undefined ? undefined : Number(port),
  };
}

const textOf = (header: string | undefined): string | undefined =>
  header === undefined ? undefined : tellingText(header);
