// A document as it reads: rendered Markdown, or the text itself with the reason why.
import { useMemo } from 'preact/hooks';
import { renderMarkdown } from './markdown-tokens.tsx';

interface MarkdownViewProps {
  readonly text: string;
  /** Paths that links in it may lead to. */
  readonly files?: readonly string[];
}

export function MarkdownView({ text, files = [] }: MarkdownViewProps) {
  const known = files.join('\n');
  const rendered = useMemo(() => {
    // No files are no paths: not even the empty one, which a link to a heading has.
    const paths = known === '' ? [] : known.split('\n');
    return renderMarkdown(text, new Set(paths));
  }, [text, known]);
  if (rendered.ok)
    return (
      <div key="rendered" class="prose">
        {rendered.content}
      </div>
    );
  return (
    <div key="text">
      <p class="muted">{rendered.why}</p>
      <pre class="code">{text}</pre>
    </div>
  );
}
