// An upright axis on which every tenfold is as high as the next: milliseconds and minutes are both to be seen. Pure.

/** Below this all is the same. A logarithm of zero there is not. */
const LEAST = 1;

/** How many steps an axis can have before its texts crowd. */
const MOST_MARKS = 5;

const STEPS = [1, 2, 5];

export const onLogScale = (value: number | null): number | null => (value === null ? null : Math.max(LEAST, value));

/** From one of 1, 2, 5, 10, 20 … to another. What is drawn lies between them: on the edge a line would be half hidden. */
export function logRange(least: number, most: number): readonly [number, number] {
  const [lowest, highest] = [Math.max(LEAST, least), Math.max(LEAST, most)];
  const marks = marksBetween(LEAST, highest * 10);
  return [marks.findLast((mark) => mark < lowest) ?? LEAST / 2, marks.find((mark) => mark > highest) ?? highest * 10];
}

/** Where the axis has its marks: tenfolds alone where there would be too many. */
export function logMarks(least: number, most: number): readonly number[] {
  const marks = marksBetween(least, most);
  return marks.length <= MOST_MARKS ? marks : marks.filter((mark) => Number.isInteger(Math.log10(mark)));
}

function marksBetween(least: number, most: number): readonly number[] {
  const marks: number[] = [];
  for (let ten = LEAST; ten <= most; ten *= 10)
    for (const step of STEPS) if (ten * step >= least && ten * step <= most) marks.push(ten * step);
  return marks;
}
