// What is counted and measured of a server, under the names of the semantic conventions, and ours where they have none.
import { createCounter, createHistogram, type MetricData } from './instruments.ts';

/** The boundaries that the conventions recommend, in seconds. */
const HTTP_BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
const MCP_BOUNDS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300];

export type ServerMetrics = ReturnType<typeof createServerMetrics>;

export function createServerMetrics() {
  const requests = createHistogram(
    { name: 'http.server.request.duration', unit: 's', description: 'Duration of HTTP requests.' },
    HTTP_BOUNDS,
  );
  const operations = createHistogram(
    { name: 'mcp.server.operation.duration', unit: 's', description: 'Duration of MCP requests and notifications.' },
    MCP_BOUNDS,
  );
  const sessions = createHistogram(
    { name: 'mcp.server.session.duration', unit: 's', description: 'Duration of MCP sessions.' },
    MCP_BOUNDS,
  );
  const invocations = createCounter({
    name: 'repertoire.invocations',
    unit: '{invocation}',
    description: 'Typed skills that ran, by outcome: success or the failure code.',
  });
  const loads = createCounter({
    name: 'repertoire.loads',
    unit: '{load}',
    description: 'Document skills that were read, by surface.',
  });
  return {
    requests,
    operations,
    sessions,
    invocations,
    loads,
    read: (): readonly MetricData[] => [requests, operations, sessions, invocations, loads].map((each) => each.read()),
  };
}
