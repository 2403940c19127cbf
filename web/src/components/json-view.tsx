// JSON in colours, to read and to copy. It is text, never markup, and of very much only the beginning is shown at first.
import { useMemo, useState } from 'preact/hooks';
import { sizeText } from '../text/format.ts';
import { cutText, jsonTokens } from '../text/json-tokens.ts';
import { CopyButton } from './copy-button.tsx';

/** Characters that are shown unasked. */
const MOST_FIRST = 20_000;
/** More than this is shown without colours: a page with a hundred thousand elements is slow. */
const MOST_COLOURED = 200_000;

export function JsonView({ value, label }: { readonly value: unknown; readonly label: string }) {
  const text = useMemo(() => JSON.stringify(value, null, 2) ?? 'nothing', [value]);
  return <JsonText text={text} label={label} />;
}

/** `text`: JSON as it is to be read. */
export function JsonText({ text, label }: { readonly text: string; readonly label: string }) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? text : cutText(text, MOST_FIRST);
  return (
    <section class="json" aria-label={label}>
      <CopyButton text={() => text} what={label.toLowerCase()} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
      <pre class="code" tabIndex={0}>
        {shown.length > MOST_COLOURED ? shown : <Coloured text={shown} />}
      </pre>
      {shown.length < text.length && (
        <button type="button" class="button little" onClick={() => setWhole(true)}>
          Show all, {sizeText(text.length)}
        </button>
      )}
    </section>
  );
}

function Coloured({ text }: { readonly text: string }) {
  const tokens = useMemo(() => jsonTokens(text), [text]);
  return (
    <>
      {tokens.map(({ kind, text: piece }, index) =>
        kind === 'mark' ? (
          piece
        ) : (
          <span key={index} class={`json-${kind}`}>
            {piece}
          </span>
        ),
      )}
    </>
  );
}
