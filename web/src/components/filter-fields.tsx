// Fields that filter a list by what the address says: choices, and texts that must be met exactly.
import { useEffect, useState } from 'preact/hooks';
import { setQuery } from '../browser/router.ts';

/** How long typing must pause before the filter applies. */
const TYPING_MS = 300;

interface ChoiceProps {
  readonly name: string;
  readonly label: string;
  readonly value: string | undefined;
  readonly choices: readonly (readonly [string, string])[];
}

export const ChoiceFilter = ({ name, label, value = '', choices }: ChoiceProps) => (
  <div class="field">
    <label class="field-label" for={`filter-${name}`}>
      {label}
    </label>
    <select
      id={`filter-${name}`}
      value={value}
      onChange={(event) => setQuery({ [name]: event.currentTarget.value, until: undefined })}
    >
      {choices.map(([choice, text]) => (
        <option key={choice} value={choice} selected={choice === value}>
          {text}
        </option>
      ))}
    </select>
  </div>
);

interface TextFilterProps {
  readonly name: string;
  readonly label: string;
  /** What to write there. */
  readonly placeholder: string;
  readonly value: string | undefined;
  readonly isSearch?: boolean;
  /** Offered while one types. */
  readonly known?: readonly string[];
  /** What is wrong with a text; said once the field is left, and until then the text is not used. */
  readonly faultOf?: (text: string) => string | undefined;
}

export function TextFilter(props: TextFilterProps) {
  const { name, label, placeholder, value = '', isSearch = false, known = [], faultOf = noFault } = props;
  const { typed, setTyped, isLeft, setLeft } = useTyped(name, value, faultOf);
  const fault = isLeft ? faultOf(typed.trim()) : undefined;
  const id = `filter-${name}`;
  return (
    <div class="field">
      <label class="field-label" for={id}>
        {label} <span class="exact">exact</span>
      </label>
      <input
        id={id}
        // Its types know one literal at a time, not a choice of two.
        {...({ type: isSearch ? 'search' : 'text' } as { type: 'text' })}
        autocomplete="off"
        spellcheck={false}
        maxLength={256}
        placeholder={placeholder}
        list={`${id}-known`}
        value={typed}
        aria-invalid={fault !== undefined}
        aria-describedby={`${id}-fault`}
        onInput={(event) => setTyped(event.currentTarget.value)}
        onBlur={() => setLeft(true)}
      />
      <datalist id={`${id}-known`}>
        {known.map((text) => (
          <option key={text} value={text} />
        ))}
      </datalist>
      <p class="field-fault" id={`${id}-fault`} role="alert">
        {fault}
      </p>
    </div>
  );
}

const noFault = (): undefined => undefined;

/** What is in the field, and in the address once it is whole. */
function useTyped(name: string, value: string, faultOf: (text: string) => string | undefined) {
  const [typed, write] = useState(value);
  // A filter in the address was put there on purpose.
  const [isLeft, setLeft] = useState(true);
  useEffect(() => write(value), [value]);
  useEffect(() => {
    const text = typed.trim();
    const timer = setTimeout(() => {
      if (text !== value && faultOf(text) === undefined) setQuery({ [name]: text });
    }, TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed, value, name]);
  const setTyped = (text: string) => {
    setLeft(false);
    write(text);
  };
  return { typed, setTyped, isLeft, setLeft };
}
