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
    place.current?.replaceChildren(renderMarkdown(text, new Set(known.split('\n'))));
  }, [text, known]);
  return <div class="prose" ref={place} />;
}
