// What one route of the API is: where it is, what it takes, what it answers. Types, validation and OpenAPI come from it.
import { ANY_CALLER, type OperationAccess } from '../../../operations/access.ts';
import type { Fields, Shape } from '../../../operations/shape.ts';

/** The statuses of failures (H3). */
export type FailureStatus = 400 | 401 | 403 | 404 | 409 | 413 | 415 | 429 | 500 | 502 | 503 | 504;

export interface AnswerDescription {
  readonly description: string;
  readonly mediaType: string;
  /** Absent: bytes, or nothing. */
  readonly shape?: Shape;
}

export interface Route<Query extends Fields = Fields> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** With `{name}` for a part that varies. A last `{path}` stands for any number of segments. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly access: OperationAccess;
  /** By the name in the path. */
  readonly pathParameters: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: { readonly description: string; readonly shape: Shape } | undefined;
  readonly answers: Readonly<Record<number, AnswerDescription>>;
  /** Beside those that every route of its kind may answer. */
  readonly failures: readonly FailureStatus[];
  /** What failures are, where they are more than H3's body. */
  readonly failureShape: Shape | undefined;
}

type Described<Query extends Fields> = Pick<Route, 'method' | 'path' | 'tag' | 'summary' | 'answers'> &
  Partial<Route<Query>>;

/** What most routes have in common need not be said. */
export const route = <Query extends Fields = Record<never, never>>(described: Described<Query>): Route<Query> => ({
  access: ANY_CALLER,
  pathParameters: {},
  // Nothing, unless `described` says what.
  query: {} as Query,
  headers: {},
  body: undefined,
  failures: [400],
  failureShape: undefined,
  ...described,
});

export const JSON_TYPE = 'application/json';

export const jsonAnswer = (description: string, shape: Shape): AnswerDescription => ({
  description,
  mediaType: JSON_TYPE,
  shape,
});
