// Takes known texts out of others in one pass over each, however many there are and whatever they look like.

export interface KnownTexts {
  readonly add: (texts: Iterable<string>) => void;
  /** Every place where one of them stands becomes `mark`; places that touch or overlap become one. */
  readonly takeOut: (text: string, mark: string) => string;
}

/** A text is recognised by its beginning: then the time for a place does not depend on how long or how many they are. */
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

export function createKnownTexts(): KnownTexts {
  const root = createNode();
  return {
    add: (texts) => {
      for (const text of texts) enter(root, text);
    },
    takeOut: (text, mark) => (root.next.size === 0 ? text : replacePlaces(root, text, mark)),
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

function replacePlaces(root: Node, text: string, mark: string): string {
  const pieces: string[] = [];
  /** Up to where the text is written, or taken out. */
  let done = 0;
  for (let at = 0; at < text.length; at++) {
    const end = endOfPlace(root, text, at, done);
    if (end <= done) continue;
    // One that overlaps the place before makes it longer.
    if (at > done || pieces.length === 0) pieces.push(text.slice(done, at), mark);
    done = end;
  }
  return pieces.length === 0 ? text : pieces.join('') + text.slice(done);
}

/** Where the longest known text that begins here ends; 0 when none does. */
function endOfPlace(root: Node, text: string, start: number, done: number): number {
  let node = root.next.get(text.charCodeAt(start));
  let end = 0;
  for (let at = start + 1; node !== undefined; at++) {
    // What lies within the place before is not followed any further: each unit is compared a few times, not once per place.
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
