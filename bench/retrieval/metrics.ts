// Ranked answers and the right ones → top-1, hit@5, recall@5 and mean reciprocal rank. Pure.

export interface Judged {
  readonly id: string;
  /** Names of skills, best first. */
  readonly ranked: readonly string[];
  readonly relevant: readonly string[];
}

export interface Scores {
  readonly queries: number;
  /** Share of queries whose first answer is right. */
  readonly top1: number;
  /** Share of queries with a right skill among the first five. */
  readonly hit5: number;
  /** Mean share of the right skills that are among the first five. */
  readonly recall5: number;
  /** Mean of 1 / rank of the first right skill, 0 beyond the tenth. */
  readonly mrr: number;
  /** Ids of the queries without any right skill among the first five. */
  readonly missed: readonly string[];
}

/** How many answers an engine has to give. */
export const deepest = 10;

export function scoresOf(judged: readonly Judged[]): Scores {
  const ranks = judged.map(({ ranked, relevant }) => ranked.slice(0, deepest).findIndex((n) => relevant.includes(n)));
  return {
    queries: judged.length,
    top1: mean(ranks.map((rank) => (rank === 0 ? 1 : 0))),
    hit5: mean(judged.map((each) => (recallAt5(each) > 0 ? 1 : 0))),
    recall5: mean(judged.map(recallAt5)),
    mrr: mean(ranks.map((rank) => (rank < 0 ? 0 : 1 / (rank + 1)))),
    missed: judged.filter((each) => recallAt5(each) === 0).map(({ id }) => id),
  };
}

function recallAt5({ ranked, relevant }: Judged): number {
  const first = ranked.slice(0, 5);
  return relevant.filter((name) => first.includes(name)).length / relevant.length;
}

const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
