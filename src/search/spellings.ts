// The words of names and descriptions as they are spelled there, where their term is only a stem. A typing error is
// compared with them: "migartion" is one swap from "migration", but far from "migr".
import { grown } from './postings.ts';
import { Vocabulary } from './vocabulary.ts';

export class Spellings {
  readonly words = new Vocabulary();
  /** By the word's number: how often it was added. */
  #counts = new Uint32Array(256);

  add(word: string): void {
    const number = this.words.numberOf(word);
    if (number >= this.#counts.length) this.#counts = grown(this.#counts, number * 2);
    this.#counts[number] = (this.#counts[number] as number) + 1;
  }

  /** Takes one away, of a word that was added. */
  remove(word: string): void {
    const number = this.words.find(word);
    if (number === undefined) return;
    const left = (this.#counts[number] as number) - 1;
    this.#counts[number] = left;
    if (left === 0) this.words.release(number);
  }
}
