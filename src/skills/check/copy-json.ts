// A copy of a JSON value: what a skill returned may be its own object, which it changes in its next call.

/** Of a value that was inspected: it ends, and holds plain data only. Fields that are `undefined` are left out, as in JSON. */
export function copyJson(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(copyJson);
  const copied: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(value)) {
    // Assigned, it would be the copy's prototype.
    if (field !== undefined && name !== '__proto__') copied[name] = copyJson(field);
  }
  return copied;
}
