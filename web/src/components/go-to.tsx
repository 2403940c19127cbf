// The menu that leads anywhere: pages by their names and skills by words, from any page, by Ctrl K or ⌘ K.
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { withQuery } from '../api/ask.ts';
import { useLoaded } from '../api/use-loaded.ts';
import type { SearchResults } from '../model/shapes.ts';
import { type Destination, destinationsFor } from './destinations.ts';
import { Icon } from './icons.tsx';
import type { NavLink } from './navigation.ts';

const TYPING_MS = 120;
/** More than are offered: one whose name begins so may rank behind. */
const MOST_FOUND = 40;

interface GoToProps {
  readonly pages: readonly NavLink[];
  readonly close: () => void;
}

export function GoTo({ pages, close }: GoToProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [typed, setTyped] = useState('');
  const [active, setActive] = useState(0);
  const found = useFound(typed);
  const options = destinationsFor(typed, pages, found);
  // Not a frame later: what is typed right after the keys would be lost.
  useLayoutEffect(() => dialog.current?.showModal(), []);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (event.key === 'Enter') dialog.current?.querySelector<HTMLElement>('[aria-selected=true]')?.click();
    else if (step !== undefined) setActive((at) => (at + step + options.length) % Math.max(1, options.length));
    else return;
    event.preventDefault();
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it by itself; a click beside it does the same
    <dialog
      ref={dialog}
      class="go-to"
      aria-label="Go to"
      onClose={close}
      onClick={({ target }) => target === dialog.current && dialog.current?.close()}
    >
      <div class="search">
        <Icon name="search" />
        <input
          type="text"
          role="combobox"
          aria-label="Go to a page or a skill"
          placeholder="Go to a page or a skill"
          autocomplete="off"
          spellcheck={false}
          maxLength={256}
          aria-expanded="true"
          aria-controls="go-to-list"
          aria-autocomplete="list"
          aria-activedescendant={options[active] === undefined ? undefined : `go-to-${active}`}
          value={typed}
          onInput={({ currentTarget }) => {
            setTyped(currentTarget.value);
            setActive(0);
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div id="go-to-list" class="go-to-list" role="listbox" aria-label="Pages and skills">
        {options.map((option, at) => (
          <Option key={option.href} id={`go-to-${at}`} option={option} isActive={at === active} leave={leave} />
        ))}
      </div>
      {options.length === 0 && <p class="card-body muted">No page or skill has these words.</p>}
    </dialog>
  );

  /** The focus is left to the page that is opened. */
  function leave() {
    dialog.current?.close();
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  }
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** Skills that have the words, a moment after the last was typed. */
function useFound(typed: string): SearchResults | undefined {
  const [words, setWords] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setWords(typed.trim()), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const path = words === '' ? undefined : withQuery('/api/search', { q: words, limit: MOST_FOUND });
  const { value } = useLoaded<SearchResults>(path, { keep: true });
  return typed.trim() === '' ? undefined : value;
}

interface OptionProps {
  readonly id: string;
  readonly option: Destination;
  readonly isActive: boolean;
  readonly leave: () => void;
}

function Option({ id, option: { icon, label, hint, href }, isActive, leave }: OptionProps) {
  const show = (element: HTMLElement | null) => {
    if (isActive) element?.scrollIntoView({ block: 'nearest' });
  };
  return (
    <a id={id} ref={show} role="option" aria-selected={isActive} tabIndex={-1} href={href} onClick={leave}>
      <Icon name={icon} />
      <span class="break">{label}</span>
      <span class="small muted">{hint}</span>
    </a>
  );
}
