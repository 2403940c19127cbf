// Every route of the API by its id. ROUTES are routed and validated; with those of the door they are described.
import { OPERATIONS } from '../../../operations/index.ts';
import type { ValuesOf } from '../../../operations/shape.ts';
import { dashboardRoutes } from './dashboard.ts';
import { documentRoutes } from './documents.ts';
import { openAiRoutes } from './openai.ts';
import { hasRoute, routeOf } from './operation-route.ts';
import type { Route } from './route.ts';
import { doorRoutes, serviceRoutes } from './service.ts';
import { skillIndexRoutes } from './skill-index.ts';

/** Those that are more than an operation: bytes, streams, cookies, texts. Each has a handler of its own. */
const OWN_ROUTES = {
  ...documentRoutes,
  ...openAiRoutes,
  ...dashboardRoutes,
  ...serviceRoutes,
  ...skillIndexRoutes,
};

type OwnRouteId = keyof typeof OWN_ROUTES;

/** What the handlers of these routes are given as their query. */
export type OwnQueries = { readonly [Id in OwnRouteId]: ValuesOf<(typeof OWN_ROUTES)[Id]['query']> };

const ofOperations = OPERATIONS.filter(hasRoute).map((each) => [each.http.id, routeOf(each)] as const);

export const ROUTES: ReadonlyMap<string, Route> = new Map<string, Route>([
  ...ofOperations,
  ...Object.entries(OWN_ROUTES),
]);

export const DESCRIBED_ROUTES: ReadonlyMap<string, Route> = new Map([...ROUTES, ...Object.entries(doorRoutes)]);

export const READY_PATH = OWN_ROUTES.getReadiness.path;
