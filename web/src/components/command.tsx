// A command to type, or another text to take along, with a button that copies it.
import { CopyButton } from './copy-button.tsx';

export const Command = ({ text, what = 'command' }: { readonly text: string; readonly what?: string }) => (
  <span class="command">
    <code>{text.split(SHORT_WORD).map((part, at) => (at % 2 === 0 ? part : <span key={`${at}`}>{part}</span>))}</code>
    <CopyButton text={() => text} what={what} />
  </span>
);

/** Browsers break lines after hyphens: `--data` would be read as `--` and `data`. Long words have to break somewhere. */
const SHORT_WORD = /(?<=^|\s)(?=\S{1,16}(?:\s|$))(\S*-\S*)/;
