// How many typing errors lie between two words: insertions, deletions, replacements and swaps of neighbours. Pure.

/**
 * Stops as soon as there are more than `most`, and answers `most + 1` then: search asks this of thousands of words.
 *
 * @example
 * editDistance('inovice', 'invoice', 2); // 1
 * editDistance('review', 'deploy', 2); // 3
 */
export function editDistance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let beforeLast: readonly number[] = [];
  let last = upTo(b.length);
  for (let row = 1; row <= a.length; row += 1) {
    const present = [row];
    let least = row;
    for (let column = 1; column <= b.length; column += 1) {
      const isSame = a[row - 1] === b[column - 1];
      let edits = Math.min(at(last, column) + 1, at(present, column - 1) + 1, at(last, column - 1) + (isSame ? 0 : 1));
      const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (isSwap) edits = Math.min(edits, at(beforeLast, column - 2) + 1);
      present.push(edits);
      least = Math.min(least, edits);
    }
    if (least > most) return most + 1;
    beforeLast = last;
    last = present;
  }
  return Math.min(at(last, b.length), most + 1);
}

/** Not with `Array.from`, which took longer than all the rest. */
function upTo(last: number): readonly number[] {
  const numbers: number[] = [];
  for (let number = 0; number <= last; number += 1) numbers.push(number);
  return numbers;
}

const at = (row: readonly number[], index: number): number => row[index] ?? Number.POSITIVE_INFINITY;
