// Whether telemetry is asked for, by the variables of OpenTelemetry. What they say is read by telemetry/, which is loaded then.
import type { Environment } from './config.ts';

const ENDPOINTS = [
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
  'OTEL_EXPORTER_OTLP_METRICS_ENDPOINT',
];

/** The variables, where they name a collector. An empty one counts as unset. */
export function telemetryVariablesIn({
  variables,
}: Pick<Environment, 'variables'>): Environment['variables'] | undefined {
  const isOff = variables.OTEL_SDK_DISABLED?.trim().toLowerCase() === 'true';
  return !isOff && ENDPOINTS.some((name) => variables[name]?.trim()) ? variables : undefined;
}
