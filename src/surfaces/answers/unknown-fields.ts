// Input with fields that are not known is refused, so that a misspelt one is not ignored silently.
import type { JsonObject } from '../../values/json-object.ts';

/** `undefined` when every field is known; else a sentence that says what to send. */
export function refuseUnknownFields(input: JsonObject, known: readonly string[], example: string): string | undefined {
  const unknown = Object.keys(input).filter((key) => !known.includes(key));
  if (unknown.length === 0) return undefined;
  const fields = unknown.slice(0, 5).map((key) => JSON.stringify(key.slice(0, 60)));
  return `Unknown input ${fields.join(', ')}: send ${example}`;
}
