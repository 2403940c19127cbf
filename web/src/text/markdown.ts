// What Markdown says of itself: its body, where its links may lead, the characters that it names. Pure.
import type { Tokens } from 'marked';

/** What follows the frontmatter of a SKILL.md. */
export const bodyOf = (content: string): string =>
  content.replace(/^\uFEFF?---[^\n]*\n[\s\S]*?\n---[^\n]*(?:\n|$)/, '');

type Destination =
  | { readonly kind: 'file'; readonly href: string }
  | { readonly kind: 'elsewhere'; readonly href: string }
  | { readonly kind: 'nowhere' };

const ELSEWHERE = /^(?:https?:|mailto:)/i;

/** `files`: paths of the skill that can be shown here; links to them lead there, links to other paths nowhere. */
export function destinationOf(
  { href: written, autolink }: Pick<Tokens.Link, 'href' | 'autolink'>,
  files: ReadonlySet<string>,
): Destination {
  const href = autolink === true ? written : withoutReferences(written);
  const path = decoded(href.replace(/^\.\//, '').replace(/[?#].*$/, ''));
  if (files.has(path)) return { kind: 'file', href: `?file=${encodeURIComponent(path)}` };
  return ELSEWHERE.test(href) ? { kind: 'elsewhere', href } : { kind: 'nowhere' };
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

const REFERENCE = /&(?:#x([\da-f]{1,6})|#(\d{1,7})|[a-z][a-z\d]{1,31});/gi;

/** `&amp;` and its like as the characters that they stand for. */
export const withoutReferences = (text: string): string =>
  text.replace(REFERENCE, (reference, hex, decimal) => {
    if (hex !== undefined) return characterOf(Number.parseInt(hex, 16));
    return decimal === undefined ? named(reference) : characterOf(Number(decimal));
  });

const characterOf = (code: number): string =>
  code === 0 || code > 0x10_ff_ff || (code >= 0xd8_00 && code <= 0xdf_ff) ? '\uFFFD' : String.fromCodePoint(code);

/** Browsers know the two thousand names; without one the few that matter are enough. */
function named(reference: string): string {
  if (typeof DOMParser === 'undefined') return COMMON[reference.toLowerCase()] ?? reference;
  return new DOMParser().parseFromString(reference, 'text/html').body.textContent ?? reference;
}

const COMMON: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' };
