// A span while its work goes on; handed over as data when it has ended.
import { randomFillSync } from 'node:crypto';
import type { Attributes, Span, SpanError, SpanPlace } from '../values/trace.ts';
import { tellingText } from './telling-text.ts';
import type { TraceContext } from './trace-context.ts';

export type SpanKind = 'internal' | 'server';

export interface SpanData {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly state: string | undefined;
  readonly name: string;
  readonly kind: SpanKind;
  /** Milliseconds since 1970, with a fraction. */
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Attributes;
  readonly error: SpanError | undefined;
  /** Traces that led here beside the parent. */
  readonly links: readonly TraceContext[];
}

export type TakeSpan = (span: SpanData) => void;

/** One reading of the clock per trace: what happens inside is measured from there, and no step of the clock shows. */
export interface Moment {
  readonly wallMs: number;
  readonly monotonicMs: number;
}

export const momentNow = (): Moment => ({ wallMs: Date.now(), monotonicMs: performance.now() });

const sinceMs = ({ wallMs, monotonicMs }: Moment): number => wallMs + (performance.now() - monotonicMs);

export interface ServerSpanStart {
  readonly traceId: string;
  readonly parent: TraceContext | undefined;
  readonly links?: readonly TraceContext[];
  readonly began: Moment;
  readonly take: TakeSpan;
}

export const beginServerSpan = ({ traceId, parent, links = [], began, take }: ServerSpanStart): RunningSpan =>
  new RunningSpan({
    traceId,
    parentSpanId: parent?.spanId,
    state: parent?.state,
    name: '',
    kind: 'server',
    startMs: began.wallMs,
    attributes: {},
    links,
    began,
    take,
  });

interface Beginning extends Omit<SpanData, 'spanId' | 'endMs' | 'error'> {
  readonly began: Moment;
  readonly take: TakeSpan;
}

const NO_LINKS: readonly TraceContext[] = [];

export class RunningSpan implements Span {
  readonly spanId = newSpanId();
  readonly #beginning: Beginning;
  #isOver = false;

  constructor(beginning: Beginning) {
    this.#beginning = beginning;
  }

  /** What is not sampled has no span. */
  get place(): SpanPlace {
    const { traceId, state: tracestate } = this.#beginning;
    return { traceparent: `00-${traceId}-${this.spanId}-01`, ...(tracestate !== undefined && { tracestate }) };
  }

  child(name: string, attributes: Attributes = {}): Span {
    const { traceId, state, began, take } = this.#beginning;
    return new RunningSpan({
      traceId,
      parentSpanId: this.spanId,
      state,
      name,
      kind: 'internal',
      startMs: sinceMs(began),
      attributes,
      links: NO_LINKS,
      began,
      take,
    });
  }

  end(attributes?: Attributes, error?: SpanError): void {
    this.endAs(this.#beginning.name, attributes, error);
  }

  /** What it was is known only now. */
  endAs(name: string, attributes: Attributes = {}, error?: SpanError): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const { began, take, ...data } = this.#beginning;
    const endMs = sinceMs(began);
    const told = error && { ...error, message: error.message && tellingText(error.message) };
    const all = { ...data.attributes, ...attributes };
    take({ ...data, spanId: this.spanId, name, endMs, attributes: all, error: told });
  }
}

/** One that was begun by another process, or by this one long ago: its children have a clock of their own. */
export const resumedSpan = ({ traceId, spanId, state }: TraceContext, take: TakeSpan): Span => ({
  child: (name, attributes = {}) => {
    const began = momentNow();
    const parent = { traceId, parentSpanId: spanId, state, links: NO_LINKS };
    return new RunningSpan({ ...parent, name, kind: 'internal', startMs: began.wallMs, attributes, began, take });
  },
  end: () => undefined,
});

const TRACE_BYTES = 16;
const SPAN_BYTES = 8;

export const newTraceId = (): string => randomHex(TRACE_BYTES);

const newSpanId = (): string => randomHex(SPAN_BYTES);

/** Filled as a whole: asking for eight bytes at a time costs more than a span. */
const POOL = Buffer.alloc(4_096);
let used = POOL.length;

/** An id of zeros is none. */
function randomHex(bytes: number): string {
  if (used + bytes > POOL.length) {
    randomFillSync(POOL);
    used = 0;
  }
  const id = POOL.toString('hex', used, used + bytes);
  used += bytes;
  return /[1-9a-f]/.test(id) ? id : randomHex(bytes);
}
