// What a reader is told of an end whose answer is for others: that it came, and how. Pure.
import type { InvocationResult } from '../define/invocation.ts';

/** In place of what is for others. */
export const WITHHELD = { redacted: true } as const;

export const withoutOutput = (result: InvocationResult): InvocationResult =>
  result.success
    ? { ...result, outputPayload: WITHHELD }
    : { ...result, failure: { code: result.failure.code, message: '[redacted]', details: undefined } };
