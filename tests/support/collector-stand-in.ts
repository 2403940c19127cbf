// A collector on loopback: takes OTLP in JSON and keeps it, or behaves as badly as a test wants.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { vi } from 'vitest';
import { PATIENCE_MS } from './patience.ts';

type Fields = Readonly<Record<string, unknown>>;

interface Attribute {
  readonly key: string;
  readonly value: {
    readonly stringValue?: string;
    readonly intValue?: string;
    readonly boolValue?: boolean;
    readonly doubleValue?: number;
  };
}

interface RawSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly Attribute[];
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly status: { readonly code?: number; readonly message?: string };
}

/** A span as it came, with its attributes as an object. */
export interface CollectedSpan extends Omit<RawSpan, 'attributes'> {
  readonly attributes: Fields;
}

interface DataPoint {
  readonly attributes: Fields;
  readonly count?: string;
  readonly asInt?: string;
  readonly explicitBounds?: readonly number[];
  readonly bucketCounts?: readonly string[];
}

interface Received {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

/** How a request is answered. `hang`: never. */
type Manner = 'take' | 'hang' | { readonly status: number; readonly headers?: Readonly<Record<string, string>> };

export interface CollectorStandIn {
  readonly url: string;
  readonly received: readonly Received[];
  manner: Manner;
  readonly spans: () => readonly CollectedSpan[];
  /** Of the last round. */
  readonly points: (metric: string) => readonly DataPoint[];
  readonly resource: () => Fields;
  /** All spans of a trace, once there is one that fits. */
  readonly traceWith: (isIt: (span: CollectedSpan) => boolean) => Promise<readonly CollectedSpan[]>;
  readonly close: () => Promise<void>;
}

export async function startCollector(port = 0): Promise<CollectorStandIn> {
  const received: Received[] = [];
  const state: { manner: Manner } = { manner: 'take' };
  const server = createServer((request, response) => {
    void read(request).then((text) => {
      received.push({ path: request.url ?? '', headers: request.headers, text });
      answer(response, state.manner);
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const spans = () => spansIn(received);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    get manner() {
      return state.manner;
    },
    set manner(manner) {
      state.manner = manner;
    },
    spans,
    points: (metric) => pointsIn(received, metric),
    resource: () => resourceIn(received),
    traceWith: async (isIt) => {
      const found = await vi.waitUntil(() => spans().find(isIt), { timeout: PATIENCE_MS, interval: 20 });
      return spans().filter(({ traceId }) => traceId === found.traceId);
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  return (request.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString();
}

function answer(response: ServerResponse, manner: Manner): void {
  if (manner === 'hang') return;
  if (manner === 'take') response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  else response.writeHead(manner.status, { ...manner.headers }).end('no');
}

interface TracesBody {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly RawSpan[] }[];
  }[];
}

interface RawPoint extends Omit<DataPoint, 'attributes'> {
  readonly attributes: readonly Attribute[];
}

interface Points {
  readonly aggregationTemporality: number;
  readonly dataPoints: readonly RawPoint[];
}

interface MetricsBody {
  readonly resourceMetrics: readonly {
    readonly scopeMetrics: readonly {
      readonly metrics: readonly { readonly name: string; readonly sum?: Points; readonly histogram?: Points }[];
    }[];
  }[];
}

// What the collector is sent is what these types say, or the test that looks at it fails.
const bodiesAt = <T>(received: readonly Received[], path: string): readonly T[] =>
  received.filter((each) => each.path === path).map(({ text }) => JSON.parse(text) as T);

const spansIn = (received: readonly Received[]): readonly CollectedSpan[] =>
  bodiesAt<TracesBody>(received, '/v1/traces')
    .flatMap(({ resourceSpans }) => resourceSpans)
    .flatMap(({ scopeSpans }) => scopeSpans)
    .flatMap(({ spans }) => spans.map((span) => ({ ...span, attributes: fieldsOf(span.attributes) })));

function pointsIn(received: readonly Received[], metric: string): readonly DataPoint[] {
  const last = bodiesAt<MetricsBody>(received, '/v1/metrics').at(-1);
  const metrics = (last?.resourceMetrics ?? []).flatMap(({ scopeMetrics }) =>
    scopeMetrics.flatMap((each) => each.metrics),
  );
  return metrics
    .filter(({ name }) => name === metric)
    .flatMap(({ sum, histogram }) => (sum ?? histogram)?.dataPoints ?? [])
    .map((point) => ({ ...point, attributes: fieldsOf(point.attributes) }));
}

const resourceIn = (received: readonly Received[]): Fields =>
  fieldsOf(bodiesAt<TracesBody>(received, '/v1/traces').at(-1)?.resourceSpans[0]?.resource.attributes ?? []);

const fieldsOf = (attributes: readonly Attribute[]): Fields =>
  Object.fromEntries(
    attributes.map(({ key, value: { stringValue, intValue, boolValue, doubleValue } }) => [
      key,
      stringValue ?? boolValue ?? doubleValue ?? Number(intValue),
    ]),
  );
