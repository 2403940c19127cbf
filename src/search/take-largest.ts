// The places of the largest values above zero in a long array, best first, without sorting all of it.

/** `compareEqual` decides between the places of equal values. */
export function takeLargest(
  values: Float64Array,
  most: number,
  compareEqual: (a: number, b: number) => number,
): readonly number[] {
  const compare = (a: number, b: number): number => (values[b] as number) - (values[a] as number) || compareEqual(a, b);
  const kept: number[] = [];
  /** The last one that may still be among the best. */
  let last: number | undefined;
  for (let place = 0; place < values.length; place += 1) {
    const value = values[place] as number;
    if (value <= 0) continue;
    if (last !== undefined && (value < (values[last] as number) || compare(place, last) > 0)) continue;
    kept.push(place);
    if (kept.length < 2 * most) continue;
    kept.sort(compare).length = most;
    last = kept[most - 1];
  }
  return kept.sort(compare).slice(0, most);
}
