// Work as a trace shows it: what those who do the work are given to tell of it. Types alone; telemetry/ makes the values.

/**
 * One piece of work in a trace. Code that is given one makes a child of it for a part of the work, and ends that child.
 * Nothing here throws or waits. What goes into attributes is seen by others: no inputs, outputs or credentials.
 *
 * @example
 * const quiet: Span = { child: () => quiet, end: () => {} };
 * const answer = await runtime.invoke({ name: 'greet', input: { name: 'Ada' }, span: quiet });
 */
export interface Span {
  /** What work that goes on in another process names as its parent; absent: this cannot be named. */
  readonly place?: { readonly traceparent: string; readonly tracestate?: string | undefined };
  child(name: string, attributes?: Readonly<Record<string, string | number | boolean | undefined>>): Span;
  /** Once. `error`: it failed, as one of few words, and what a person may read about it. */
  end(
    attributes?: Readonly<Record<string, string | number | boolean | undefined>>,
    error?: { readonly type: string; readonly message?: string | undefined },
  ): void;
}

export type Attributes = NonNullable<Parameters<Span['end']>[0]>;

/** As W3C Trace Context writes it. */
export type SpanPlace = NonNullable<Span['place']>;

/** A span that was begun elsewhere, to make children of; absent where its trace is not kept. It is ended where it was begun. */
export type ResumeSpan = (place: SpanPlace) => Span | undefined;

export type SpanError = NonNullable<Parameters<Span['end']>[1]>;

/** One HTTP request of a caller who is known. */
export interface RequestTrace {
  /** It is answered as HTTP, by this route of the contract; `undefined`: there is none for it. */
  answeredBy(route: string | undefined): void;
  /** The work of the answer, once it is known who answers; absent where this request is not sampled. */
  readonly span: Span | undefined;
  /** A message of MCP that came with it: an operation of its own. */
  begin(message: TracedMessage): TracedOperation;
}

export interface TracedMessage {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Absent: a notification. */
  readonly id?: string | number | undefined;
}

export interface TracedOperation {
  /** Absent where it is not sampled. */
  readonly span: Span | undefined;
  end(outcome: OperationOutcome): void;
}

export interface OperationOutcome {
  /** Of the protocol, as far as it was agreed on. */
  readonly version?: string | undefined;
  readonly sessionId?: string | undefined;
  /** A protocol error was answered. */
  readonly error?: { readonly code: number; readonly message: string } | undefined;
  /** A tool answered that it failed. */
  readonly isToolError?: boolean;
  /** The client does not want an answer any more. */
  readonly isCancelled?: boolean;
}
