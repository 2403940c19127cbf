// Takes secrets out of texts: those that a call is known to hold, and whatever has the shape of a credential.
import { REDACTED, scrubShapes } from '../../text/list-text.ts';

/** The secrets of one call and of the steps inside it. */
export interface Secrets {
  /** Texts and numbers under a secret mark. */
  readonly add: (values: Iterable<string>) => void;
  readonly scrub: (text: string) => string;
}

/** Shorter ones would tear every text apart: `no`, `42`. Their own field is redacted all the same. */
const MIN_LENGTH = 4;

/** Beyond this every text is dropped whole: no honest call holds so many. */
const MAX_KNOWN = 500;

export function createSecrets(): Secrets {
  const known = new Set<string>();
  const texts = createKnownTexts();
  return {
    add: (values) => {
      for (const value of values) {
        if (known.size > MAX_KNOWN) return;
        if (value.length < MIN_LENGTH || known.has(value)) continue;
        known.add(value);
        texts.add(spellings(value));
      }
    },
    scrub: (text) => (known.size > MAX_KNOWN ? REDACTED : scrubShapes(texts.takeOut(text, REDACTED))),
  };
}

/** A secret also leaks as part of JSON, of an address or of a header. */
export function spellings(secret: string): readonly string[] {
  const wellFormed = secret.replace(/\p{Surrogate}/gu, '\uFFFD');
  const base64 = Buffer.from(wellFormed).toString('base64').replace(/=+$/, '');
  return [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(wellFormed), base64];
}

interface KnownTexts {
  readonly add: (texts: Iterable<string>) => void;
  /** Every occurrence becomes `mark`; those that touch or overlap become one. */
  readonly takeOut: (text: string, mark: string) => string;
}

/** A text is recognised by its beginning: then the time does not depend on how long or how many they are. */
const ENOUGH = 32;

interface Node {
  /** By the next UTF-16 unit. */
  readonly next: Map<number, Node>;
  /** A whole text, or the beginning of one, ends here. */
  ends: boolean;
  /** Those that are longer than their beginning. */
  readonly longer: string[];
}

const createNode = (): Node => ({ next: new Map(), ends: false, longer: [] });

/** Takes known texts out of others in one pass over each, however many there are and whatever they look like. */
export function createKnownTexts(): KnownTexts {
  const root = createNode();
  return {
    add: (texts) => {
      for (const text of texts) enter(root, text);
    },
    takeOut: (text, mark) => (root.next.size === 0 ? text : replaceKnown(root, text, mark)),
  };
}

function enter(root: Node, text: string): void {
  let node = root;
  for (let at = 0; at < Math.min(text.length, ENOUGH); at++) {
    const unit = text.charCodeAt(at);
    const next = node.next.get(unit) ?? createNode();
    node.next.set(unit, next);
    node = next;
  }
  if (node === root) return;
  node.ends = true;
  if (text.length > ENOUGH && !node.longer.includes(text)) node.longer.push(text);
}

function replaceKnown(root: Node, text: string, mark: string): string {
  const pieces: string[] = [];
  /** Up to where the text is written, or taken out. */
  let done = 0;
  for (let at = 0; at < text.length; at++) {
    const end = endOfKnown(root, text, at, done);
    if (end <= done) continue;
    // One that overlaps the one before makes it longer.
    if (at > done || pieces.length === 0) pieces.push(text.slice(done, at), mark);
    done = end;
  }
  return pieces.length === 0 ? text : pieces.join('') + text.slice(done);
}

/** Where the longest known text that begins here ends; 0 when none does. */
function endOfKnown(root: Node, text: string, start: number, done: number): number {
  let node = root.next.get(text.charCodeAt(start));
  let end = 0;
  for (let at = start + 1; node !== undefined; at++) {
    // What lies within the one before is not followed any further: each unit is compared a few times, not once per start.
    if (node.ends) end = at > done ? Math.max(at, ...node.longer.map((each) => sharedEnd(each, text, start))) : at;
    node = at < text.length ? node.next.get(text.charCodeAt(at)) : undefined;
  }
  return end;
}

/** Up to where the text goes on like the known one: most of a secret does harm, too. */
function sharedEnd(known: string, text: string, start: number): number {
  let length = ENOUGH;
  while (length < known.length && known.charCodeAt(length) === text.charCodeAt(start + length)) length++;
  return start + length;
}
