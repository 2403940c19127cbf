// Which lines two texts do not share, as hunks with some lines around them. Pure, and bounded: texts that differ too much are one hunk.

export interface DiffLine {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
}

export interface DiffHunk {
  /** 1-based, of the first line in the text of before, and in that of after. */
  readonly before: number;
  readonly after: number;
  readonly lines: readonly DiffLine[];
}

/** Above this many differences the shortest way is not looked for, nor above this many comparisons: others wait meanwhile (F10). */
const MOST_STEPS = 1_000;
const MOST_COMPARISONS = 10_000_000;

export interface DiffLimits {
  /** How many lines of both sides are shown beside a difference. */
  readonly around?: number;
  /** From the first difference to the last, in both texts together. */
  readonly mostLines?: number;
}

/** `undefined`: there are more lines between the first difference and the last. */
export function findHunks(
  before: string,
  after: string,
  { around = 3, mostLines = Number.POSITIVE_INFINITY }: DiffLimits = {},
): readonly DiffHunk[] | undefined {
  const [a, b] = [toLines(before), toLines(after)];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  if (a.length + b.length - 2 * (start + end) > mostLines) return undefined;
  const isSame = start === a.length && start === b.length;
  if (isSame && before !== after) return findHunksOfEnd(a, around);
  const middle = compare(a.slice(start, a.length - end), b.slice(start, b.length - end));
  const first = Math.max(0, start - around);
  const lines = [
    ...toSame(a.slice(first, start)),
    ...middle,
    ...toSame(a.slice(a.length - end, a.length - end + around)),
  ];
  return toHunks(lines, first + 1, around);
}

/** Only the line break at the very end came or went: that of the last line. */
function findHunksOfEnd(lines: readonly string[], around: number): readonly DiffHunk[] {
  const at = lines.length - 1;
  const first = Math.max(0, at - around);
  const text = lines[at] ?? '';
  const changed: readonly DiffLine[] = [
    { kind: 'removed', text },
    { kind: 'added', text },
  ];
  return toHunks([...toSame(lines.slice(first, at)), ...changed], first + 1, around);
}

/** As `findHunks`, of however many lines. */
export const diffLines = (before: string, after: string, around = 3): readonly DiffHunk[] =>
  findHunks(before, after, { around }) ?? [];

const toSame = (lines: readonly string[]): DiffLine[] => lines.map((text) => ({ kind: 'same', text }));

const toLines = (text: string): readonly string[] => {
  const lines = text.split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
};

/** Myers: the furthest place on each diagonal, one difference more at a time; then back along the way. */
function compare(a: readonly string[], b: readonly string[]): readonly DiffLine[] {
  const [left, right] = toNumbers(a, b);
  const trail: Int32Array[] = [];
  let furthest = Int32Array.of(-1, 0);
  let comparisons = 0;
  for (let steps = 0; steps <= Math.min(MOST_STEPS, a.length + b.length); steps += 1) {
    trail.push(furthest);
    const next = new Int32Array(2 * steps + 3).fill(-1);
    for (let diagonal = -steps; diagonal <= steps; diagonal += 2) {
      const entered = entryOf(furthest, diagonal, steps);
      let x = entered;
      while (x < a.length && x - diagonal < b.length && left[x] === right[x - diagonal]) x += 1;
      next[diagonal + steps + 1] = x;
      if (x >= a.length && x - diagonal >= b.length) return walkBack(a, b, trail);
      comparisons += x - entered + 1;
      if (comparisons > MOST_COMPARISONS) return replaced(a, b);
    }
    furthest = next;
  }
  return replaced(a, b);
}

const replaced = (a: readonly string[], b: readonly string[]): readonly DiffLine[] => [
  ...a.map((text): DiffLine => ({ kind: 'removed', text })),
  ...b.map((text): DiffLine => ({ kind: 'added', text })),
];

/** Equal lines as equal numbers: long lines are compared many times. */
function toNumbers(a: readonly string[], b: readonly string[]): readonly [Int32Array, Int32Array] {
  const numbers = new Map<string, number>();
  const numberOf = (line: string): number => {
    const number = numbers.get(line) ?? numbers.size;
    numbers.set(line, number);
    return number;
  };
  return [Int32Array.from(a, numberOf), Int32Array.from(b, numberOf)];
}

/** How far a diagonal was before this step; -1: it was not reached. */
const reached = (furthest: Int32Array, diagonal: number, steps: number): number => furthest[diagonal + steps] ?? -1;

/** Where a diagonal is entered: from above, or from the left, whichever is further. */
const entryOf = (furthest: Int32Array, diagonal: number, steps: number): number =>
  comesDown(furthest, diagonal, steps)
    ? reached(furthest, diagonal + 1, steps)
    : reached(furthest, diagonal - 1, steps) + 1;

const comesDown = (furthest: Int32Array, diagonal: number, steps: number): boolean =>
  diagonal === -steps ||
  (diagonal !== steps && reached(furthest, diagonal - 1, steps) < reached(furthest, diagonal + 1, steps));

function walkBack(a: readonly string[], b: readonly string[], trail: readonly Int32Array[]): readonly DiffLine[] {
  const lines: DiffLine[] = [];
  let [x, y] = [a.length, b.length];
  for (const [steps, furthest] of [...trail.entries()].reverse()) {
    const diagonal = x - y;
    const isDown = comesDown(furthest, diagonal, steps);
    const from = isDown ? diagonal + 1 : diagonal - 1;
    const fromX = steps === 0 ? 0 : reached(furthest, from, steps);
    const fromY = steps === 0 ? 0 : fromX - from;
    while (x > fromX && y > fromY && a[x - 1] === b[y - 1]) {
      lines.push({ kind: 'same', text: a[x - 1] ?? '' });
      x -= 1;
      y -= 1;
    }
    if (steps === 0) break;
    lines.push(isDown ? { kind: 'added', text: b[y - 1] ?? '' } : { kind: 'removed', text: a[x - 1] ?? '' });
    [x, y] = [fromX, fromY];
  }
  return lines.reverse();
}

/** `number`: of the first of the lines, in both texts. */
function toHunks(lines: readonly DiffLine[], number: number, around: number): readonly DiffHunk[] {
  const hunks: DiffHunk[] = [];
  const changed = lines.flatMap(({ kind }, index) => (kind === 'same' ? [] : [index]));
  let place: Place = { index: 0, before: number, after: number };
  for (let at = 0; at < changed.length; ) {
    const first = changed[at] ?? 0;
    let last = first;
    while (at < changed.length && (changed[at] ?? 0) - last <= 2 * around + 1) last = changed[at++] ?? last;
    place = moveTo(Math.max(0, first - around), place, lines);
    const { index, before, after } = place;
    hunks.push({ before, after, lines: lines.slice(index, last + around + 1) });
  }
  return hunks;
}

/** An index into the lines, and the numbers that the line there has in both texts. */
interface Place {
  readonly index: number;
  readonly before: number;
  readonly after: number;
}

function moveTo(index: number, from: Place, lines: readonly DiffLine[]): Place {
  const passed = lines.slice(from.index, index);
  return {
    index,
    before: from.before + passed.filter(({ kind }) => kind !== 'added').length,
    after: from.after + passed.filter(({ kind }) => kind !== 'removed').length,
  };
}
