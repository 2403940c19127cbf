// The values that are permitted, in words: `"a" or "b"`.

const MAX_NAMED = 10;

export function choiceText(values: readonly unknown[]): string {
  const named = values.slice(0, MAX_NAMED).map(valueText);
  return `${named.join(' or ')}${values.length > MAX_NAMED ? ' or another permitted value' : ''}`;
}

/** JSON has no word for some that zod permits. */
const valueText = (value: unknown): string =>
  typeof value === 'bigint' || value === undefined ? String(value) : JSON.stringify(value);
