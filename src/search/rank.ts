// Which skills answer a query best. First an estimate for every skill that has one of its terms, then a close look
// at the most promising: which passage of the body fits, and how much of the name is covered.
import type { Corpus, IndexedSkill } from './corpus.ts';
import { impactOf, slotOf } from './postings.ts';
import type { ParsedQuery, QueryTerm } from './query.ts';
import {
  DESCRIPTION_LEVELS,
  IMPACTS,
  type Impact,
  NAME_LEVELS,
  RecordReader,
  THROUGHOUT,
  unpackImpact,
} from './skill-record.ts';

export interface RankedSkill {
  readonly skill: IndexedSkill;
  /** How much of the query is covered: about 100 when every word of it stands in the name; 3 decimals. */
  readonly score: number;
}

// What a word is worth in each field. The author chose name and description to be found by.
const IN_NAME = 3;
const IN_DESCRIPTION = 2.5;
/** Besides what it counts as a part of its passage. */
const IN_HEADING = 0.4;
/** In the passage that fits best. Few words stand together in many places where nobody thought of them. */
const IN_PASSAGE = { short: 0.6, long: 1.5 } as const;
const IN_PASSAGE_CODE = { short: 0.3, long: 0.8 } as const;
/** Somewhere else in the body: a long skill has every word somewhere. */
const ELSEWHERE = { short: 0.1, long: 0.2 } as const;
/** A word that runs through the whole body. */
const ALL_OVER = 0.5;
/** How soon more of the same word stops to count. */
const SATURATION = 1;
/** The second best passage, as a part of the best. */
const SECOND_PASSAGE = 0.25;
/** What a whole request gains by a word that several passages have: the skill keeps coming back to it. */
const REPEATED = 0.5;
/** A long skill repeats every word: how much less it counts there, for each passage. */
const REPEATED_IN_LONG = 0.2;
/** A passage that has the word in code only. */
const REPEATED_IN_CODE = 0.5;
/** What a name that the query covers in full adds, as a part of the weight of its words. */
const NAME_COVERED = 0.15;
/** A name of one word is often a file type or a tool: who writes it means it. */
const ONE_WORD_NAMED = 0.5;
/** How many are looked at closely. */
const CANDIDATES = 100;

export class Ranking {
  readonly #corpus: Corpus;
  readonly #worths = { short: createWorth('short'), long: createWorth('long') };
  #worth: Worth = this.#worths.long;
  readonly #reader = new RecordReader();
  #estimates = new Float64Array(1024);
  /** By term: its weight in the query. Zero again after each query. */
  #weights = new Float64Array(1024);
  readonly #gains: number[] = [];
  /** Of the skill that is looked at: what its repeated words weigh. */
  #repeated = 0;

  constructor(corpus: Corpus) {
    this.#corpus = corpus;
  }

  /** Without those of `hidden`, which are ids. */
  rank({ terms, total, isShort }: ParsedQuery, limit: number, hidden: Iterable<string>): readonly RankedSkill[] {
    this.#worth = isShort ? this.#worths.short : this.#worths.long;
    const candidates = this.#promising(terms, Math.max(CANDIDATES, limit), hidden);
    this.#setWeights(terms);
    const ranked = candidates.map((skill) => ({ skill, score: shown(this.#score(skill), total) }));
    for (const { term } of terms) this.#weights[term] = 0;
    return ranked.sort(compareRanked).slice(0, limit);
  }

  #promising(terms: readonly QueryTerm[], most: number, hidden: Iterable<string>): readonly IndexedSkill[] {
    const { skills, postings } = this.#corpus;
    if (this.#estimates.length < skills.length) this.#estimates = new Float64Array(skills.length * 2);
    const estimates = this.#estimates.subarray(0, skills.length);
    for (const { term, weight } of terms) addUp(postings.of(term), weight, this.#worth.estimate, estimates);
    for (const id of hidden) {
      const slot = this.#corpus.slotOf(id);
      if (slot !== undefined) estimates[slot] = 0;
    }
    const compareSlots = (a: number, b: number) => compareSkills(getSkill(skills, a), getSkill(skills, b));
    const best = takeLargest(estimates, most, compareSlots);
    estimates.fill(0);
    return best.map((slot) => getSkill(skills, slot));
  }

  #score(skill: IndexedSkill): number {
    this.#gains.length = 0;
    this.#repeated = 0;
    let base = 0;
    this.#reader.open(skill.record);
    while (this.#reader.nextTerm()) {
      const weight = this.#weights[this.#reader.term] ?? 0;
      if (weight > 0) base += this.#readTerm(weight);
    }
    const [best, second] = twoLargest(this.#gains);
    const repeated = (this.#worth.repeated * this.#repeated) / (1 + REPEATED_IN_LONG * this.#gains.length);
    return base + best + SECOND_PASSAGE * second + repeated + this.#nameCovered(skill);
  }

  /** Adds what the term would gain in each passage, and answers what it is worth without them. */
  #readTerm(weight: number): number {
    const { impact } = this.#reader;
    const inPassage = weight * (this.#worth.inPassage[impact] as number);
    const inCode = weight * (this.#worth.inCode[impact] as number);
    let times = 0;
    while (this.#reader.nextPassage()) {
      const { passage, isCodeOnly } = this.#reader;
      times += isCodeOnly ? REPEATED_IN_CODE : 1;
      while (this.#gains.length <= passage) this.#gains.push(0);
      this.#gains[passage] = (this.#gains[passage] as number) + (isCodeOnly ? inCode : inPassage);
    }
    if (times > 1) this.#repeated += weight * Math.log(times);
    return weight * (this.#worth.elsewhere[impact] as number);
  }

  /** What the query's words that make up the name add, as far as they make up all of it. */
  #nameCovered({ nameTerms }: IndexedSkill): number {
    let covered = 0;
    let weight = 0;
    for (const term of nameTerms) {
      const its = this.#weights[term] ?? 0;
      if (its > 0) covered += 1;
      weight += its;
    }
    return nameTerms.length === 0 ? 0 : nameBonus(weight, covered, nameTerms.length);
  }

  #setWeights(terms: readonly QueryTerm[]): void {
    const { capacity } = this.#corpus.vocabulary;
    if (this.#weights.length < capacity) this.#weights = new Float64Array(Math.ceil(capacity * 1.25));
    for (const { term, weight } of terms) this.#weights[term] = weight;
  }
}

/** `words`: of the name; `covered`: how many of them the query has, with `weight`. */
export const nameBonus = (weight: number, covered: number, words: number): number =>
  weight * (words === 1 ? ONE_WORD_NAMED : NAME_COVERED) * (covered / words) ** 2;

/** Counts instead of `for … of`: this loop is where a long query spends its time. */
function addUp(postings: Uint32Array, weight: number, worth: Float64Array, sums: Float64Array): void {
  for (let index = 0; index < postings.length; index += 1) {
    const posting = postings[index] as number;
    const slot = slotOf(posting);
    sums[slot] = (sums[slot] as number) + weight * (worth[impactOf(posting)] as number);
  }
}

/** Equal scores by name, then id: never by what was indexed first. */
export const compareRanked = (a: RankedSkill, b: RankedSkill): number =>
  b.score - a.score || compareSkills(a.skill, b.skill);

const compareSkills = (a: IndexedSkill, b: IndexedSkill): number =>
  compareText(a.name, b.name) || compareText(a.id, b.id);

export const compareText = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);

/** A slot that has postings has a skill. */
const getSkill = (skills: Corpus['skills'], slot: number): IndexedSkill => skills[slot] as IndexedSkill;

/** What a term of weight 1 adds to the score, by impact. */
interface Worth {
  /** Without the passages. */
  readonly elsewhere: Float64Array;
  /** What more it is worth when the passage has it. */
  readonly inPassage: Float64Array;
  readonly inCode: Float64Array;
  /** For the first look. */
  readonly estimate: Float64Array;
  /** What repeated words are worth. */
  readonly repeated: number;
}

function createWorth(query: 'short' | 'long'): Worth {
  const worth = {
    elsewhere: new Float64Array(IMPACTS),
    inPassage: new Float64Array(IMPACTS),
    inCode: new Float64Array(IMPACTS),
    estimate: new Float64Array(IMPACTS),
    repeated: query === 'long' ? REPEATED : 0,
  };
  for (let bits = 0; bits < IMPACTS; bits += 1) {
    const impact = unpackImpact(bits);
    const { body } = impact;
    const without = inHead(impact) + (body === THROUGHOUT ? ALL_OVER : body > 0 ? ELSEWHERE[query] : 0);
    worth.elsewhere[bits] = saturated(without);
    worth.inPassage[bits] = saturated(without + IN_PASSAGE[query]) - saturated(without);
    worth.inCode[bits] = saturated(without + IN_PASSAGE_CODE[query]) - saturated(without);
    worth.estimate[bits] = saturated(without + (body > 0 ? IN_PASSAGE[query] / 2 : 0));
  }
  return worth;
}

const inHead = ({ name, description, heading }: Impact): number =>
  (IN_NAME * name) / NAME_LEVELS + (IN_DESCRIPTION * description) / DESCRIPTION_LEVELS + IN_HEADING * heading;

/** What a term of weight 1 is worth where only the head of a skill is known. */
export const headWorth = (impact: Impact): number => saturated(inHead(impact));

const saturated = (amount: number): number => amount / (amount + SATURATION);

export const shown = (score: number, total: number): number =>
  Math.max(1, Math.round((score / total) * 100_000)) / 1000;

function twoLargest(values: readonly number[]): readonly [number, number] {
  let best = 0;
  let second = 0;
  for (const value of values) {
    if (value > best) {
      second = best;
      best = value;
    } else if (value > second) second = value;
  }
  return [best, second];
}

/**
 * The places of the largest values above zero in a long array, best first, without sorting all of it.
 * `compareEqual` decides between the places of equal values.
 */
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
