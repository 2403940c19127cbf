// The server about itself: liveness, readiness, metrics and this description (H2).
import { ANYONE, LOG_READERS } from '../../../operations/access.ts';
import { choice, exactly, list, object, record, text } from '../../../operations/shape.ts';
import { jsonAnswer, route } from './route.ts';

const tag = 'server';

const health = record({ status: exactly('ok') }).named('Health');

export const readiness = record({
  status: choice(['ready', 'degraded']),
  reasons: list(text()).about('Sentences; empty when ready'),
}).named('Readiness');

export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** Answered before any route, so that it is right while nothing else answers: see public-routes.ts. */
export const doorRoutes = {
  getHealth: route({
    method: 'GET',
    path: '/health',
    tag,
    access: ANYONE,
    summary: 'Whether the process answers',
    answers: { 200: jsonAnswer('It does', health) },
    failures: [],
  }),
};

export const serviceRoutes = {
  getReadiness: route({
    method: 'GET',
    path: '/ready',
    tag,
    access: ANYONE,
    summary: 'Whether everything can be answered now, and if not, why',
    answers: {
      200: jsonAnswer('Ready', readiness),
      503: jsonAnswer('Degraded: documents are still served', readiness),
    },
    failures: [],
  }),
  getMetrics: route({
    method: 'GET',
    path: '/metrics',
    tag,
    access: LOG_READERS,
    summary: 'Counters and gauges for Prometheus',
    answers: { 200: { description: 'Prometheus text', mediaType: METRICS_TYPE, shape: text() } },
  }),
  getOpenApi: route({
    method: 'GET',
    path: '/api/openapi.json',
    tag,
    summary: 'This description',
    answers: { 200: jsonAnswer('An OpenAPI 3.1 document', object) },
  }),
};
