// A document as it reads: rendered Markdown that went through the sanitiser.
import { useLayoutEffect, useRef } from 'preact/hooks';
import { renderMarkdown } from '../markdown.ts';

export function MarkdownView({ text }: { readonly text: string }) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    place.current?.replaceChildren(renderMarkdown(text));
  }, [text]);
  return <div class="prose" ref={place} />;
}
