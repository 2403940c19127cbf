// Which texts say nearly the same in the same words: shared runs of words, where a run that many texts have counts little.
// So skills made from one template are no duplicates by their template alone. In steps; pure.
import { shinglesOf } from './shingles.ts';

export interface DuplicateGroup {
  /** Places in the list that was given, in its order. */
  readonly members: readonly number[];
  /** Of the weakest pair that holds the group together: 1 for equal texts. */
  readonly similarity: number;
}

/** Of the smaller text so much is in the other … */
const LEAST_CONTAINED = 0.55;
/** … and of both together so much is shared: a short text that a copy of another one took in, up to half of that, is below. */
const LEAST_SHARED = 0.34;
/** Fewer runs say nothing about a text: below, only equal texts are duplicates. */
const LEAST_RUNS = 12;
/** Of texts that are longer together only every second run is looked at, or every third: ten thousand skills take two seconds. */
const MOST_LETTERS = 12_000_000;
/** What more texts have in common is boilerplate, and no reason to compare two of them. */
const MOST_HOLDERS = 40;

/** Yields between two pieces of work. */
export function* findNearDuplicates(texts: readonly string[]): Generator<void, readonly DuplicateGroup[]> {
  const groups = createGroups(texts.length);
  const distinct = joinEqual(texts, groups);
  const runs: ReadonlySet<number>[] = [];
  const letters = distinct.reduce((sum, at) => sum + (texts[at] as string).length, 0);
  const every = Math.max(1, Math.ceil(letters / MOST_LETTERS));
  for (const at of distinct) {
    runs.push(shinglesOf(texts[at] as string, every));
    yield;
  }
  const holders = yield* countHolders(runs);
  const shared = yield* weighShared(runs, holders);
  const weights = runs.map((own) => weightOf(own, holders));
  for (const [key, weight] of shared) {
    const [one, other] = [Math.floor(key / runs.length), key % runs.length];
    const similarity = similarityOf(weight, weights[one] as number, weights[other] as number);
    const least = Math.min((runs[one] as ReadonlySet<number>).size, (runs[other] as ReadonlySet<number>).size);
    if (similarity > 0 && least * every >= LEAST_RUNS)
      groups.join(distinct[one] as number, distinct[other] as number, similarity);
  }
  return groups.list();
}

/** How much of the smaller one is in the other; 0 where that is too little to speak of. */
function similarityOf(shared: number, one: number, other: number): number {
  const contained = shared / Math.min(one, other);
  return contained >= LEAST_CONTAINED && shared / (one + other - shared) >= LEAST_SHARED ? Math.min(1, contained) : 0;
}

/** Equal texts are joined; answers one of each kind. */
function joinEqual(texts: readonly string[], groups: Groups): readonly number[] {
  const first = new Map<string, number>();
  const distinct: number[] = [];
  for (const [at, text] of texts.entries()) {
    const plain = text.replace(/\s+/g, ' ').trim();
    const same = first.get(plain);
    if (same !== undefined && plain !== '') groups.join(same, at, 1);
    else {
      first.set(plain, at);
      distinct.push(at);
    }
  }
  return distinct;
}

type Holders = ReadonlyMap<number, number | readonly number[]>;

/** By run: the text that has it, or all that do. */
function* countHolders(runs: readonly ReadonlySet<number>[]): Generator<void, Holders> {
  const holders = new Map<number, number | number[]>();
  for (const [at, own] of runs.entries()) {
    for (const run of own) {
      const known = holders.get(run);
      if (known === undefined) holders.set(run, at);
      else if (typeof known === 'number') holders.set(run, [known, at]);
      else known.push(at);
    }
    yield;
  }
  return holders;
}

/** A run that only two texts have counts fully, one of a template next to nothing. */
const weightOfRun = (holders: number | readonly number[] | undefined): number =>
  typeof holders === 'object' ? 1 / (holders.length - 1) : 1;

function weightOf(runs: ReadonlySet<number>, holders: Holders): number {
  let weight = 0;
  for (const run of runs) weight += weightOfRun(holders.get(run));
  return weight;
}

/** By pair, as `one * count + other`: the weight of the runs that both have. */
function* weighShared(
  runs: readonly ReadonlySet<number>[],
  holders: Holders,
): Generator<void, ReadonlyMap<number, number>> {
  const shared = new Map<number, number>();
  let steps = 0;
  for (const having of holders.values()) {
    steps += 1;
    if (steps % 2_000 === 0) yield;
    if (typeof having === 'number' || having.length > MOST_HOLDERS) continue;
    const weight = weightOfRun(having);
    for (const [place, one] of having.entries()) {
      for (let next = place + 1; next < having.length; next += 1) {
        const key = one * runs.length + (having[next] as number);
        shared.set(key, (shared.get(key) ?? 0) + weight);
      }
    }
  }
  return shared;
}

interface Groups {
  join(one: number, other: number, similarity: number): void;
  /** Those of more than one member. */
  list(): readonly DuplicateGroup[];
}

function createGroups(count: number): Groups {
  const parents = Array.from({ length: count }, (_, at) => at);
  const weakest = new Map<number, number>();
  const topOf = (at: number): number => {
    let top = at;
    while (parents[top] !== top) top = parents[top] as number;
    parents[at] = top;
    return top;
  };
  return {
    join: (one, other, similarity) => {
      const [first, second] = [topOf(one), topOf(other)];
      parents[Math.max(first, second)] = Math.min(first, second);
      weakest.set(Math.min(first, second), Math.min(similarity, weakest.get(first) ?? 1, weakest.get(second) ?? 1));
    },
    list: () => {
      const members = new Map<number, number[]>();
      for (const at of parents.keys()) {
        const top = topOf(at);
        const all = members.get(top);
        if (all === undefined) members.set(top, [at]);
        else all.push(at);
      }
      return [...members]
        .filter(([, all]) => all.length > 1)
        .map(([top, all]) => ({ members: all, similarity: weakest.get(top) ?? 1 }));
    },
  };
}
