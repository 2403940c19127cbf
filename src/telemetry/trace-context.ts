// The trace that a caller is in, as W3C Trace Context writes it. What is not written by its rules is as if it were not there.
import { withoutCredentials } from '../text/credentials.ts';

export interface TraceContext {
  readonly traceId: string;
  readonly spanId: string;
  readonly isSampled: boolean;
  /** Passed on as it came, but for what looks like a credential. */
  readonly state?: string | undefined;
}

/** Version, trace, parent, flags. A later version may have more behind them. */
const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const ZEROS = /^0+$/;
const LONGEST = 256;

export function parseTraceContext(traceparent: unknown, tracestate?: unknown): TraceContext | undefined {
  if (typeof traceparent !== 'string' || traceparent.length > LONGEST) return undefined;
  const [, version, traceId = '', spanId = '', flags = '', more] = TRACEPARENT.exec(traceparent.trim()) ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return undefined;
  if (ZEROS.test(traceId) || ZEROS.test(spanId)) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1, state: parseState(tracestate) };
}

/** `vendor=value`, at most 32 of them; the values are opaque, and a list with a bad one is left out as a whole. */
const MEMBER = /^[a-z0-9][a-z0-9_\-*/@]{0,255}=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/;
const MOST_MEMBERS = 32;
const LONGEST_STATE = 512;

function parseState(given: unknown): string | undefined {
  if (typeof given !== 'string' || given.length > LONGEST_STATE) return undefined;
  const members = given.split(',').map((member) => member.trim());
  const named = members.filter((member) => member !== '');
  if (named.length === 0 || named.length > MOST_MEMBERS) return undefined;
  if (!named.every((member) => MEMBER.test(member))) return undefined;
  return named.filter((member) => withoutCredentials(member) === member).join(',') || undefined;
}
