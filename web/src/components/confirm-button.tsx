// A button for what cannot be undone: it asks first.
import { useRef, useState } from 'preact/hooks';

interface ConfirmButtonProps {
  /** What it does: "Revoke". */
  readonly what: string;
  /** To what, for those who hear the page. */
  readonly of: string;
  readonly confirm: () => void;
  /** In a row. */
  readonly isLittle?: boolean;
  /** What leaves everything as it was. */
  readonly leave?: string;
}

/** A second click confirms, the second of a double click does not. Escape and the other button leave everything as it was. */
export function ConfirmButton({ what, of, confirm, isLittle = false, leave = 'Cancel' }: ConfirmButtonProps) {
  const [isAsked, setAsked] = useState(false);
  const first = useRef<HTMLButtonElement>(null);
  const size = isLittle ? ' little' : '';
  const really = `Really ${what.toLowerCase()}`;
  const callOff = () => {
    setAsked(false);
    first.current?.focus();
  };
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (isAsked && key === 'Escape') callOff();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the buttons in it
    <span class="pills confirm" onKeyDown={onKeyDown}>
      <button
        ref={first}
        type="button"
        class={isAsked ? `button danger${size}` : `button${isLittle ? ' quiet' : ''}${size}`}
        aria-label={`${isAsked ? really : what} ${of}`}
        onClick={({ detail }) => (isAsked ? detail < 2 && confirm() : setAsked(true))}
      >
        {isAsked ? really : what}
      </button>
      {isAsked && (
        <button type="button" class={`button${size}`} aria-label={`${leave}: leave ${of}`} onClick={callOff}>
          {leave}
        </button>
      )}
    </span>
  );
}
