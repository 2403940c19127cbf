// Ranked search over skills of both kinds. Pure: text in, ids out; no disk, no clock.
import { Corpus } from './corpus.ts';
import type { IndexImage } from './index-image.ts';
import { parseQuery } from './query.ts';
import { compareRanked, type RankedSkill, Ranking } from './rank.ts';
import { type FieldMatch, matchesOf } from './why.ts';

export interface SearchEntry {
  readonly id: string;
  readonly kind: 'document' | 'typed';
  readonly name: string;
  readonly description: string;
  /** Markdown without frontmatter. */
  readonly body: string;
}

export interface SearchHit {
  readonly id: string;
  /** Above 0, 3 decimals, comparable within one answer. */
  readonly score: number;
  /** Why it is here. A skill found by its exact name alone may have none. */
  readonly matches: readonly FieldMatch[];
}

export class SearchIndex {
  readonly #corpus = new Corpus();
  readonly #ranking = new Ranking(this.#corpus);

  get size(): number {
    return this.#corpus.size;
  }

  /** Adds a skill, or replaces the one with this id. */
  put(entry: SearchEntry): void {
    for (const _step of this.putInSteps(entry));
  }

  /** The same in steps of a few milliseconds, for a process that has others to answer. Ask for nothing before the last. */
  putInSteps(entry: SearchEntry): Iterable<void> {
    return this.#corpus.put(entry);
  }

  /** What is to be kept of it, as it is now. `keyOf`: by what a skill is known again; `undefined`: it is not kept. */
  imageOf(keyOf: (id: string) => string | undefined): IndexImage {
    const records = new Map<string, Uint8Array>();
    for (const skill of this.#corpus.skills) {
      const key = skill === undefined ? undefined : keyOf(skill.id);
      if (skill !== undefined && key !== undefined) records.set(key, skill.record);
    }
    return { terms: this.#corpus.vocabulary.terms, records };
  }

  /**
   * Puts the skills that an image has a record of, in steps, into an empty index, and calls back with each. Ask for nothing
   * before the last.
   */
  *restore<T extends Omit<SearchEntry, 'kind' | 'body'>>(
    { terms, records }: IndexImage,
    entries: Iterable<T>,
    keyOf: (entry: T) => string,
    visit: (entry: T) => void,
  ): Generator<void, void> {
    const known: { readonly entry: T; readonly record: Uint8Array }[] = [];
    for (const entry of entries) {
      const record = records.get(keyOf(entry));
      if (record !== undefined) known.push({ entry, record });
      yield;
    }
    yield* this.#corpus.begin(
      terms,
      known.map(({ record }) => record),
    );
    for (const { entry, record } of known) {
      this.#corpus.restore(entry, record);
      visit(entry);
      yield;
    }
  }

  remove(id: string): void {
    this.#corpus.remove(id);
  }

  /**
   * The best `limit` skills, best first; a skill that the query names exactly stands before all others. Those of `hidden`,
   * by their ids, are neither found nor counted.
   */
  search(query: string, limit: number, hidden: ReadonlySet<string> = NONE): readonly SearchHit[] {
    const most = Math.max(0, Math.floor(limit) || 0);
    if (most === 0) return [];
    const parsed = parseQuery(query, this.#corpus);
    const ranked = this.#withNamesakes(query, this.#ranking.rank(parsed, most, hidden), hidden);
    return ranked
      .slice(0, most)
      .map(({ skill, score }) => ({ id: skill.id, score, matches: matchesOf(skill, parsed.terms) }));
  }

  #withNamesakes(query: string, ranked: readonly RankedSkill[], hidden: ReadonlySet<string>): readonly RankedSkill[] {
    if (query.length > LONGEST_NAME) return ranked;
    const named = this.#corpus.slotsNamed(query).map((slot) => this.#corpus.skills[slot]);
    const best = ranked[0]?.score ?? 0;
    return named
      .flatMap((skill): RankedSkill[] =>
        skill === undefined || hidden.has(skill.id) ? [] : [{ skill, score: thousandths(best + EXACT_NAME) }],
      )
      .concat(ranked.filter(({ skill }) => !named.includes(skill)))
      .sort(compareRanked);
  }
}

const NONE: ReadonlySet<string> = new Set();

/** No name is longer, so no longer query needs to be compared with names. */
const LONGEST_NAME = 1024;
/** Above the best of the others. */
export const EXACT_NAME = 100;

const thousandths = (value: number): number => Math.round(value * 1000) / 1000;
