// `/metrics`: what was counted and how things stand now, for Prometheus (H2).
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { documentNames } from '../../../operations/limited-logs.ts';
import type { Repertoire } from '../../../repertoire/repertoire.ts';
import type { Runtime } from '../../../skills/run/runtime.ts';
import { METRICS_TYPE } from '../contract/service.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { counter, type Family, gauge, prometheusText } from '../metrics/prometheus.ts';
import type { Handlers } from './handler.ts';

interface MetricsParts {
  readonly repertoire: Repertoire;
  readonly runtime: Pick<Runtime, 'skills' | 'lost'>;
  readonly metrics: Metrics;
  readonly version: string;
  /** What others can tell: open sessions, connections, the store's pool. */
  readonly gauges: () => readonly Family[];
}

/** The delay is measured by a timer of this length, which is no delay itself. */
const RESOLUTION_MS = 20;

export function metricsHandlers(parts: MetricsParts): Pick<Handlers, 'getMetrics'> {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  const readDelay = (): readonly Family[] => {
    const families = [50, 99].map((percentile) =>
      gauge(
        `nodejs_eventloop_delay_p${percentile}_seconds`,
        `How late the event loop was since the last look, percentile ${percentile}.`,
        Math.max(0, delay.percentile(percentile) / 1e9 - RESOLUTION_MS / 1e3),
      ),
    );
    delay.reset();
    return families;
  };
  return {
    getMetrics: ({ admitted: { caller } }) => {
      const repertoire = parts.repertoire.for(caller);
      const names = repertoire === parts.repertoire ? undefined : documentNames(repertoire);
      const families = [
        ...parts.metrics.families(names),
        ...stateOf({ ...parts, repertoire }),
        ...parts.gauges(),
        ...processState(),
        ...readDelay(),
      ];
      const body = Buffer.from(prometheusText(families));
      return { status: 200, headers: { 'Content-Type': METRICS_TYPE, 'Content-Length': body.length }, body };
    },
  };
}

function stateOf({ repertoire, runtime, version }: MetricsParts): readonly Family[] {
  const { skills, problems } = repertoire.snapshot;
  return [
    gauge('repertoire_info', 'The running version.', 1, { version }),
    {
      name: 'repertoire_catalog_skills',
      help: 'Skills that this replica serves, by kind.',
      type: 'gauge',
      samples: [
        { labels: { kind: 'document' }, value: skills.length },
        { labels: { kind: 'typed' }, value: runtime.skills.length },
      ],
    },
    gauge('repertoire_problems', 'Skills that this replica does not serve, or not as written.', problems.length),
    counter('repertoire_invocations_lost_total', 'Results of this replica that the log did not take.', runtime.lost()),
  ];
}

function processState(): readonly Family[] {
  const { user, system } = process.cpuUsage();
  return [
    gauge('process_resident_memory_bytes', 'Memory that the process holds.', process.memoryUsage.rss()),
    counter('process_cpu_seconds_total', 'Processor time that the process has used.', (user + system) / 1e6),
    gauge('process_uptime_seconds', 'How long the process runs.', process.uptime()),
  ];
}
