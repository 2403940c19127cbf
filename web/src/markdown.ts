// Markdown as safe HTML: no HTML of the author's, nothing from elsewhere, links that tell nobody where they came from.
import DOMPurify, { type Config } from 'dompurify';
import { Marked, type Tokens } from 'marked';

const ALLOWED: Config = {
  ALLOWED_TAGS: [
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'p', 'br', 'hr', 'blockquote', 'pre', 'code', 'em', 'strong', 'del'],
    ...['ul', 'ol', 'li', 'a', 'table', 'thead', 'tbody', 'tr', 'th', 'td', 'input'],
  ],
  ALLOWED_ATTR: ['href', 'title', 'start', 'align', 'type', 'checked', 'disabled'],
  ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|#)/i,
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  RETURN_DOM_FRAGMENT: true,
};

const marked = new Marked({
  gfm: true,
  renderer: {
    // As text: an author's HTML is shown, never run.
    html: ({ text }: Tokens.HTML | Tokens.Tag) => escapeHtml(text),
    // A picture from elsewhere would tell its host who reads; the link leaves that to the reader.
    image: ({ href, text }: Tokens.Image) =>
      `<a href="${escapeHtml(href)}">${escapeHtml(`picture: ${text === '' ? href : text}`)}</a>`,
  },
});

export function renderMarkdown(text: string): DocumentFragment {
  const html = marked.parse(text, { async: false });
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

function finishLink(link: HTMLAnchorElement): void {
  // A path would lead into this dashboard; the files of a skill are in its list of files.
  if (!link.hasAttribute('href')) return;
  if (link.getAttribute('href')?.startsWith('#')) link.removeAttribute('href');
  else {
    link.target = '_blank';
    link.rel = 'noopener noreferrer nofollow';
  }
}

/** Of task lists, and of nothing else. */
function finishBox(box: HTMLInputElement): void {
  if (box.type !== 'checkbox') box.remove();
  box.disabled = true;
  box.setAttribute('aria-label', box.checked ? 'done' : 'to do');
}

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
