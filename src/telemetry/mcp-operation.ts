// One request or notification of MCP as a span and a measurement, by the semantic conventions for MCP.
import type { Attributes, OperationOutcome, Span, SpanError, TracedMessage, TracedOperation } from '../values/trace.ts';
import type { Histogram } from './instruments.ts';
import type { RunningSpan } from './span.ts';
import { tellingText } from './telling-text.ts';

export interface OperationParts {
  /** Absent: not sampled. */
  readonly span: RunningSpan | undefined;
  /** Of the connection: for the span alone. */
  readonly connection: () => Attributes;
  readonly protocolVersion: string;
  readonly durations: Histogram;
}

export function beginOperation(message: TracedMessage, parts: OperationParts): TracedOperation {
  return new Operation(message, parts);
}

class Operation implements TracedOperation {
  readonly span: Span | undefined;
  readonly #message: TracedMessage;
  readonly #parts: OperationParts;
  readonly #startedMs = performance.now();
  #isOver = false;

  constructor(message: TracedMessage, parts: OperationParts) {
    this.span = parts.span;
    this.#message = message;
    this.#parts = parts;
  }

  end(outcome: OperationOutcome): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const { span, durations, connection, protocolVersion } = this.#parts;
    const seconds = (performance.now() - this.#startedMs) / 1_000;
    const error = errorOf(outcome);
    const common = commonAttributes(this.#message, outcome, protocolVersion);
    const target = targetOf(this.#message, outcome);
    const { name: _named, ...targetAttributes } = target;
    // Attributes in a fixed order: their text tells one series from another.
    durations.record(seconds, { ...common, ...targetAttributes, 'error.type': error?.type });
    span?.endAs(
      [common['mcp.method.name'], target.name].filter((part) => part !== undefined).join(' '),
      { ...common, ...namedAttributes(this.#message), ...spanAttributes(this.#message, outcome), ...connection() },
      error,
    );
  }
}

const METHOD_NOT_FOUND = -32_601;
const OTHER = '_OTHER';

/** What a client calls a method that there is not is its own affair: every name would be a series for ever. */
const methodOf = ({ method }: TracedMessage, { error }: OperationOutcome): string =>
  error?.code === METHOD_NOT_FOUND ? OTHER : method;

const commonAttributes = (message: TracedMessage, outcome: OperationOutcome, protocolVersion: string) => ({
  'mcp.method.name': methodOf(message, outcome),
  'mcp.protocol.version': outcome.version,
  'gen_ai.operation.name': message.method === 'tools/call' ? 'execute_tool' : undefined,
  'rpc.response.status_code': outcome.error === undefined ? undefined : String(outcome.error.code),
  'network.protocol.name': 'http',
  'network.protocol.version': protocolVersion,
  'network.transport': 'tcp',
});

/** Where the name of a tool or a prompt stands. */
const TARGETS: Readonly<Record<string, string>> = {
  'tools/call': 'gen_ai.tool.name',
  'prompts/get': 'gen_ai.prompt.name',
};

const nameIn = ({ method, params: { name } }: TracedMessage): readonly [key: string, name: string] | undefined => {
  const key = Object.hasOwn(TARGETS, method) ? TARGETS[method] : undefined;
  return key === undefined || typeof name !== 'string' ? undefined : [key, tellingText(name, 128)];
};

/** Only one that there is: a protocol error says that there is none of this name, or that it was not asked for rightly. */
function targetOf(message: TracedMessage, { error }: OperationOutcome): Attributes & { readonly name?: string } {
  const [key, name] = nameIn(message) ?? [];
  return key === undefined || name === undefined || error !== undefined ? {} : { name, [key]: name };
}

function namedAttributes(message: TracedMessage): Attributes {
  const [key, name] = nameIn(message) ?? [];
  return key === undefined ? {} : { [key]: name };
}

const WITH_URI: ReadonlySet<string> = new Set(['resources/read', 'resources/subscribe', 'resources/unsubscribe']);

const spanAttributes = (
  { method, params: { uri }, id }: TracedMessage,
  { sessionId }: OperationOutcome,
): Attributes => ({
  'jsonrpc.request.id': id === undefined ? undefined : tellingText(String(id), 128),
  'mcp.session.id': sessionId,
  'mcp.resource.uri': WITH_URI.has(method) && typeof uri === 'string' ? tellingText(uri, 1_024) : undefined,
});

function errorOf({ error, isToolError, isCancelled }: OperationOutcome): SpanError | undefined {
  if (error !== undefined) return { type: String(error.code), message: error.message };
  if (isToolError) return { type: 'tool_error' };
  return isCancelled ? { type: 'cancelled' } : undefined;
}
