// A document as it reads: rendered Markdown that went through the sanitiser.
import { useLayoutEffect, useRef } from 'preact/hooks';
import { renderMarkdown } from '../markdown.ts';

interface MarkdownViewProps {
  readonly text: string;
  /** Paths that links in it may lead to. */
  readonly files?: readonly string[];
}

export function MarkdownView({ text, files = [] }: MarkdownViewProps) {
  const place = useRef<HTMLDivElement>(null);
  const known = files.join('\n');
  useLayoutEffect(() => {
    // No files are no paths: not even the empty one, which a link to a heading has.
    const paths = known === '' ? [] : known.split('\n');
    place.current?.replaceChildren(renderMarkdown(text, new Set(paths)));
  }, [text, known]);
  return <div class="prose" ref={place} />;
}
