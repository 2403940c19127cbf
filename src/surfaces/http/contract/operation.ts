// What one operation of the API is: where it is, what it takes, what it answers. Types, validation and OpenAPI come from it.
import type { z } from 'zod';

/** `public`: without a credential. `caller`: with any valid credential. `log`: the operator and `log:read` (H5). */
export type OperationAccess = 'public' | 'caller' | 'log' | 'operator';

/** The statuses of failures (H3). */
export type FailureStatus = 400 | 401 | 403 | 404 | 413 | 415 | 429 | 500 | 502 | 503 | 504;

export interface AnswerDescription {
  readonly description: string;
  readonly mediaType: string;
  /** Absent: bytes, or nothing. */
  readonly schema?: z.ZodType;
}

export interface Operation<Query extends z.ZodObject = z.ZodObject> {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** With `{name}` for a part that varies. A last `{path}` stands for any number of segments. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly access: OperationAccess;
  /** By the name in the path. */
  readonly pathParameters: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: { readonly description: string; readonly schema: z.ZodType } | undefined;
  readonly answers: Readonly<Record<number, AnswerDescription>>;
  /** Beside those that every operation of its kind may answer. */
  readonly failures: readonly FailureStatus[];
  /** What failures are, where they are more than H3's body. */
  readonly failureSchema: z.ZodType | undefined;
}

type Described<Query extends z.ZodObject> = Pick<Operation, 'method' | 'path' | 'tag' | 'summary' | 'answers'> &
  Partial<Operation> & { readonly query: Query };

/** What most operations have in common need not be said. */
export const operation = <Query extends z.ZodObject>(described: Described<Query>): Operation<Query> => ({
  access: 'caller',
  pathParameters: {},
  headers: {},
  body: undefined,
  failures: [],
  failureSchema: undefined,
  ...described,
});

export const JSON_TYPE = 'application/json';

export const jsonAnswer = (description: string, schema: z.ZodType): AnswerDescription => ({
  description,
  mediaType: JSON_TYPE,
  schema,
});
