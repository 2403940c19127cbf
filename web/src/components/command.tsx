// A command to type, or another text to take along, with a button that copies it.
import { CopyButton } from './copy-button.tsx';

export const Command = ({ text, what = 'command' }: { readonly text: string; readonly what?: string }) => (
  <span class="command">
    <code>{text}</code>
    <CopyButton text={() => text} what={what} />
  </span>
);
