// A document as it reads: rendered Markdown that went through the sanitiser, or the text itself with the reason why.
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { renderMarkdown } from '../text/markdown.ts';

interface MarkdownViewProps {
  readonly text: string;
  /** Paths that links in it may lead to. */
  readonly files?: readonly string[];
}

export function MarkdownView({ text, files = [] }: MarkdownViewProps) {
  const place = useRef<HTMLDivElement>(null);
  const known = files.join('\n');
  const rendered = useMemo(() => {
    // No files are no paths: not even the empty one, which a link to a heading has.
    const paths = known === '' ? [] : known.split('\n');
    return renderMarkdown(text, new Set(paths));
  }, [text, known]);
  useLayoutEffect(() => {
    if (rendered.ok) place.current?.replaceChildren(rendered.fragment);
  }, [rendered]);
  if (rendered.ok) return <div key="rendered" class="prose" ref={place} />;
  return (
    <div key="text">
      <p class="muted">{rendered.why}</p>
      <pre class="code">{text}</pre>
    </div>
  );
}
