// Fields that filter a list by what the address says: a choice of a few, and an id that must be whole.
import { useEffect, useState } from 'preact/hooks';
import { isUuid } from '../../../src/values/uuid.ts';
import { setQuery } from '../browser/router.ts';

/** How long typing must pause before the filter applies. */
const TYPING_MS = 300;

interface SinceFilterProps {
  readonly value: string | undefined;
  readonly choices: readonly (readonly [string, string])[];
}

export const SinceFilter = ({ value = '', choices }: SinceFilterProps) => (
  <div class="field">
    <label class="field-label" for="filter-since">
      When
    </label>
    <select
      id="filter-since"
      value={value}
      onChange={(event) => setQuery({ since: event.currentTarget.value, until: undefined })}
    >
      {choices.map(([choice, text]) => (
        <option key={choice} value={choice} selected={choice === value}>
          {text}
        </option>
      ))}
    </select>
  </div>
);

/** `value`: as the address has it, right or wrong. What is wrong is said once the field is left; until then it is not used. */
export function CorrelationFilter({ value = '' }: { readonly value: string | undefined }) {
  const { typed, setTyped, isLeft, setLeft } = useTyped(value);
  const fault = isLeft ? idFault(typed.trim()) : undefined;
  return (
    <div class={value === '' ? 'field hide-small' : 'field'}>
      <label class="field-label" for="filter-correlation">
        Correlation id
      </label>
      <input
        id="filter-correlation"
        type="text"
        autocomplete="off"
        spellcheck={false}
        maxLength={256}
        placeholder="whole id"
        value={typed}
        aria-invalid={fault !== undefined}
        aria-describedby="filter-correlation-fault"
        onInput={(event) => setTyped(event.currentTarget.value)}
        onBlur={() => setLeft(true)}
      />
      <p class="field-fault" id="filter-correlation-fault" role="alert">
        {fault}
      </p>
    </div>
  );
}

const idFault = (text: string): string | undefined =>
  text === '' || isUuid(text) ? undefined : 'Not a whole id: 8-4-4-4-12 hexadecimal digits';

/** What is in the field, and in the address once it is whole. */
function useTyped(value: string) {
  const [typed, write] = useState(value);
  // A filter in the address was put there on purpose.
  const [isLeft, setLeft] = useState(true);
  useEffect(() => write(value), [value]);
  useEffect(() => {
    const text = typed.trim();
    const timer = setTimeout(() => {
      if (text !== value && idFault(text) === undefined) setQuery({ correlation_id: text });
    }, TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed, value]);
  const setTyped = (text: string) => {
    setLeft(false);
    write(text);
  };
  return { typed, setTyped, isLeft, setLeft };
}
