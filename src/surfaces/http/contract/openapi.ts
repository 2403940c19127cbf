// The API described in OpenAPI 3.1, made from the contract: nothing is written down twice.
import { z } from 'zod';
import * as dashboard from './dashboard.ts';
import * as documents from './documents.ts';
import { FAILURE_DESCRIPTIONS, failure } from './failure.ts';
import * as log from './log.ts';
import * as openai from './openai.ts';
import {
  type AnswerDescription,
  type FailureStatus,
  JSON_TYPE,
  type Operation,
  type OperationAccess,
} from './operation.ts';
import { DESCRIBED_OPERATIONS } from './operations.ts';
import * as service from './service.ts';
import * as typed from './typed-skills.ts';

type Json = Readonly<Record<string, unknown>>;

export function openApiDocument(version: string): Json {
  return {
    openapi: '3.1.1',
    info: {
      title: 'Repertoire',
      version,
      description:
        'Every skill there is, typed skills to run, and the log of both. HEAD works wherever GET does. ' +
        'A parameter that is not described, or is given twice, is refused. Fields may be added to answers.',
    },
    tags: [...new Set(Object.values(DESCRIBED_OPERATIONS).map(({ tag }) => tag))].map((name) => ({ name })),
    security: [{ bearer: [] }],
    paths: paths(),
    components: {
      schemas: componentSchemas(),
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

/** Schemas with a name of their own; whatever uses one refers to it. */
const COMPONENTS = {
  Failure: failure,
  DocumentSummary: documents.documentSummary,
  DocumentList: documents.documentList,
  Document: documents.document,
  DocumentFile: documents.documentFile,
  Problem: documents.problem,
  ProblemList: documents.problemList,
  Finding: documents.finding,
  Namesake: documents.namesake,
  SearchResults: documents.searchResults,
  Definition: typed.definition,
  DefinitionList: typed.definitionList,
  InvocationResult: typed.invocationResult,
  InvocationAnswer: typed.invocationAnswer,
  InvocationFailure: typed.invocationFailure,
  Invocation: log.invocation,
  InvocationList: log.invocationList,
  InvocationWithResult: log.invocationWithResult,
  Load: log.load,
  LoadList: log.loadList,
  Stats: log.stats,
  FunctionTool: openai.functionTool,
  FunctionToolList: openai.functionToolList,
  ToolCall: openai.toolCall,
  ToolMessage: openai.toolMessage,
  Me: dashboard.me,
  Overview: dashboard.overview,
  SessionRequest: dashboard.sessionRequest,
  Agent: dashboard.agent,
  AgentList: dashboard.agentList,
  AgentRequest: dashboard.agentRequest,
  AgentWithToken: dashboard.agentWithToken,
  RevokedAgent: dashboard.revokedAgent,
  Health: service.health,
  Readiness: service.readiness,
} as const satisfies Readonly<Record<string, z.ZodType>>;

const nameOf = new Map<z.ZodType, string>(Object.entries(COMPONENTS).map(([name, schema]) => [schema, name]));

const referenceTo = (name: string): string => `#/components/schemas/${name}`;

function componentSchemas(): Json {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(COMPONENTS)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, { uri: referenceTo, io: 'output', override: tidy });
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, withoutIdentity(schema)]));
}

type Tidied = { -readonly [Key in 'additionalProperties' | 'pattern' | 'format' | 'minimum' | 'maximum']?: unknown };

/** Answers may grow: a client that refused unknown fields would break. What they have now is held by tests. */
const tidy = ({ jsonSchema }: { readonly jsonSchema: Tidied }): void => {
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
  // The format says it; the pattern is longer than the rest of the schema.
  if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
  // What any number in JSON can hold is no rule of ours.
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
};

/** Its place in the document says what it is. */
function withoutIdentity({ $schema: _dialect, $id: _id, id: _name, ...schema }: Json): Json {
  return schema;
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const name = nameOf.get(schema);
  if (name !== undefined) return { $ref: referenceTo(name) };
  return withoutIdentity(z.toJSONSchema(schema, { io, override: tidy }));
}

function paths(): Json {
  const byPath: Record<string, Record<string, Json>> = {};
  for (const [id, operation] of Object.entries(DESCRIBED_OPERATIONS)) {
    const methods = byPath[operation.path] ?? {};
    byPath[operation.path] = methods;
    methods[operation.method.toLowerCase()] = operationJson(id, operation);
  }
  return byPath;
}

const WHO = {
  public: undefined,
  caller: undefined,
  log: 'For the operator, and for agents with the scope `log:read`.',
  operator: 'For the operator alone.',
} as const satisfies Record<OperationAccess, string | undefined>;

function operationJson(id: string, operation: Operation): Json {
  const { tag, summary, body, access } = operation;
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(access === 'public' && { security: [] }),
    ...(WHO[access] !== undefined && { description: WHO[access] }),
    parameters: parametersOf(operation),
    ...(body !== undefined && {
      requestBody: {
        description: body.description,
        content: { [JSON_TYPE]: { schema: schemaOf(body.schema, 'input') } },
      },
    }),
    responses: responsesOf(operation),
  };
}

function parametersOf({ pathParameters, query, headers }: Operation): readonly Json[] {
  const text = { type: 'string' };
  return [
    ...Object.entries(pathParameters).map(([name, description]) => ({
      name,
      in: 'path',
      required: true,
      description,
      schema: text,
    })),
    ...Object.entries(query.shape).map(([name, schema]) => queryParameter(name, schema as z.ZodType)),
    ...Object.entries(headers).map(([name, description]) => ({ name, in: 'header', description, schema: text })),
  ];
}

function queryParameter(name: string, parameter: z.ZodType): Json {
  const { description, ...schema } = schemaOf(parameter, 'input');
  // What is read when nothing was sent; zod leaves it out of schemas that convert a text.
  const unsent = parameter.safeParse(undefined);
  const usual = unsent.success && unsent.data !== undefined ? { default: unsent.data } : {};
  return {
    name,
    in: 'query',
    description,
    ...(!unsent.success && { required: true }),
    schema: { ...schema, ...usual },
  };
}

/** What the guard before every route answers: Host, Origin, credentials and rates. */
const EVERYWHERE: readonly FailureStatus[] = [403, 500];
const WITH_CREDENTIAL: readonly FailureStatus[] = [401, 429];

function responsesOf({ answers, failures, access, failureSchema = failure }: Operation): Json {
  const statuses = [...EVERYWHERE, ...(access === 'public' ? [] : WITH_CREDENTIAL), ...failures].sort((a, b) => a - b);
  return {
    ...Object.fromEntries(statuses.map((status) => [status, failureResponse(status, failureSchema)])),
    ...Object.fromEntries(Object.entries(answers).map(([status, answer]) => [status, responseOf(answer)])),
  };
}

const failureResponse = (status: FailureStatus, schema: z.ZodType): Json => ({
  description: FAILURE_DESCRIPTIONS[status],
  content: { [JSON_TYPE]: { schema: schemaOf(schema, 'output') } },
});

function responseOf({ description, mediaType, schema }: AnswerDescription): Json {
  if (mediaType === '') return { description };
  return { description, content: { [mediaType]: schema === undefined ? {} : { schema: schemaOf(schema, 'output') } } };
}
