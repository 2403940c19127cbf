// What Markdown becomes, without a browser: elements of a closed list, and links that lead where they may.
import type { ComponentChildren, VNode } from 'preact';
import { describe, expect, test } from 'vitest';
import { PAYLOADS } from '../../../tests/web/xss-payloads.ts';
import { renderMarkdown } from './markdown-tokens.tsx';

interface Drawn {
  readonly type: string;
  readonly props: Readonly<Record<string, unknown>>;
  readonly inside: readonly (Drawn | string)[];
}

/** Fragments are left out: what they hold stands in their place. */
function flat(content: ComponentChildren): readonly (Drawn | string)[] {
  if (content === null || content === undefined || typeof content === 'boolean') return [];
  if (Array.isArray(content)) return content.flatMap(flat);
  if (typeof content !== 'object') return [String(content)];
  const { type, props } = content as VNode<{ children?: ComponentChildren }>;
  const { children, ...rest } = props;
  const inside = flat(children);
  return typeof type === 'string' ? [{ type, props: rest, inside }] : inside;
}

function drawn(text: string, files: readonly string[] = []): readonly (Drawn | string)[] {
  const rendered = renderMarkdown(text, new Set(files));
  if (!rendered.ok) throw new Error(rendered.why);
  return flat(rendered.content);
}

const all = (nodes: readonly (Drawn | string)[]): readonly Drawn[] =>
  nodes.flatMap((node) => (typeof node === 'string' ? [] : [node, ...all(node.inside)]));

const textOf = (nodes: readonly (Drawn | string)[]): string =>
  nodes.map((node) => (typeof node === 'string' ? node : textOf(node.inside))).join('');

const links = (text: string, files: readonly string[] = []) =>
  all(drawn(text, files)).flatMap(({ type, props }) => (type === 'a' ? [props.href] : []));

const ELEMENTS = new Set(
  'h2 h3 h4 h5 h6 p br hr blockquote pre code em strong del ul ol li a table thead tbody tr th td input'.split(' '),
);
const ATTRIBUTES = new Set('href title target rel start align type checked disabled tabIndex aria-label'.split(' '));

describe('renderMarkdown()', () => {
  test.each(PAYLOADS)('makes of %j elements of the list, and leads nowhere by it (THREATS: XSS)', (payload) => {
    const nodes = all(drawn(`# ${payload}\n\n${payload}\n\n- ${payload}\n\n| a |\n|---|\n| ${payload} |\n`));
    for (const { type, props } of nodes) {
      expect(ELEMENTS).toContain(type);
      for (const name of Object.keys(props)) expect(ATTRIBUTES).toContain(name);
      if (props.href !== undefined) expect(props.href).toMatch(/^(?:https?:|mailto:|\?file=)/i);
    }
  });

  test('shows an author’s HTML as text', () => {
    expect(textOf(drawn('a <b onclick="x()">c</b>\n\n<div>\nd\n</div>'))).toBe(
      'a <b onclick="x()">c</b><div>\nd\n</div>',
    );
  });

  test('resolves character references in texts and addresses, and not in code', () => {
    expect(textOf(drawn('a &amp; b &#60; &#x3e; `&amp;`'))).toBe('a & b < > &amp;');
    expect(links('[a](https://x.org/?a&amp;b)')).toEqual(['https://x.org/?a&b']);
    expect(links('[a](&#106;avascript:alert)')).toEqual([undefined]);
  });

  test('leads to files of the skill, elsewhere without a referrer, and nowhere by other paths', () => {
    expect(links('[a](./refs/a%20b.md#top) [b](other.md) [c](#head)', ['refs/a b.md'])).toEqual([
      '?file=refs%2Fa%20b.md',
      undefined,
      undefined,
    ]);
    const [away] = all(drawn('https://x.org')).filter(({ type }) => type === 'a');
    expect(away?.props).toMatchObject({ href: 'https://x.org', rel: 'noopener noreferrer nofollow' });
  });

  test('keeps lists, tasks, tables and headings as they are meant', () => {
    const types = all(drawn('# a\n\n3. b\n\n- [x] c\n\n| d |\n|--:|\n| e |\n')).map(({ type }) => type);
    expect(types).toEqual(['h2', 'ol', 'li', 'ul', 'li', 'input', 'table', 'thead', 'tr', 'th', 'tbody', 'tr', 'td']);
    expect(all(drawn('3. b'))[0]?.props).toEqual({ start: 3 });
    expect(all(drawn('![alt](https://x.org/p.png)')).map(({ type }) => type)).toEqual(['p', 'a']);
  });
});

test('a rendering that throws leaves the text, with a sentence', () => {
  class Broken extends Set<string> {
    override has(): boolean {
      throw new Error('broken');
    }
  }
  expect(renderMarkdown('[a](b)', new Broken())).toEqual({
    ok: false,
    why: expect.stringContaining('could not be rendered'),
  });
});
