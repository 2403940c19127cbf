// A command to type, or another text to take along, with a button that copies it.
import { useState } from 'preact/hooks';

export function Command({ text, what = 'command' }: { readonly text: string; readonly what?: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = () => {
    // Without https a browser may have no clipboard; the text can still be marked.
    navigator.clipboard?.writeText(text).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  };
  return (
    <span class="command">
      <code>{text}</code>
      <button type="button" class="button quiet little" aria-label={`Copy the ${what}`} onClick={copy}>
        {isCopied ? 'Copied' : 'Copy'}
      </button>
    </span>
  );
}
