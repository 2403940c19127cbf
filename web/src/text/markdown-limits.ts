// Which texts are not worth rendering: those that would keep the page busy for seconds. Pure.

const MOST_CHARACTERS = 200_000;
/** Of `*`, `_` or `~`, and of `[` in each other: the renderer compares them with one another, in every paragraph. */
const MOST_MARKS = 2_000;
/** Quotes and lists in each other; the renderer calls itself for each. */
const MOST_NESTED = 200;

const MARKS = /\*+|_+|~+/g;
const NESTED = new RegExp(`^(?:[ \\t]*(?:>|[*+-](?=[ \\t])|\\d{1,9}[.)](?=[ \\t]))){${MOST_NESTED}}`, 'm');

/** Why a text is shown as text, in a sentence; `undefined` for nearly all. */
export function whyAsText(text: string): string | undefined {
  if (text.length > MOST_CHARACTERS)
    return 'This text is longer than 200 kB: it is shown as it is written, not rendered as Markdown.';
  if (NESTED.test(text) || paragraphsOf(text).some(isTangled))
    return 'This text has very many marks in one paragraph: it is shown as it is written, not rendered as Markdown.';
  return undefined;
}

const paragraphsOf = (text: string): readonly string[] => text.split(/\n[ \t\r]*\n/);

const isTangled = (paragraph: string): boolean =>
  paragraph.length > MOST_MARKS &&
  ((paragraph.match(MARKS)?.length ?? 0) > MOST_MARKS || deepestBracket(paragraph) > MOST_MARKS);

function deepestBracket(paragraph: string): number {
  let deepest = 0;
  let depth = 0;
  for (const character of paragraph) {
    if (character === '[') depth += 1;
    if (character === ']' && depth > 0) depth -= 1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}
