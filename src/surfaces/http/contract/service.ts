// The server about itself: liveness, readiness, metrics and this description (H2).
import { z } from 'zod';
import { jsonAnswer, operation } from './operation.ts';
import { NO_QUERY } from './parameters.ts';

const tag = 'server';

export const health = z.strictObject({ status: z.literal('ok') });

export const readiness = z.strictObject({
  status: z.enum(['ready', 'degraded']),
  reasons: z.array(z.string()).describe('Sentences; empty when ready'),
});

const openApiDocument = z.looseObject({ openapi: z.string() });

export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** Answered before any route, so that it is right while nothing else answers: see public-routes.ts. */
export const doorOperations = {
  getHealth: operation({
    method: 'GET',
    path: '/health',
    tag,
    access: 'public',
    summary: 'Whether the process answers',
    query: NO_QUERY,
    answers: { 200: jsonAnswer('It does', health) },
  }),
};

export const serviceOperations = {
  getReadiness: operation({
    method: 'GET',
    path: '/ready',
    tag,
    access: 'public',
    summary: 'Whether everything can be answered now, and if not, why',
    query: NO_QUERY,
    answers: {
      200: jsonAnswer('Ready', readiness),
      503: jsonAnswer('Degraded: documents are served all the same', readiness),
    },
  }),
  getMetrics: operation({
    method: 'GET',
    path: '/metrics',
    tag,
    access: 'log',
    summary: 'Counters and gauges for Prometheus',
    query: NO_QUERY,
    answers: { 200: { description: 'Prometheus text', mediaType: METRICS_TYPE, schema: z.string() } },
    failures: [400],
  }),
  getOpenApi: operation({
    method: 'GET',
    path: '/api/openapi.json',
    tag,
    summary: 'This description',
    query: NO_QUERY,
    answers: { 200: jsonAnswer('An OpenAPI 3.1 document', openApiDocument) },
    failures: [400],
  }),
};
