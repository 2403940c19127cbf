// The lines of a difference with their numbers: one below the other, or the old beside the new. Pure.
import type { LibraryDiff } from './shapes.ts';

type Hunk = LibraryDiff['files'][number]['hunks'][number];
type Line = Hunk['lines'][number];

export interface NumberedLine extends Line {
  /** In the text before; absent where it is new. */
  readonly old: number | undefined;
  /** In the text after; absent where it is gone. */
  readonly now: number | undefined;
}

export function numberLines({ from_line, to_line, lines }: Hunk): readonly NumberedLine[] {
  let [before, after] = [from_line, to_line];
  return lines.map((line) => ({
    ...line,
    old: line.kind === 'added' ? undefined : before++,
    now: line.kind === 'removed' ? undefined : after++,
  }));
}

export interface LinePair {
  readonly old: NumberedLine | undefined;
  now: NumberedLine | undefined;
}

/** Removed lines beside those that replace them. */
export function pairLines(hunk: Hunk): readonly LinePair[] {
  const pairs: LinePair[] = [];
  /** The first removed line that nothing stands beside yet. */
  let next = 0;
  for (const line of numberLines(hunk)) {
    const open = line.kind === 'added' ? pairs[next] : undefined;
    if (open !== undefined) {
      open.now = line;
      next += 1;
      continue;
    }
    pairs.push({ old: line.kind === 'added' ? undefined : line, now: line.kind === 'removed' ? undefined : line });
    if (line.kind !== 'removed') next = pairs.length;
  }
  return pairs;
}
