// Input with fields that are not known is refused, so that a misspelt one is not ignored silently.
import { describeFaults, refusalText } from '../../operations/operation.ts';
import { unknownFields } from '../../operations/shape.ts';
import type { JsonObject } from '../../values/json-object.ts';

/** `undefined` when every field is known; else a sentence in the words of the operations, and what to send. */
export function refuseUnknownFields(input: JsonObject, known: readonly string[], example: string): string | undefined {
  const faults = unknownFields(Object.keys(input), known);
  if (faults.length === 0) return undefined;
  return refusalText({ code: 'VALIDATION_ERROR', said: `${describeFaults(faults)}; send ${example}` });
}
