// Takes secrets out of texts: those that a call is known to hold, and whatever has the shape of a credential.
import { REDACTED, scrubShapes } from '../../text/credentials.ts';

/** The secrets of one call and of the steps inside it. */
export interface Secrets {
  /** Texts and numbers under a secret mark. */
  readonly add: (values: Iterable<string>) => void;
  /**
   * Those in fields that are only called like a secret. A name is a guess, and `token: 'english'` must not tear other texts
   * apart: what is no plain word or number is looked for, the rest is hidden in its own field alone.
   */
  readonly addNamed: (values: Iterable<string>) => void;
  readonly scrub: (text: string) => string;
}

/** Shorter ones would tear every text apart: `no`, `42`. Their own field is redacted all the same. */
const MIN_LENGTH = 4;

/** Beyond this every text is dropped whole: no honest call holds so many. */
const MAX_KNOWN = 500;

/** Of fields that are only called like secrets no more are looked for: a list of a thousand `token`s is honest. */
const MAX_NAMED = 500;

/** Texts as long as this are read once, however often the call and its steps show them. */
const LEAST_KEPT = 4_096;

/** Of those, so many are kept: a call has a megabyte. */
const MOST_KEPT = 64;

export function createSecrets(): Secrets {
  const known = new Set<string>();
  const named = new Set<string>();
  const texts = createKnownTexts();
  /** What became of long texts, as long as no secret was added. */
  const scrubbed = new Map<string, string>();
  const learn = (secret: string) => {
    texts.add(spellings(secret));
    scrubbed.clear();
  };
  const scrubAnew = (text: string) => scrubShapes(texts.takeOut(text, REDACTED));
  const scrubLong = (text: string) => {
    const clean = scrubbed.get(text) ?? scrubAnew(text);
    if (scrubbed.size < MOST_KEPT) scrubbed.set(text, clean);
    return clean;
  };
  return {
    add: (values) => {
      for (const value of values) {
        if (known.size > MAX_KNOWN) return;
        if (value.length < MIN_LENGTH || known.has(value)) continue;
        known.add(value);
        learn(value);
      }
    },
    addNamed: (values) => {
      for (const value of values) {
        for (const word of value.split(/\s+/)) {
          if (named.size >= MAX_NAMED) return;
          if (named.has(word) || !isTelling(word)) continue;
          named.add(word);
          learn(word);
        }
      }
    },
    scrub: (text) => {
      if (known.size > MAX_KNOWN) return REDACTED;
      return text.length < LEAST_KEPT ? scrubAnew(text) : scrubLong(text);
    },
  };
}

const LEAST_TELLING = 6;

/** No plain word, no number or date, no word with its number (`part-1`): those stand in other texts, too. */
const isTelling = (word: string): boolean =>
  word.length >= LEAST_TELLING &&
  !/^\p{L}\p{Ll}*$/u.test(word) &&
  !/^[\d\p{P}]+$/u.test(word) &&
  !/^\p{L}+[-_]\d{1,4}$/u.test(word);

/** A secret also leaks as part of JSON, of an address, of a form or of a header: as each of these writes it. */
export function spellings(secret: string): readonly string[] {
  const wellFormed = secret.replace(/\p{Surrogate}/gu, '\uFFFD');
  const json = JSON.stringify(secret).slice(1, -1);
  const bytes = Buffer.from(wellFormed);
  const hex = bytes.toString('hex');
  const base64 = base64Parts(bytes);
  return [
    ...new Set([
      secret,
      json,
      JSON.stringify(json).slice(1, -1),
      ...percentSpellings(wellFormed),
      ...base64,
      ...base64.map((each) => each.replaceAll('+', '-').replaceAll('/', '_')),
      hex,
      hex.toUpperCase(),
    ]),
  ];
}

/** `encodeURIComponent`, `URLSearchParams`, and what `new URL` makes of a path, a query, a fragment and a password. */
function percentSpellings(secret: string): readonly string[] {
  const strict = encodeURIComponent(secret);
  const form = new URLSearchParams([['', secret]]).toString().slice(1);
  const parts = [PATH, QUERY, FRAGMENT, USER].map((signs) => percentEncoded(secret, signs));
  return [strict, form, ...parts, lowerCodes(strict), lowerCodes(form)];
}

const lowerCodes = (text: string): string => text.replace(/%[\dA-F]{2}/g, (code) => code.toLowerCase());

/** The percent-encode sets of the URL Standard, without what is not ASCII: that is always encoded. */
const FRAGMENT = /[\0-\x20\x7f"<>`]/;
const QUERY = /[\0-\x20\x7f"#<>']/;
const PATH = /[\0-\x20\x7f"#<>?^`{}]/;
const USER = /[\0-\x20\x7f"#<>?^`{}/:;=@[\\\]|]/;

const percentEncoded = (text: string, signs: RegExp): string =>
  text.replace(new RegExp(`${signs.source}|[^\\0-\\x7f]+`, 'gu'), (part) =>
    part.codePointAt(0) === 0x27 ? '%27' : encodeURIComponent(part),
  );

/** Shorter parts are too common. */
const LEAST_PART = 6;

/** As it stands on its own, and inside of something longer: `user:secret`. Three bytes are four letters, wherever they begin. */
function base64Parts(bytes: Buffer): readonly string[] {
  const whole = bytes.toString('base64').replace(/=+$/, '');
  const inside = [0, 1, 2].map((offset) => {
    const letters = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    // Letters with a bit of something else are left out.
    return letters.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
  });
  return [whole, ...inside.filter((part) => part.length >= LEAST_PART)];
}

interface KnownTexts {
  readonly add: (texts: Iterable<string>) => void;
  /** Every occurrence becomes `mark`; those that touch or overlap become one. */
  readonly takeOut: (text: string, mark: string) => string;
}

/** A text is recognised by its beginning: then the time does not depend on how long or how many they are. */
const ENOUGH = 32;

/** Most have one way on: a map for each would take many times the room. */
interface Node {
  /** The next UTF-16 unit, and where it leads. */
  unit: number;
  next: Node | undefined;
  /** The other ways on, by their units. */
  others: Map<number, Node> | undefined;
  /** A whole text, or the beginning of one, ends here. */
  ends: boolean;
  /** Those that are longer than their beginning. */
  longer: Set<string> | undefined;
}

const createNode = (): Node => ({ unit: -1, next: undefined, others: undefined, ends: false, longer: undefined });

const follow = (node: Node, unit: number): Node | undefined =>
  node.unit === unit ? node.next : node.others?.get(unit);

function extend(node: Node, unit: number): Node {
  const known = follow(node, unit);
  if (known !== undefined) return known;
  const made = createNode();
  if (node.next === undefined) {
    node.unit = unit;
    node.next = made;
  } else {
    node.others ??= new Map();
    node.others.set(unit, made);
  }
  return made;
}

/** Takes known texts out of others in one pass over each, however many there are and whatever they look like. */
export function createKnownTexts(): KnownTexts {
  const root = createNode();
  return {
    add: (texts) => {
      for (const text of texts) enter(root, text);
    },
    takeOut: (text, mark) => (root.next === undefined ? text : replaceKnown(root, text, mark)),
  };
}

function enter(root: Node, text: string): void {
  let node = root;
  for (let at = 0; at < Math.min(text.length, ENOUGH); at++) {
    node = extend(node, text.charCodeAt(at));
  }
  if (node === root) return;
  node.ends = true;
  if (text.length <= ENOUGH) return;
  node.longer ??= new Set();
  node.longer.add(text);
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
  let node = follow(root, text.charCodeAt(start));
  let end = 0;
  for (let at = start + 1; node !== undefined; at++) {
    // What lies within the one before is not followed any further: each unit is compared a few times, not once per start.
    if (node.ends) end = at > done ? furthestEnd(node, text, start, at) : at;
    node = at < text.length ? follow(node, text.charCodeAt(at)) : undefined;
  }
  return end;
}

function furthestEnd({ longer }: Node, text: string, start: number, end: number): number {
  let furthest = end;
  for (const each of longer ?? []) furthest = Math.max(furthest, sharedEnd(each, text, start));
  return furthest;
}

/** Up to where the text goes on like the known one: most of a secret does harm, too. */
function sharedEnd(known: string, text: string, start: number): number {
  let length = ENOUGH;
  while (length < known.length && known.charCodeAt(length) === text.charCodeAt(start + length)) length++;
  return start + length;
}
