// What a skill says at first sight: its name, its description and its headings, as one text to look through.
import type { SearchEntry } from './search-index.ts';
import { plainText } from './words.ts';

export interface Head {
  readonly id: string;
  readonly name: string;
  /** Name, description and headings, a line each, in plain lower-case letters. */
  readonly text: string;
  readonly nameEnd: number;
  readonly descriptionEnd: number;
}

interface Described extends Pick<SearchEntry, 'id' | 'name' | 'description'> {
  readonly headings: string;
}

export function createHead({ id, name, description, headings }: Described): Head {
  const [plainName, plainDescription] = [plainText(name), plainText(description)];
  const nameEnd = plainName.length;
  return {
    id,
    name,
    text: `${plainName}\n${plainDescription}\n${plainText(headings)}`,
    nameEnd,
    descriptionEnd: nameEnd + 1 + plainDescription.length,
  };
}

/** More says no more, and every search would look through it. */
const MOST_HEADINGS = 2_000;

/**
 * The title and all that begins with "##": a single "#" further down is mostly a comment in code. This is done for every
 * skill before the first answer, so only what was found becomes UTF-8, lines are not looked at one by one, and what comes
 * after so many bytes is left to the index.
 */
export function headingsOf(document: Buffer, mostBytes: number): string {
  const text = document.toString('latin1', 0, mostBytes);
  let headings = '';
  let hasTitle = false;
  let at = text.startsWith('#') ? 0 : nextHeading(text, 0);
  while (at < text.length && headings.length < MOST_HEADINGS) {
    const isTitle = text[at + 1] !== '#';
    if (!isTitle || !hasTitle) headings += `${text.slice(at, lineEnd(text, at))}\n`;
    hasTitle = true;
    at = nextHeading(text, at);
  }
  return Buffer.from(headings.slice(0, MOST_HEADINGS), 'latin1').toString('utf8');
}

function nextHeading(text: string, from: number): number {
  const found = text.indexOf('\n#', from);
  return found === -1 ? text.length : found + 1;
}

function lineEnd(text: string, from: number): number {
  const found = text.indexOf('\n', from);
  return Math.min(found === -1 ? text.length : found, from + MOST_HEADINGS);
}
