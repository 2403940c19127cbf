// What we promise about retrieval, judged from the rows of one run. Pure.
import type { EngineName } from './engines.ts';
import type { Row } from './measure.ts';
import type { QueryKind } from './queries.ts';

interface Bar {
  readonly kind: QueryKind;
  /** Percentage points that we must be above MiniSearch. */
  readonly above: number;
}

export interface JudgedBar extends Bar {
  readonly difference: number;
  readonly isMet: boolean;
}

/** Of recall@5 above plain MiniSearch. */
const bars: readonly Bar[] = [
  { kind: 'full', above: 10 },
  { kind: 'short', above: 0 },
];

/** Of hit@5 above the best of all ways to use MiniSearch. */
const publicBars: readonly Bar[] = [
  { kind: 'own words', above: 5 },
  { kind: 'keywords', above: 0 },
  { kind: 'request', above: 0 },
];

const authorBars: readonly Bar[] = [{ kind: 'author', above: 0 }];

const plain: EngineName = 'MiniSearch, name + description';
const ours: EngineName = 'Repertoire';

export const judgeBars = (rows: readonly Row[]): readonly JudgedBar[] =>
  bars.map((bar) => judge(bar, recallOf(rows, ours, bar.kind) - recallOf(rows, plain, bar.kind)));

export const judgePublicBars = (rows: readonly Row[]): readonly JudgedBar[] => judgeAgainstBest(publicBars, rows);

export const judgeAuthorBars = (rows: readonly Row[]): readonly JudgedBar[] => judgeAgainstBest(authorBars, rows);

const judgeAgainstBest = (wanted: readonly Bar[], rows: readonly Row[]): readonly JudgedBar[] =>
  wanted.map((bar) => {
    const hits = (isOurs: boolean) =>
      rows
        .filter(({ engine, kind }) => kind === bar.kind && (engine === ours) === isOurs)
        .map(({ scores }) => scores.hit5);
    return judge(bar, Math.max(...hits(true)) - Math.max(...hits(false)));
  });

function judge(bar: Bar, share: number): JudgedBar {
  const difference = 100 * share;
  // Means of sevenths and thirds: 10 points may come out as 9.999….
  return { ...bar, difference, isMet: difference >= bar.above - 1e-9 };
}

function recallOf(rows: readonly Row[], engine: EngineName, kind: QueryKind): number {
  const row = rows.find((each) => each.engine === engine && each.kind === kind);
  if (row === undefined) throw new Error(`Cannot judge: there is no row of ${engine} for ${kind} queries`);
  return row.scores.recall5;
}
