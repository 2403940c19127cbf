// A button that puts a text on the clipboard, and says for a moment that it has.
import { useEffect, useState } from 'preact/hooks';

interface CopyButtonProps {
  /** Called when it is pressed: a long text is made then. */
  readonly text: () => string;
  /** What is copied, for those who do not see what it stands beside. */
  readonly what?: string;
  /** What the button says. */
  readonly label?: string;
}

/** Long enough to be read. */
const SAID_MS = 2_000;

export function CopyButton({ text, what, label = 'Copy' }: CopyButtonProps) {
  const [said, setSaid] = useState<string | undefined>(undefined);
  useEffect(() => {
    if (said === undefined) return;
    const timer = setTimeout(() => setSaid(undefined), SAID_MS);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = async () => setSaid((await writeClipboard(text())) ? 'Copied' : 'Not copied');
  return (
    <button
      type="button"
      class="button quiet little copy"
      aria-label={what === undefined ? undefined : `${said ?? label} the ${what}`}
      onClick={copy}
    >
      {said ?? label}
    </button>
  );
}

async function writeClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Without https and off this machine a browser has no clipboard, or refuses it.
    return copyBySelection(text);
  }
}

function copyBySelection(text: string): boolean {
  const focused = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'unseen';
  document.body.append(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return isCopied;
}
