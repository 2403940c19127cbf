// A number of things as people read it: "1 skill", "3,200 skills". Pure.

/**
 * @example
 * counted(2, 'more skill'); // "2 more skills"
 * counted(1, 'entry', 'entries'); // "1 entry"
 */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${grouped(count)} ${nounFor(count, one, many)}`;
}

/** The noun alone, for a number that is written in another way. */
export function nounFor(count: number, one: string, many = `${one}s`): string {
  return count === 1 ? one : many;
}

/** A whole number: `3,200`. Not by `toLocaleString`: its first call costs 12 ms. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');
}
