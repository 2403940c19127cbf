// The terms of the index and their numbers. A number is given back when the last skill with its term is gone.
import { grown } from './postings.ts';

export class Vocabulary {
  readonly #numbers = new Map<string, number>();
  readonly #terms: (string | undefined)[] = [];
  readonly #free: number[] = [];
  #signatures = new Uint32Array(1024);

  /** Numbers lie below this. */
  get capacity(): number {
    return this.#terms.length;
  }

  numberOf(term: string): number {
    const known = this.#numbers.get(term);
    if (known !== undefined) return known;
    const number = this.#free.pop() ?? this.#terms.length;
    const own = ownCopy(term);
    this.#terms[number] = own;
    if (number >= this.#signatures.length) this.#signatures = grown(this.#signatures, number * 2);
    this.#signatures[number] = signatureOf(own);
    this.#numbers.set(own, number);
    return number;
  }

  find(term: string): number | undefined {
    return this.#numbers.get(term);
  }

  termOf(number: number): string | undefined {
    return this.#terms[number];
  }

  signatureOf(number: number): number {
    return this.#signatures[number] ?? 0;
  }

  release(number: number): void {
    const term = this.#terms[number];
    if (term === undefined) return;
    this.#numbers.delete(term);
    this.#terms[number] = undefined;
    this.#free.push(number);
  }
}

/** Which letters a term has, one bit each: terms that differ in many of them cannot be one misspelling apart. */
export function signatureOf(term: string): number {
  let bits = 0;
  for (let index = 0; index < term.length; index += 1) bits |= 1 << (term.charCodeAt(index) & 31);
  return bits >>> 0;
}

/** A slice of a long string keeps the whole of it in memory: a term must not hold on to a skill's body. */
export const ownCopy = (text: string): string =>
  text.length < SHORTEST_SLICE ? text : Buffer.from(text, 'utf16le').toString('utf16le');
/** V8 copies what is shorter. */
const SHORTEST_SLICE = 13;
