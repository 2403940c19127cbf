// Markdown as elements of a closed list: no HTML is ever made of it, an author's own is text, and nothing is loaded from elsewhere.
import { Lexer, type MarkedToken, type Token, type Tokens } from 'marked';
import { type ComponentChildren, Fragment } from 'preact';
import { destinationOf, withoutReferences } from '../text/markdown.ts';
import { whyAsText } from '../text/markdown-limits.ts';

type Rendered =
  | { readonly ok: true; readonly content: ComponentChildren }
  /** `why`: a sentence for the reader. */
  | { readonly ok: false; readonly why: string };

/** `files`: paths of the skill that can be shown here; links to them lead there, links to other paths nowhere. */
export function renderMarkdown(text: string, files: ReadonlySet<string>): Rendered {
  const why = whyAsText(text);
  if (why !== undefined) return { ok: false, why };
  try {
    return { ok: true, content: drawTokens(new Lexer({ gfm: true }).lex(text), files) };
  } catch {
    // Whatever it was, the text itself can be read.
    return { ok: false, why: 'This text could not be rendered as Markdown: it is shown as it is written.' };
  }
}

type Draw<T> = (token: T, files: ReadonlySet<string>) => ComponentChildren;

type Drawers = { readonly [T in MarkedToken['type']]: Draw<Extract<MarkedToken, { type: T }>> };

const drawTokens = (tokens: readonly Token[], files: ReadonlySet<string>): ComponentChildren =>
  tokens.map((token, at) => <Fragment key={at}>{drawToken(token, files)}</Fragment>);

function drawToken(token: Token, files: ReadonlySet<string>): ComponentChildren {
  // The table has a drawer for each type that the lexer gives, and the type says which token it takes.
  const drawer = DRAWERS[token.type as MarkedToken['type']] as Draw<Token> | undefined;
  return drawer === undefined ? token.raw : drawer(token, files);
}

const nothing = () => null;

const DRAWERS: Drawers = {
  space: nothing,
  def: nothing,
  html: ({ text }) => text,
  escape: ({ text }) => text,
  hr: () => <hr />,
  br: () => <br />,
  code: ({ text }) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it
    <pre tabIndex={0}>
      <code>{text}</code>
    </pre>
  ),
  codespan: ({ text }) => <code>{text}</code>,
  heading: ({ depth, tokens }, files) => {
    // One level lower: the page has a heading of its own.
    const Level = `h${Math.min(6, depth + 1)}` as 'h2';
    return <Level>{drawTokens(tokens, files)}</Level>;
  },
  paragraph: ({ tokens }, files) => <p>{drawTokens(tokens, files)}</p>,
  blockquote: ({ tokens }, files) => <blockquote>{drawTokens(tokens, files)}</blockquote>,
  strong: ({ tokens }, files) => <strong>{drawTokens(tokens, files)}</strong>,
  em: ({ tokens }, files) => <em>{drawTokens(tokens, files)}</em>,
  del: ({ tokens }, files) => <del>{drawTokens(tokens, files)}</del>,
  text: (token, files) => {
    if ('tokens' in token && token.tokens !== undefined) return drawTokens(token.tokens, files);
    return 'escaped' in token && token.escaped === false ? withoutReferences(token.text) : token.text;
  },
  list: (list, files) => {
    const items = list.items.map((item, at) => <li key={at}>{drawTokens(item.tokens, files)}</li>);
    if (!list.ordered) return <ul>{items}</ul>;
    return <ol {...(typeof list.start === 'number' && list.start !== 1 && { start: list.start })}>{items}</ol>;
  },
  list_item: ({ tokens }, files) => <li>{drawTokens(tokens, files)}</li>,
  checkbox: ({ checked }) => (
    <>
      <input type="checkbox" disabled checked={checked} aria-label={checked ? 'done' : 'to do'} />{' '}
    </>
  ),
  table: (table, files) => drawTable(table, files),
  link: (link, files) => drawLink(link, files),
  // A picture from elsewhere would tell its host who reads; the link leaves that to the reader.
  image: ({ href, text }, files) =>
    drawLink({ href, title: null, text: `picture: ${text === '' ? href : text}`, tokens: undefined }, files),
};

const drawTable = ({ header, rows }: Tokens.Table, files: ReadonlySet<string>) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it
  <table tabIndex={0}>
    <thead>
      <tr>
        {header.map(({ align, tokens }, at) => (
          <th key={at} align={align ?? undefined}>
            {drawTokens(tokens, files)}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map((row, at) => (
        <tr key={at}>
          {row.map(({ align, tokens }, column) => (
            <td key={column} align={align ?? undefined}>
              {drawTokens(tokens, files)}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
);

interface Link extends Pick<Tokens.Link, 'href' | 'title' | 'text' | 'autolink'> {
  /** Without any its text is all there is. */
  readonly tokens: readonly Token[] | undefined;
}

function drawLink(link: Link, files: ReadonlySet<string>) {
  const { title, text, tokens, autolink } = link;
  const to = destinationOf(link, files);
  const inside = tokens === undefined || autolink === true ? text : drawTokens(tokens, files);
  const hint = title === null || title === undefined ? {} : { title: withoutReferences(title) };
  if (to.kind === 'nowhere') return <a {...hint}>{inside}</a>;
  const leaving = to.kind === 'elsewhere' && { target: '_blank', rel: 'noopener noreferrer nofollow' };
  return (
    <a href={to.href} {...hint} {...leaving}>
      {inside}
    </a>
  );
}
