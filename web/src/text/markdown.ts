// Markdown as safe HTML: no HTML of the author's, nothing from elsewhere, links that send no referrer.
import DOMPurify, { type Config } from 'dompurify';
import { Marked, type Token, type Tokens } from 'marked';
import { whyAsText } from './markdown-limits.ts';

const ALLOWED: Config = {
  ALLOWED_TAGS: [
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'p', 'br', 'hr', 'blockquote', 'pre', 'code', 'em', 'strong', 'del'],
    ...['ul', 'ol', 'li', 'a', 'table', 'thead', 'tbody', 'tr', 'th', 'td', 'input'],
  ],
  ALLOWED_ATTR: ['href', 'title', 'start', 'align', 'type', 'checked', 'disabled'],
  ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|\?file=)/i,
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  RETURN_DOM_FRAGMENT: true,
};

const marked = new Marked({
  gfm: true,
  renderer: {
    // As text: an author's HTML is shown, never run.
    html: ({ text }: Tokens.HTML | Tokens.Tag) => escapeHtml(text),
    // One level lower: the page has a heading of its own.
    heading({ tokens, depth }: Tokens.Heading) {
      const level = Math.min(6, depth + 1);
      return `<h${level}>${this.parser.parseInline(tokens)}</h${level}>`;
    },
    // A picture from elsewhere would tell its host who reads; the link leaves that to the reader.
    image: ({ href, text }: Tokens.Image) =>
      `<a href="${escapeHtml(href)}">${escapeHtml(`picture: ${text === '' ? href : text}`)}</a>`,
  },
});

type Rendered =
  | { readonly ok: true; readonly fragment: DocumentFragment }
  /** `why`: a sentence for the reader. */
  | { readonly ok: false; readonly why: string };

/** `files`: paths of the skill that can be shown here; links to them lead there, links to other paths nowhere. */
export function renderMarkdown(text: string, files: ReadonlySet<string>): Rendered {
  const why = whyAsText(text);
  if (why !== undefined) return { ok: false, why };
  try {
    return { ok: true, fragment: fragmentOf(text, files) };
  } catch {
    // Whatever it was, the text itself can be read.
    return { ok: false, why: 'This text could not be rendered as Markdown: it is shown as it is written.' };
  }
}

function fragmentOf(text: string, files: ReadonlySet<string>): DocumentFragment {
  const walkTokens = (token: Token) => leadToFile(token, files);
  const html = marked.parse(text, { async: false, walkTokens });
  // With RETURN_DOM_FRAGMENT it is one; the types know only the string.
  const fragment = DOMPurify.sanitize(html, ALLOWED) as unknown as DocumentFragment;
  for (const link of fragment.querySelectorAll('a')) finishLink(link);
  for (const box of fragment.querySelectorAll('input')) finishBox(box);
  for (const wide of fragment.querySelectorAll('pre, table')) wide.setAttribute('tabindex', '0');
  return fragment;
}

/** What follows the frontmatter of a SKILL.md. */
export const bodyOf = (content: string): string =>
  content.replace(/^\uFEFF?---[^\n]*\n[\s\S]*?\n---[^\n]*(?:\n|$)/, '');

function leadToFile(token: Token, files: ReadonlySet<string>): void {
  if (token.type !== 'link') return;
  const path = decoded(
    String(token.href)
      .replace(/^\.\//, '')
      .replace(/[?#].*$/, ''),
  );
  if (files.has(path)) token.href = `?file=${encodeURIComponent(path)}`;
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function finishLink(link: HTMLAnchorElement): void {
  if (!link.hasAttribute('href') || link.getAttribute('href')?.startsWith('?')) return;
  link.target = '_blank';
  link.rel = 'noopener noreferrer nofollow';
}

/** Of task lists, and of nothing else. */
function finishBox(box: HTMLInputElement): void {
  if (box.type !== 'checkbox') box.remove();
  box.disabled = true;
  box.setAttribute('aria-label', box.checked ? 'done' : 'to do');
}

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
