// A field that filters a list by one of the values that occur: they are offered while one types, each with how often it occurs.
import { useState } from 'preact/hooks';
import { countText } from '../text/format.ts';

export interface Choice {
  readonly value: string;
  readonly count: number;
}

interface ComboFilterProps {
  readonly name: string;
  readonly label: string;
  /** What is filtered by now; empty without a filter. */
  readonly value: string;
  /** `undefined`: not known yet. */
  readonly choices: readonly Choice[] | undefined;
  /** Called when the choices are about to be looked at. */
  readonly onOpen: () => void;
  readonly onPick: (value: string) => void;
  /** Nothing but what is offered: all values are known. */
  readonly isClosed?: boolean;
  /** `/` goes to this field. */
  readonly isSearch?: boolean;
}

/** The choice of no filter at all. */
const ANY = '';

export function ComboFilter(props: ComboFilterProps) {
  const { name, label, value, choices, isSearch = false } = props;
  const { typed, options, active, isOpen, pick, ...handlers } = useCombo(props);
  const id = `filter-${name}`;
  return (
    <div class="field combo">
      <label class="field-label" for={id}>
        {label}
      </label>
      <input
        id={id}
        type="text"
        role="combobox"
        autocomplete="off"
        spellcheck={false}
        maxLength={256}
        placeholder={value === ANY ? 'any' : value}
        data-search={isSearch ? '' : undefined}
        aria-expanded={isOpen}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={isOpen && options[active] !== undefined ? `${id}-${active}` : undefined}
        value={isOpen ? typed : value}
        {...handlers}
      />
      <div class="combo-list" id={`${id}-list`} role="listbox" aria-label={label} hidden={!isOpen}>
        {choices === undefined && (
          <div class="combo-note" role="presentation">
            Loading
          </div>
        )}
        {isOpen &&
          options.map((option, at) => (
            <Option
              key={option.value}
              id={`${id}-${at}`}
              option={option}
              isActive={at === active}
              isChosen={option.value === value}
              pick={() => pick(option.value)}
            />
          ))}
      </div>
    </div>
  );
}

interface Offered {
  readonly value: string;
  /** `undefined`: not counted. */
  readonly count: number | undefined;
}

interface OptionProps {
  readonly id: string;
  readonly option: Offered;
  readonly isActive: boolean;
  readonly isChosen: boolean;
  readonly pick: () => void;
}

function Option({ id, option: { value, count }, isActive, isChosen, pick }: OptionProps) {
  const show = (element: HTMLElement | null) => {
    if (isActive) element?.scrollIntoView({ block: 'nearest' });
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys go to the field, which has the focus, as in every combobox
    // biome-ignore lint/a11y/useFocusableInteractive: likewise; the field names the active one
    <div
      id={id}
      ref={show}
      role="option"
      aria-selected={isActive}
      class={isChosen ? 'chosen' : ''}
      // Before the field loses the focus, and the list with it.
      onMouseDown={(event) => event.preventDefault()}
      onClick={pick}
    >
      <span class="break">{value === ANY ? 'any' : value}</span>
      {count !== undefined && <span class="muted">{countText(count)}</span>}
    </div>
  );
}

/** What is typed, what is offered for it, and which of that Enter takes. */
function useCombo({ value, choices = [], isClosed = false, onOpen, onPick }: ComboFilterProps) {
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const [active, setActive] = useState(0);
  const options = offered(choices, typed.trim(), isClosed);
  const open = () => {
    if (isOpen) return;
    onOpen();
    setTyped('');
    setActive(0);
    setOpen(true);
  };
  const pick = (picked: string) => {
    setOpen(false);
    if (picked !== value) onPick(picked);
  };
  const moveBy = (step: number) => {
    if (!isOpen) return open();
    setActive((at) => Math.max(0, Math.min(options.length - 1, at + step)));
  };
  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => moveBy(1),
    ArrowUp: () => moveBy(-1),
    ...(isOpen && { Enter: () => pick(options[active]?.value ?? value), Escape: () => setOpen(false) }),
  };
  return {
    typed,
    options,
    active,
    isOpen,
    pick,
    onClick: open,
    onFocus: ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) => currentTarget.select(),
    onBlur: () => setOpen(false),
    onInput: ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) => {
      const text = currentTarget.value;
      open();
      setTyped(text);
      setActive(0);
    },
    onKeyDown: (event: KeyboardEvent) => {
      const act = Object.hasOwn(keys, event.key) ? keys[event.key] : undefined;
      if (act === undefined) return;
      event.preventDefault();
      act();
    },
  };
}

/** More are found by typing: thousands of names would keep the page busy. */
const MOST_OFFERED = 50;

/** Those that have what was typed in them; and the text itself, because only the newest entries are counted. */
function offered(choices: readonly Choice[], text: string, isClosed: boolean): readonly Offered[] {
  if (text === '') return [{ value: ANY, count: undefined }, ...choices.slice(0, MOST_OFFERED)];
  const wanted = text.toLowerCase();
  const fitting = choices.filter(({ value }) => value.toLowerCase().includes(wanted));
  const same = fitting.filter(({ value }) => value === text);
  const shown = [...same, ...fitting.filter(({ value }) => value !== text)].slice(0, MOST_OFFERED);
  return isClosed || same.length > 0 ? shown : [...shown, { value: text, count: undefined }];
}
