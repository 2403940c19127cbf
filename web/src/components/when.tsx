// When something was: how long ago, kept up to date; the exact moment and its zone on hover and focus.
import { useEffect, useState } from 'preact/hooks';
import { agoText, fullTimeText, untilText } from '../text/format.ts';

export function When({ at, isInRow = false, isToCome = false }: WhenProps) {
  const moment = new Date(at);
  return (
    <time class="when" dateTime={at} {...(isInRow ? { onClick: openRow } : { tabIndex: 0 })}>
      {useAgo(at, isToCome ? untilText : agoText)}
      <span class="tip">{fullTimeText(moment)}</span>
    </time>
  );
}

interface WhenProps {
  readonly at: string;
  /** Of a row that opens something: the exact moment shows while the row has the focus, not by a stop of its own. */
  readonly isInRow?: boolean;
  /** Of this server's own making, so that its last seconds count. */
  readonly isToCome?: boolean;
}

/** It lies over the link of its row, to be pointed at; a click on it is still a click on that link. */
function openRow(event: MouseEvent & { readonly currentTarget: HTMLElement }): void {
  event.stopPropagation();
  event.currentTarget.closest('tr')?.querySelector('.row-link')?.dispatchEvent(new MouseEvent('click', event));
}

function useAgo(at: string, words: (moment: Date) => string): string {
  const [text, setText] = useState(() => words(new Date(at)));
  useEffect(() => {
    const update = () => setText(words(new Date(at)));
    update();
    return onTick(update);
  }, [at, words]);
  return text;
}

/** The words change by the minute, and in the last one before something comes by the second. */
const TICK_MS = 5_000;

const listeners = new Set<() => void>();
let timer: number | undefined;

/** One timer for all that a page shows. Answers how to stop. */
function onTick(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= window.setInterval(() => {
    for (const update of listeners) update();
  }, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}
