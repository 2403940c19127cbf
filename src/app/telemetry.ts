// Telemetry of a server, where a collector was named: loaded then, and told of what runs and what is read (N5).
import type { Settings } from '../settings/config.ts';
import type { Runtime } from '../skills/run/runtime.ts';
import { counter, type Family } from '../surfaces/http/metrics/prometheus.ts';
import type { Telemetry, TelemetryParts } from '../telemetry/telemetry.ts';

export async function openServerTelemetry(
  { http }: Settings,
  runtime: Pick<Runtime, 'subscribe'>,
  parts: TelemetryParts,
): Promise<Telemetry | undefined> {
  if (http.telemetry === undefined) return undefined;
  const { openTelemetry } = await import('../telemetry/telemetry.ts');
  const telemetry = openTelemetry(http.telemetry, parts);
  if (telemetry === undefined) return undefined;
  runtime.subscribe((event) => {
    if (event.type !== 'end') return;
    const { invocation, result } = event;
    telemetry.countInvocation(invocation.skillName, result.success ? 'success' : result.failure.code);
  });
  return telemetry;
}

/** For `/metrics`. */
export const telemetryFamilies = (telemetry: Telemetry | undefined): readonly Family[] =>
  telemetry === undefined
    ? []
    : [
        counter(
          'repertoire_telemetry_dropped_total',
          'Spans and rounds of metrics that the collector did not take.',
          telemetry.dropped(),
        ),
      ];
