// The API described in OpenAPI 3.1, made from the contract: nothing is written down twice.
import type { OperationAccess } from '../../../operations/access.ts';
import { failure } from '../../../operations/failure-shape.ts';
import { componentName, type Shape } from '../../../operations/shape.ts';
import { isRecord } from '../../../values/is-record.ts';
import { FAILURE_DESCRIPTIONS } from './failure.ts';
import { type AnswerDescription, type FailureStatus, JSON_TYPE, type Route } from './route.ts';
import { DESCRIBED_ROUTES } from './routes.ts';

type Json = Readonly<Record<string, unknown>>;

export function openApiDocument(version: string): Json {
  const components: Components = new Map();
  return {
    openapi: '3.1.1',
    info: {
      title: 'Repertoire',
      version,
      description:
        'Every skill there is, typed skills to run, and the log of both. HEAD works wherever GET does. ' +
        'A parameter that is not described, or is given twice, is refused. Fields may be added to answers.',
    },
    tags: [...new Set([...DESCRIBED_ROUTES.values()].map(({ tag }) => tag))].map((name) => ({ name })),
    security: [{ bearer: [] }],
    paths: paths(components),
    components: {
      schemas: Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1))),
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: "The operator's token, an agent's token or a user's token",
        },
      },
    },
  };
}

/** Schemas with a name of their own, collected while the paths are described: whatever uses one refers to it. */
type Components = Map<string, unknown>;

function schemaOf({ schema }: Shape, components: Components): unknown {
  return withReferences(schema, components);
}

function withReferences(value: unknown, components: Components): unknown {
  if (Array.isArray(value)) return value.map((each) => withReferences(each, components));
  if (!isRecord(value)) return value;
  const name = componentName(value);
  if (name === undefined) return inside(value, components);
  if (!components.has(name)) {
    components.set(name, {});
    components.set(name, inside(value, components));
  }
  return { $ref: `#/components/schemas/${name}` };
}

const inside = (schema: Json, components: Components): Json =>
  Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, withReferences(value, components)]));

function paths(components: Components): Json {
  const byPath: Record<string, Record<string, Json>> = {};
  for (const [id, route] of DESCRIBED_ROUTES) {
    const methods = byPath[route.path] ?? {};
    byPath[route.path] = methods;
    methods[route.method.toLowerCase()] = operationJson(id, route, components);
  }
  return byPath;
}

function describeAccess({ who, scope }: OperationAccess): string | undefined {
  if (who !== 'operator') return undefined;
  return scope === undefined
    ? 'For the operator alone.'
    : `For the operator, and for agents with the scope \`${scope}\`.`;
}

function operationJson(id: string, route: Route, components: Components): Json {
  const { tag, summary, body, access } = route;
  const description = describeAccess(access);
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(access.who === 'anyone' && { security: [] }),
    ...(description !== undefined && { description }),
    parameters: parametersOf(route, components),
    ...(body !== undefined && {
      requestBody: {
        description: body.description,
        ...(body.shape.absent === undefined && { required: true }),
        content: { [JSON_TYPE]: { schema: schemaOf(body.shape, components) } },
      },
    }),
    responses: responsesOf(route, components),
  };
}

function parametersOf({ pathParameters, query, headers }: Route, components: Components): readonly Json[] {
  const text = { type: 'string' };
  return [
    ...Object.entries(pathParameters).map(([name, description]) => ({
      name,
      in: 'path',
      required: true,
      description,
      schema: text,
    })),
    ...Object.entries(query).map(([name, shape]) => queryParameter(name, shape, components)),
    ...Object.entries(headers).map(([name, description]) => ({ name, in: 'header', description, schema: text })),
  ];
}

function queryParameter(name: string, shape: Shape, components: Components): Json {
  const { description, ...schema } = inside(shape.schema, components);
  return { name, in: 'query', description, ...(shape.absent === undefined && { required: true }), schema };
}

/** What the guard before every route answers: Host, Origin, credentials and rates. */
const EVERYWHERE: readonly FailureStatus[] = [403, 500];
const WITH_CREDENTIAL: readonly FailureStatus[] = [401, 429];

function responsesOf({ answers, failures, access, failureShape = failure }: Route, components: Components): Json {
  const all = [...EVERYWHERE, ...(access.who === 'anyone' ? [] : WITH_CREDENTIAL), ...failures].sort((a, b) => a - b);
  const failed = (status: FailureStatus) => {
    return { description: FAILURE_DESCRIPTIONS[status], mediaType: JSON_TYPE, shape: failureShape };
  };
  return {
    ...Object.fromEntries(all.map((status) => [status, responseOf(failed(status), components)])),
    ...Object.fromEntries(Object.entries(answers).map(([status, each]) => [status, responseOf(each, components)])),
  };
}

function responseOf({ description, mediaType, shape }: AnswerDescription, components: Components): Json {
  if (mediaType === '') return { description };
  const content = shape === undefined ? {} : { schema: schemaOf(shape, components) };
  return { description, content: { [mediaType]: content } };
}
